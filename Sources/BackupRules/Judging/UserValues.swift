import BackupCollections
import BackupDevice
import BackupFileTree
import BackupScenarios

/// A value of the user's data. Except for `presence`, a value does not contain the path of its
/// file, so that rules find the value in another file too.
enum FileValue: Hashable {
  /// A leaf of JSON, a property list or a database, or a line of a text.
  case leaf(ContentsValues.Leaf)
  /// All bytes of any other file.
  case bytes(ContentsVersion)
  /// The existence of a file whose contents cannot be compared. The text is the path without random
  /// parts.
  case presence(String)
}

/// Values that belong together: those of a file, or the leaves under the same keys.
enum ValueGroup: Hashable {
  /// The leaves whose keys have this hash.
  case keys(UInt64)
  /// The file with this path, without random parts.
  case file(String)
}

/// Reads the values in files.
struct ValueReader: Hashable {
  /// The values that differ between two equal runs, such as dates. Each value here lacks its
  /// varying part: a leaf has only its keys, and other contents only the path of their file.
  private(set) var varyingValues: Set<FileValue> = []

  /// Calls `visit` with each value of a file.
  func forEachValue(
    of file: FileTree.FileInformation, at path: ContainerPath, _ databases: Databases,
    _ visit: (FileValue, ValueGroup) -> Void
  ) {
    guard file.size > 0 else { return }
    if let values = file.details?.values, values.containsRows || !databases.contains(path, file) {
      for leaf in values.leaves {
        let leafWithoutValue = FileValue.leaf(leaf.withoutValue)
        let isVarying = varyingValues.contains(leafWithoutValue)
        visit(isVarying ? leafWithoutValue : .leaf(leaf), .keys(leaf.placeHash))
      }
      return
    }
    let pathWithoutRandomParts = NameForm.replacingRandomParts("\(path)")
    // The bytes of databases and of encrypted files cannot be compared. SQLite repairs a database
    // after a kill, and may then store the same rows as other bytes. Encryption gives the same data
    // other bytes each time.
    let bytesAreComparable =
      file.checksum.isKnown && !varyingValues.contains(.presence(pathWithoutRandomParts))
      && !databases.contains(path, file) && file.details?.seals.isEmpty != false
    visit(
      bytesAreComparable ? .bytes(ContentsVersion(file)) : .presence(pathWithoutRandomParts),
      .file(pathWithoutRandomParts))
  }

  /// Compares the containers of two equal runs, and adds the values that differ to `varyingValues`.
  mutating func addVaryingValues(in tree: FileTree, _ otherTree: FileTree, _ facts: UserFileFacts) {
    let paths = tree.unsharedFilePaths(with: otherTree)
    let (values, otherValues) = (
      UserValues(tree, at: paths, facts, self), UserValues(otherTree, at: paths, facts, self)
    )
    for differingValues in [values.subtracting(otherValues), otherValues.subtracting(values)] {
      for value in differingValues.counts.keys {
        varyingValues.insert(differingValues.withoutVaryingParts(value))
      }
    }
  }
}

/// The facts that tell whether a file is the user's, and whether it lasts.
struct UserFileFacts {
  let classes: DeclaredClasses
  let databases: Databases
  let remnants: Set<ContainerPath>
  let profile: SystemProfile

  init(_ event: ObservedEvent) {
    classes = event.classes
    databases = event.facts.databases
    remnants = event.facts.remnants
    profile = event.profile
  }

  /// Returns true unless a purge may take the file, a library keeps the file beside a database, or
  /// the file is the temporary file of a save.
  func isLasting(_ path: ContainerPath) -> Bool {
    !profile.mayPurge(path) && !databases.isBesideDatabase(path) && !remnants.contains(path)
      && !SystemProfile.RemnantPattern.atomicSave.matches(path)
  }
}

/// A set of values, each with a count and with a file that contains it. The count of a value is its
/// number in the file that has it most often, or with `addToSum`, in all files together.
struct UserValues: Hashable {
  private(set) var counts: [FileValue: Int] = [:]
  /// For each value, the first file that has it.
  private var firstFiles: [FileValue: FirstFile] = [:]
  /// For each value, the files that contain it besides the file in `firstFiles`.
  private var otherPaths: [FileValue: Set<ContainerPath>] = [:]

