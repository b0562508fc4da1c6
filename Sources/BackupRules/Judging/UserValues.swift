import BackupCollections
import BackupDevice
import BackupFileTree
import BackupScenarios

/// A value of a file, without the file's path, so that it can be found in another file.
enum FileValue: Hashable {
  /// A leaf of JSON, a property list or a database.
  case leaf(ContentsValues.Leaf)
  /// All bytes of any other file.
  case bytes(ContentsVersion)
  /// A file that is not empty, but whose contents cannot be compared; with its path without random parts.
  case presence(String)
}

/// A place whose values belong together: a file, or the leaves under the same keys.
enum ValuePlace: Hashable {
  case leaf(UInt64)
  case file(String)
}

/// A reader of the values in files.
struct ValueReader: Hashable {
  /// The values that differ between two equal runs, without the parts that differ. Only their number is compared.
  private(set) var varying: Set<FileValue> = []

  /// Calls `visit` with each value of a file.
  func forEachValue(
    of file: FileTree.FileInformation, at path: ContainerPath, _ databases: Databases,
    _ visit: (FileValue, ValuePlace) -> Void
  ) {
    guard file.size > 0 else { return }
    if let values = file.details?.values, values.areRows || !databases.contains(path, file) {
      for leaf in values.leaves {
        let form = FileValue.leaf(leaf.withoutValue)
        visit(varying.contains(form) ? form : .leaf(leaf), .leaf(leaf.place))
      }
      return
    }
    let name = NameForm.withoutRandomParts("\(path)")
    // SQLite repairs a database after a kill, and may write the same rows as other bytes. Encryption gives the same
    // data other bytes each time.
    let isCompared =
      file.contents.isKnown && !varying.contains(.presence(name)) && !databases.contains(path, file)
      && file.details?.seals.isEmpty != false
    visit(isCompared ? .bytes(ContentsVersion(file)) : .presence(name), .file(name))
  }

  /// Adds the values that differ between two equal runs to `varying`.
  mutating func addVarying(in one: FileTree, _ other: FileTree, _ facts: ValueFacts) {
    let paths = one.filesNotShared(with: other)
    let (one, other) = (
      UserValues(one, at: paths, facts, self), UserValues(other, at: paths, facts, self)
    )
    for values in [one.subtracting(other), other.subtracting(one)] {
      for value in values.counts.keys { varying.insert(values.form(of: value)) }
    }
  }
}

/// The facts by which the kit recognizes the user's files, and files that last.
struct ValueFacts {
  let classes: PromisedClasses
  let databases: Databases
  let remnants: Set<ContainerPath>
  let profile: SystemProfile

  init(_ event: ObservedEvent) {
    classes = event.classes
    databases = event.facts.databases
    remnants = event.facts.remnants
    profile = event.profile
  }

  /// Returns true if no purge takes the file, and no library or unfinished save keeps it beside another file.
  func lasts(_ path: ContainerPath) -> Bool {
    !profile.mayPurge(path) && !databases.isBeside(path) && !remnants.contains(path)
      && !SystemProfile.RemnantPattern.atomicSave.matches(path)
  }
}

/// A set of values. Each has its number in one file or in all files together, and a file that contains it.
struct UserValues: Hashable {
  private(set) var counts: [FileValue: Int] = [:]
  private var origins: [FileValue: Origin] = [:]
  /// The other files that have a value.
  private var otherPaths: [FileValue: Set<ContainerPath>] = [:]

  private struct Origin: Hashable {
    let path: ContainerPath
    let place: ValuePlace
    /// The first contents of the file, and each addition.
    let pieces: [ContentsVersion]
    let version: ContentsVersion
    /// The whole contents as the value of a leaf.
    let leafOfContents: UInt64?
  }

  var isEmpty: Bool { counts.isEmpty }

  init() {}

  /// Creates the values of those files at `paths` that are the user's and that last.
  init(
    _ tree: FileTree, at paths: some Sequence<ContainerPath>, _ facts: ValueFacts,
    _ reader: ValueReader
  ) {
    for path in paths {
      guard let file = tree.file(at: path), facts.classes.promisedClass(of: path) == .critical,
        facts.lasts(path)
      else { continue }
      add(file, at: path, facts, reader)
    }
  }

  /// Adds the values of a file. A second copy of a value in the file counts, but not one in a copy of the file.
  mutating func add(
    _ file: FileTree.FileInformation, at path: ContainerPath, _ facts: ValueFacts,
    _ reader: ValueReader
  ) {
    var countsInFile: [FileValue: Int] = [:]
    add(file, at: path, facts, reader, to: &countsInFile)
    counts.merge(countsInFile) { max($0, $1) }
  }

  /// Adds the values of a file, and adds their numbers to those in other files.
  fileprivate mutating func addToSum(
    _ file: FileTree.FileInformation, at path: ContainerPath, _ facts: ValueFacts,
    _ reader: ValueReader
  ) {
    var counts = counts
    self.counts = [:]
    add(file, at: path, facts, reader, to: &counts)
    self.counts = counts
  }

  private mutating func add(
    _ file: FileTree.FileInformation, at path: ContainerPath, _ facts: ValueFacts,
    _ reader: ValueReader, to counts: inout [FileValue: Int]
  ) {
    reader.forEachValue(of: file, at: path, facts.databases) { value, place in
      counts[value, default: 0] += 1
      guard let origin = origins[value] else {
        origins[value] = Origin(
          path: path, place: place, pieces: file.pieces, version: ContentsVersion(file),
          leafOfContents: file.details?.valueAsText)
        return
      }
      if origin.path != path { otherPaths[value, default: []].insert(path) }
    }
  }

  /// The values of the leaves, without their keys.
  var leafValues: Set<UInt64> { Set(counts.keys.compactMap(\.leafValue)) }

  /// A file for each value.
  var paths: Set<ContainerPath> { Set(counts.keys.compactMap(path(of:))) }

  /// Returns a file that contains the value.
  func path(of value: FileValue) -> ContainerPath? { origins[value]?.path }

  private func paths(of value: FileValue) -> Set<ContainerPath> {
    var paths = otherPaths[value] ?? []
    if let path = origins[value]?.path { paths.insert(path) }
    return paths
  }

  func place(of value: FileValue) -> ValuePlace? { origins[value]?.place }

  /// Returns a value without the parts that may vary.
  fileprivate func form(of value: FileValue) -> FileValue {
    switch (value, place(of: value)) {
    case (.leaf(let leaf), _): .leaf(leaf.withoutValue)
    case (.bytes, .file(let name)?): .presence(name)
    default: value
    }
  }

  /// Returns the values that are in both sets, each with the lower number.
  func intersection(_ other: UserValues) -> UserValues {
    var common = self
    common.counts = [:]
    for (value, count) in counts {
      if let there = other.counts[value] { common.counts[value] = min(count, there) }
    }
    return common
  }

  /// Returns the values of which the other set has none, or fewer.
  func subtracting(_ other: UserValues) -> UserValues {
    var rest = self
    rest.counts = [:]
    for (value, count) in counts {
      let missing = count - (other.counts[value] ?? 0)
      if missing > 0 { rest.counts[value] = missing }
    }
    return rest
  }

  func filter(_ isWanted: (FileValue) -> Bool) -> UserValues {
    var rest = self
    rest.counts = counts.filter { isWanted($0.key) }
    return rest
  }

  /// Returns the values that no lasting file in a container contains. A leaf may be under other keys: in another
  /// file, or in the same file if it contains the leaf's value as often as in `former`.
  func missing(
    in held: HeldValues, orUnderOtherKeysThanIn former: FileTree? = nil
  ) -> UserValues {
    var rest = self
    rest.counts = counts.filter { value, count in
      guard let origin = origins[value] else { return false }
      let hasAllPieces = origin.pieces.count > 1 && origin.pieces.allSatisfy(held.contains)
      let hasWholeFile =
        origin.version.sum.isKnown && held.contains(origin.version)
        || origin.leafOfContents.map { held.leafCounts[$0] != nil } == true
      return !hasAllPieces && !hasWholeFile && !held.contains(value, count: count)
        && !held.contains(value, ofFileAt: origin.path, underOtherKeysThanIn: former)
    }
    return rest
  }
}

/// The values of all lasting files in a container, of any class.
struct HeldValues {
  private var values = UserValues()
  private let tree: FileTree
  /// The number of leaves with a value, under any keys.
  fileprivate private(set) var leafCounts: [UInt64: Int] = [:]
  /// The contents of files before additions, and the additions.
  private var parts: Set<ContentsVersion> = []
  private var versions: Set<ContentsVersion> = []
  /// The files that are not empty, or that a library repairs.
  private var files: [ContainerPath] = []

  /// Reads the values of a container. Only the files at `paths` have to be read if the other files are the same in
  /// both containers. `isRepaired` returns true if a library repairs the file, even if it is empty.
  init(
    _ tree: FileTree, at paths: Set<ContainerPath>? = nil, _ facts: ValueFacts,
    _ reader: ValueReader, isRepaired: (ContainerPath) -> Bool = { _ in false }
  ) {
    self.tree = tree
    tree.forEachItem { path, item in
      guard case .file(let file) = item.kind, facts.lasts(path) else { return }
      if paths?.contains(path) != false { values.addToSum(file, at: path, facts, reader) }
      if let parts = file.details?.parts { self.parts.formUnion(parts) }
      if file.contents.isKnown { versions.insert(ContentsVersion(file)) }
      if file.size > 0 || isRepaired(path) {
        files.append(path)
      }
    }
    for (value, count) in values.counts {
      if let leaf = value.leafValue { leafCounts[leaf, default: 0] += count }
    }
  }