  private struct FirstFile: Hashable {
    let path: ContainerPath
    let group: ValueGroup
    /// The file's contents before the first append, and the contents of each append.
    let pieces: [ContentsVersion]
    let version: ContentsVersion
    /// The hash of a leaf whose value is the whole file as text.
    let textHash: UInt64?
  }

  var isEmpty: Bool { counts.isEmpty }

  init() {}

  /// Reads the values of the files at `paths`. Only critical, lasting files count.
  init(
    _ tree: FileTree, at paths: some Sequence<ContainerPath>, _ facts: UserFileFacts,
    _ reader: ValueReader
  ) {
    for path in paths {
      guard let file = tree.fileInformation(at: path),
        facts.classes.promisedClass(of: path) == .critical,
        facts.isLasting(path)
      else { continue }
      add(file, at: path, facts, reader)
    }
  }

  /// Adds the values of a file. A value that is twice in the file counts twice. A value in
  /// several files counts as often as in the file that has it most often.
  mutating func add(
    _ file: FileTree.FileInformation, at path: ContainerPath, _ facts: UserFileFacts,
    _ reader: ValueReader
  ) {
    var countsInFile: [FileValue: Int] = [:]
    add(file, at: path, facts, reader, to: &countsInFile)
    counts.merge(countsInFile) { max($0, $1) }
  }

  /// Adds the values of a file, and adds their counts to the counts in other files.
  fileprivate mutating func addToSum(
    _ file: FileTree.FileInformation, at path: ContainerPath, _ facts: UserFileFacts,
    _ reader: ValueReader
  ) {
    var counts = counts
    self.counts = [:]
    add(file, at: path, facts, reader, to: &counts)
    self.counts = counts
  }

  private mutating func add(
    _ file: FileTree.FileInformation, at path: ContainerPath, _ facts: UserFileFacts,
    _ reader: ValueReader, to counts: inout [FileValue: Int]
  ) {
    reader.forEachValue(of: file, at: path, facts.databases) { value, group in
      counts[value, default: 0] += 1
      guard let firstFile = firstFiles[value] else {
        firstFiles[value] = FirstFile(
          path: path, group: group, pieces: file.pieces, version: ContentsVersion(file),
          textHash: file.details?.textHash)
        return
      }
      if firstFile.path != path { otherPaths[value, default: []].insert(path) }
    }
  }

  /// The values of the leaves, without their keys.
  var leafValues: Set<UInt64> { Set(counts.keys.compactMap(\.leafValue)) }

  /// For each value, the path of one file that contains it.
  var paths: Set<ContainerPath> { Set(counts.keys.compactMap(path(of:))) }

  /// Returns a file that contains the value.
  func path(of value: FileValue) -> ContainerPath? { firstFiles[value]?.path }

  private func paths(of value: FileValue) -> Set<ContainerPath> {
    var paths = otherPaths[value] ?? []
    if let path = firstFiles[value]?.path { paths.insert(path) }
    return paths
  }

  func group(of value: FileValue) -> ValueGroup? { firstFiles[value]?.group }

  /// Returns a value without the parts that may vary.
  fileprivate func withoutVaryingParts(_ value: FileValue) -> FileValue {
    switch (value, group(of: value)) {
    case (.leaf(let leaf), _): .leaf(leaf.withoutValue)
    case (.bytes, .file(let name)?): .presence(name)
    default: value
    }
  }

  /// Returns the values that are in both sets, each with the lower count.
  func intersection(_ other: UserValues) -> UserValues {
    var commonValues = self
    commonValues.counts = [:]
    for (value, count) in counts {
      if let otherCount = other.counts[value] {
        commonValues.counts[value] = min(count, otherCount)
      }
    }
    return commonValues
  }

  /// Returns the values that the other set lacks, or of which it has fewer.
  func subtracting(_ other: UserValues) -> UserValues {
    var missingValues = self
    missingValues.counts = [:]
    for (value, count) in counts {
      let missingCount = count - (other.counts[value] ?? 0)
      if missingCount > 0 { missingValues.counts[value] = missingCount }
    }
    return missingValues
  }

  func filter(_ isWanted: (FileValue) -> Bool) -> UserValues {
    var filteredValues = self
    filteredValues.counts = counts.filter { isWanted($0.key) }
    return filteredValues
  }

  /// Returns the values that no lasting file in a container contains.
  ///
  /// If `formerTree` is not nil, a leaf's value may also be under other keys. Another file must
  /// then contain the value, or the same file at least as often as in `formerTree`.
  func missing(
    in container: ContainerValues, allowingOtherKeysThanIn formerTree: FileTree? = nil
  ) -> UserValues {
    var missingValues = self
    missingValues.counts = counts.filter { value, count in
      guard let firstFile = firstFiles[value] else { return false }
      let hasAllPieces =
        firstFile.pieces.count > 1 && firstFile.pieces.allSatisfy(container.contains)
      let hasWholeFile =
        firstFile.version.checksum.isKnown && container.contains(firstFile.version)
        || firstFile.textHash.map { container.leafCounts[$0] != nil } == true
      return !hasAllPieces && !hasWholeFile && !container.contains(value, count: count)
        && !container.contains(value, ofFileAt: firstFile.path, underOtherKeysThanIn: formerTree)
    }
    return missingValues
  }
}

/// The values of all lasting files in a container, of any class.
struct ContainerValues {
  private var values = UserValues()
  private let tree: FileTree
  /// For each value of a leaf, the number of leaves that have it, under any keys.
  fileprivate private(set) var leafCounts: [UInt64: Int] = [:]
  /// For each append to a file, the contents before it and the appended contents.
  private var appendParts: Set<ContentsVersion> = []
  private var fileVersions: Set<ContentsVersion> = []
  /// The files that are not empty, or that a library repairs.
  private var existingFiles: [ContainerPath] = []

  /// Reads the values of a container. If `paths` is not nil, reads values only in these files,
  /// because all other files are equal in a compared container.
  ///
  /// `isRepaired` returns true for a file that a library repairs, even if the file is empty.
  init(
    _ tree: FileTree, at paths: Set<ContainerPath>? = nil, _ facts: UserFileFacts,
    _ reader: ValueReader, isRepaired: (ContainerPath) -> Bool = { _ in false }
  ) {
    self.tree = tree
    tree.forEachItem { path, item in
      guard case .file(let file) = item.kind, facts.isLasting(path) else { return }
      if paths?.contains(path) != false { values.addToSum(file, at: path, facts, reader) }
      if let parts = file.details?.appendVersions { self.appendParts.formUnion(parts) }
      if file.checksum.isKnown { fileVersions.insert(ContentsVersion(file)) }
      if file.size > 0 || isRepaired(path) {
        existingFiles.append(path)
      }
    }
    for (value, count) in values.counts {
      if let leaf = value.leafValue { leafCounts[leaf, default: 0] += count }
    }
  }

  /// Returns true if a file has these contents, had them before an append, or got them by an
  /// append.
  fileprivate func contains(_ version: ContentsVersion) -> Bool {
    appendParts.contains(version) || fileVersions.contains(version)
  }

  fileprivate func contains(
    _ value: FileValue, ofFileAt path: ContainerPath, underOtherKeysThanIn formerTree: FileTree?
  ) -> Bool {
    guard let formerTree, let leaf = value.leafValue, let count = leafCounts[leaf] else {
      return false
    }
    let countInFile = tree.leafCount(of: leaf, at: path)
    return count > countInFile || countInFile >= formerTree.leafCount(of: leaf, at: path)
  }

  fileprivate func contains(_ value: FileValue, count: Int) -> Bool {
    switch value {
    case .leaf: values.counts[value] ?? 0 >= count
    case .bytes(let version): contains(version)
    case .presence(let name):
      existingFiles.contains { NameForm.replacingRandomParts("\($0)") == name }
    }
  }
}

extension FileTree {
  /// Returns the number of leaves in a file that have this value.
  fileprivate func leafCount(of leaf: UInt64, at path: ContainerPath) -> Int {
    fileInformation(at: path)?.details?.values?.leaves.count { $0.valueHash == leaf } ?? 0
  }
}