  /// Returns true if a file has the contents, or if the contents were added to a file.
  fileprivate func contains(_ version: ContentsVersion) -> Bool {
    parts.contains(version) || versions.contains(version)
  }

  fileprivate func contains(
    _ value: FileValue, ofFileAt path: ContainerPath, underOtherKeysThanIn former: FileTree?
  ) -> Bool {
    guard let former, let leaf = value.leafValue, let count = leafCounts[leaf] else {
      return false
    }
    let countInFile = tree.leafCount(of: leaf, at: path)
    return count > countInFile || countInFile >= former.leafCount(of: leaf, at: path)
  }

  fileprivate func contains(_ value: FileValue, count: Int) -> Bool {
    switch value {
    case .leaf: values.counts[value] ?? 0 >= count
    case .bytes(let version): contains(version)
    case .presence(let name):
      files.contains { NameForm.withoutRandomParts("\($0)") == name }
    }
  }
}

extension FileTree {
  /// Returns the number of leaves with a value in a file.
  fileprivate func leafCount(of leaf: UInt64, at path: ContainerPath) -> Int {
    file(at: path)?.details?.values?.leaves.count { $0.value == leaf } ?? 0
  }
}

extension FileTree.FileInformation {
  /// The first contents of the file, and each addition; empty without an addition.
  fileprivate var pieces: [ContentsVersion] {
    guard let parts = details?.parts, !parts.isEmpty else { return [] }
    return parts.enumerated().compactMap { index, part in
      index == 0 || index % 2 == 1 ? part : nil
    }
  }
}

extension ContentsValues.Leaf {
  /// The leaf without its value, which varies.
  fileprivate var withoutValue: Self { Self(place: place, value: 0, form: form) }
}

extension UserValues {
  /// The values by the files that contain them.
  var byPath: [ContainerPath: UserValues] {
    Dictionary(
      grouping: counts.keys.compactMap { value in path(of: value).map { (value, $0) } }, by: \.1
    )
    .mapValues { found in
      let values = Set(found.map(\.0))
      return filter(values.contains)
    }
  }

  /// Returns the values. If an earlier container has a value too, its file is the one in the earlier container.
  func withFiles(of earlier: UserValues) -> UserValues {
    var values = self
    for value in counts.keys {
      if let origin = earlier.origins[value] { values.origins[value] = origin }
    }
    return values
  }

  /// Returns the values that a container lacks after a repeated activity, of those that the activity leaves if it is
  /// done once. In each place, the values of one of `others` are right too, which it leaves if it is done twice.
  func missing(in held: HeldValues, orElse others: [UserValues]) -> UserValues {
    let missing = missing(in: held)
    guard !missing.isEmpty else { return missing }
    return missing.filter { value in
      guard let place = place(of: value) else { return true }
      return !others.contains { other in
        let alike = other.filter { other.place(of: $0) == place }
        return !alike.isEmpty && alike.missing(in: held).isEmpty
      }
    }
  }

  /// Returns the values that a container lacks because an activity was interrupted. These values are there without
  /// the activity. The container has the values `held`, and the whole activity leaves `completed`.
  func lost(in held: HeldValues, completed: UserValues) -> UserValues {
    let missing = missing(in: held)
    guard !missing.isEmpty else { return missing }
    let missingOfKept = intersection(completed).missing(in: held)
    let written = completed.subtracting(self)
    // A file with all its values is finished, even if the activity has other files still to write.
    let unwritten = written.missing(in: held)
    let unwrittenPaths = unwritten.counts.keys.reduce(into: Set<ContainerPath>()) { paths, value in
      paths.formUnion(completed.paths(of: value).subtracting(self.paths(of: value)))
    }
    let leaves = unwritten.leafValues
    let lost = missing.filter { value in
      if missingOfKept.counts[value] != nil { return true }
      guard !unwritten.isEmpty, completed.counts[value] == nil else { return false }
      // An activity may delete one thing and save another. It replaces only a value that it writes again, or whose
      // file it writes.
      let isReplaced = path(of: value).map(unwrittenPaths.contains) ?? false
      return isReplaced || value.leafValue.map(leaves.contains) == true
    }
    // If all texts of a file are in other files too, it was a copy, even if it had another number or date.
    let copies = lost.byPath.filter { path, lost in
      lost.counts.keys.allSatisfy { $0.isNumeric && completed.counts[$0] == nil }
        && counts.keys.contains {
          !$0.isNumeric && missing.counts[$0] == nil && paths(of: $0).contains(path)
        }
    }
    return lost.filter { value in path(of: value).map { copies[$0] == nil } ?? true }
  }
}

extension FileValue {
  fileprivate var isNumeric: Bool {
    if case .leaf(let leaf) = self { leaf.isNumeric } else { false }
  }

  /// The value of a leaf, without its keys.
  fileprivate var leafValue: UInt64? {
    if case .leaf(let leaf) = self { leaf.value } else { nil }
  }
}