extension FileTree.FileInformation {
  /// The file's contents before the first append, and the contents of each append. Empty without an
  /// append.
  fileprivate var pieces: [ContentsVersion] {
    guard let parts = details?.appendVersions, !parts.isEmpty else { return [] }
    return parts.enumerated().compactMap { index, part in
      index == 0 || index % 2 == 1 ? part : nil
    }
  }
}

extension ContentsValues.Leaf {
  /// The leaf without its value, for a value that varies.
  fileprivate var withoutValue: Self {
    Self(placeHash: placeHash, valueHash: 0, formHash: formHash)
  }
}

extension UserValues {
  /// The values of each file, by the file's path.
  var byPath: [ContainerPath: UserValues] {
    Dictionary(
      grouping: counts.keys.compactMap { value in path(of: value).map { (value, $0) } }, by: \.1
    )
    .mapValues { valuesWithPaths in
      let values = Set(valuesWithPaths.map(\.0))
      return filter(values.contains)
    }
  }

  /// Returns the same values. If `earlier` also has a value, the result names the file of the value
  /// in `earlier`.
  func withOriginalFiles(from earlier: UserValues) -> UserValues {
    var values = self
    for value in counts.keys {
      if let firstFile = earlier.firstFiles[value] { values.firstFiles[value] = firstFile }
    }
    return values
  }

  /// Returns the values that a container lacks after a repeated activity.
  ///
  /// This set and each set in `others` have the values after the activity was done once or twice. A
  /// value is not missing if one of `others` has values in the same group, and the container has
  /// all of them.
  func missing(in container: ContainerValues, unlessReplacedBy others: [UserValues]) -> UserValues {
    let missingValues = missing(in: container)
    guard !missingValues.isEmpty else { return missingValues }
    return missingValues.filter { value in
      guard let group = group(of: value) else { return true }
      return !others.contains { other in
        let valuesOfGroup = other.filter { other.group(of: $0) == group }
        return !valuesOfGroup.isEmpty && valuesOfGroup.missing(in: container).isEmpty
      }
    }
  }

  /// Returns the values that a container lacks because an activity was interrupted. This set has
  /// the values before the activity, `container` the values after the interruption, and `completed`
  /// the values after the whole activity.
  func lost(in container: ContainerValues, completed: UserValues) -> UserValues {
    let missingValues = missing(in: container)
    guard !missingValues.isEmpty else { return missingValues }
    let missingUnchangedValues = intersection(completed).missing(in: container)
    let writtenValues = completed.subtracting(self)
    // A file with all its values is finished, even if the activity must still write other files.
    let unwrittenValues = writtenValues.missing(in: container)
    let unwrittenPaths = unwrittenValues.counts.keys.reduce(into: Set<ContainerPath>()) {
      paths, value in
      paths.formUnion(completed.paths(of: value).subtracting(self.paths(of: value)))
    }
    let unwrittenLeafValues = unwrittenValues.leafValues
    let lostValues = missingValues.filter { value in
      if missingUnchangedValues.counts[value] != nil { return true }
      guard !unwrittenValues.isEmpty, completed.counts[value] == nil else { return false }
      // An activity may delete one value and save another value elsewhere. The missing value counts
      // as replaced only if the same value, or a value of the same file, is not written yet.
      let isReplaced = path(of: value).map(unwrittenPaths.contains) ?? false
      return isReplaced || value.leafValue.map(unwrittenLeafValues.contains) == true
    }
    // A file that has texts is only a copy if other files have all of them. The numbers and dates
    // that only the copy had are then no loss.
    let lostCopies = lostValues.byPath.filter { path, valuesOfFile in
      valuesOfFile.counts.keys.allSatisfy { $0.containsNumber && completed.counts[$0] == nil }
        && counts.keys.contains {
          !$0.containsNumber && missingValues.counts[$0] == nil && paths(of: $0).contains(path)
        }
    }
    return lostValues.filter { value in path(of: value).map { lostCopies[$0] == nil } ?? true }
  }
}

extension FileValue {
  fileprivate var containsNumber: Bool {
    if case .leaf(let leaf) = self { leaf.containsNumber } else { false }
  }

  /// The value of a leaf without its keys; nil for any other value.
  fileprivate var leafValue: UInt64? {
    if case .leaf(let leaf) = self { leaf.valueHash } else { nil }
  }
}
