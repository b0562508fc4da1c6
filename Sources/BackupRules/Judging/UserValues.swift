import BackupCollections
import BackupDevice
import BackupFileTree
import BackupScenarios

/// A value that a file holds, as it is looked for in another container: at any path.
enum FileValue: Hashable {
  /// A leaf of JSON, a property list or a database.
  case leaf(ContentsValues.Leaf)
  /// All bytes of a file that is none of these.
  case bytes(ContentsVersion)
  /// That a file is there and not empty, by its name without what is random: its contents cannot be compared.
  case presence(String)
}

/// A place whose values belong together: a file, or the leaves under the same keys.
enum ValuePlace: Hashable {
  case leaf(UInt64)
  case file(String)
}

/// A reader of the values in files.
struct ValueReader: Hashable {
  /// The values that differ between two runs of the same, without what differs: only how often they are there is
  /// compared.
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
    // SQLite puts right what a kill leaves of a database, and writes it as it likes. The same data are other bytes
    // each time that they are encrypted.
    let isCompared =
      file.contents.isKnown && !varying.contains(.presence(name)) && !databases.contains(path, file)
      && file.details?.seals.isEmpty != false
    visit(isCompared ? .bytes(ContentsVersion(file)) : .presence(name), .file(name))
  }

  /// Notes what differs between two runs of the same.
  mutating func compare(_ one: FileTree, _ other: FileTree, _ facts: ValueFacts) {
    let paths = one.filesNotShared(with: other)
    let (one, other) = (
      UserValues(one, at: paths, facts, self), UserValues(other, at: paths, facts, self)
    )
    for values in [one.subtracting(other), other.subtracting(one)] {
      for value in values.counts.keys { varying.insert(values.form(of: value)) }
    }
  }
}

/// The facts by which the user's files differ from others, and those that last from those that iOS takes.
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

  /// Whether a file lasts, and is none that a library or an unfinished save keeps beside another.
  func lasts(_ path: ContainerPath) -> Bool {
    !profile.mayPurge(path) && !databases.isBeside(path) && !remnants.contains(path)
      && !SystemProfile.RemnantPattern.atomicSave.matches(path)
  }
}

/// Values, each as often as it is in one file, or in all together, with a file that has it.
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
    /// The contents, and their value as a leaf.
    let version: ContentsVersion
    let asText: UInt64?
  }

  var isEmpty: Bool { counts.isEmpty }

  /// No values.
  init() {}

  /// The values of the user's files in a container that last there, of those at `paths`.
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

  /// Adds the values of a file. Another copy of them in it counts; a copy of the file is no more than the file.
  mutating func add(
    _ file: FileTree.FileInformation, at path: ContainerPath, _ facts: ValueFacts,
    _ reader: ValueReader
  ) {
    var countsInFile: [FileValue: Int] = [:]
    add(file, at: path, facts, reader, to: &countsInFile)
    counts.merge(countsInFile) { max($0, $1) }
  }

  /// Adds the values of a file to those of others, so that each counts as often as it is in all of them.
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
          asText: file.details?.valueAsText)
        return
      }
      if origin.path != path { otherPaths[value, default: []].insert(path) }
    }
  }

  /// The values of the leaves, under whatever keys.
  var leafValues: Set<UInt64> { Set(counts.keys.compactMap(\.leafValue)) }

  /// The files that have the values, one for each.
  var paths: Set<ContainerPath> { Set(counts.keys.compactMap(path(of:))) }

  /// A file that has a value.
  func path(of value: FileValue) -> ContainerPath? { origins[value]?.path }

  private func paths(of value: FileValue) -> Set<ContainerPath> {
    var paths = otherPaths[value] ?? []
    if let path = origins[value]?.path { paths.insert(path) }
    return paths
  }

  func place(of value: FileValue) -> ValuePlace? { origins[value]?.place }

  /// A value without what may differ each time.
  fileprivate func form(of value: FileValue) -> FileValue {
    switch (value, place(of: value)) {
    case (.leaf(let leaf), _): .leaf(leaf.withoutValue)
    case (.bytes, .file(let name)?): .presence(name)
    default: value
    }
  }

  /// The values as far as others have them as well.
  func intersection(_ other: UserValues) -> UserValues {
    var common = self
    common.counts = [:]
    for (value, count) in counts {
      if let there = other.counts[value] { common.counts[value] = min(count, there) }
    }
    return common
  }

  /// The values that others do not have, or not as often.
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

  /// The values that no file in a container has which lasts there. A leaf may be under other keys: in another file,
  /// or in the same one if its value is there as often as in `former`.
  func missing(
    in held: HeldValues, orUnderOtherKeysThanIn former: FileTree? = nil
  ) -> UserValues {
    var rest = self
    rest.counts = counts.filter { value, count in
      guard let origin = origins[value] else { return false }
      let isAdded = origin.pieces.count > 1 && origin.pieces.allSatisfy(held.contains)
      let isWhole =
        origin.version.sum.isKnown && held.contains(origin.version)
        || origin.asText.map { held.leafAmounts[$0] != nil } == true
      return !isAdded && !isWhole && !held.contains(value, count: count)
        && !held.contains(value, ofFileAt: origin.path, underOtherKeysThanIn: former)
    }
    return rest
  }
}

/// The values in a container that last, of files of any class.
struct HeldValues {
  private var values = UserValues()
  private let tree: FileTree
  /// The number of leaves with a value, under any keys.
  fileprivate private(set) var leafAmounts: [UInt64: Int] = [:]
  /// The contents of files before additions, and the additions.
  private var parts: Set<ContentsVersion> = []
  private var versions: Set<ContentsVersion> = []
  /// The files that are not empty, or that a library makes whole again.
  private var files: [ContainerPath] = []

  /// Takes the values of a container. Only those of the files at `paths` count, if the others are the same where
  /// values are looked for. `isRepaired` says whether a library makes a file whole again that is there, even if
  /// nothing is in it.
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
      if let leaf = value.leafValue { leafAmounts[leaf, default: 0] += count }
    }
  }

  /// True if a file has the contents, or if they were added to one.
  fileprivate func contains(_ version: ContentsVersion) -> Bool {
    parts.contains(version) || versions.contains(version)
  }

  fileprivate func contains(
    _ value: FileValue, ofFileAt path: ContainerPath, underOtherKeysThanIn former: FileTree?
  ) -> Bool {
    guard let former, let leaf = value.leafValue, let amount = leafAmounts[leaf] else {
      return false
    }
    let amountHere = tree.amount(of: leaf, at: path)
    return amount > amountHere || amountHere >= former.amount(of: leaf, at: path)
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
  /// The number of leaves with a value in a file.
  fileprivate func amount(of leaf: UInt64, at path: ContainerPath) -> Int {
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
  /// The leaf as it counts where its value varies.
  fileprivate var withoutValue: Self { Self(place: place, value: 0, form: form) }
}

extension UserValues {
  /// The values, by the file that has them.
  var byPath: [ContainerPath: UserValues] {
    Dictionary(
      grouping: counts.keys.compactMap { value in path(of: value).map { (value, $0) } }, by: \.1
    )
    .mapValues { found in
      let values = Set(found.map(\.0))
      return filter(values.contains)
    }
  }

  /// The values with the files that have them in an earlier container, as far as they are there.
  func named(by earlier: UserValues) -> UserValues {
    var named = self
    for value in counts.keys {
      if let origin = earlier.origins[value] { named.origins[value] = origin }
    }
    return named
  }

  /// The values that a container lacks if an activity was done again, of those that it leaves once; others are
  /// what it leaves twice, which is right too, place by place.
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

  /// The values that a container lacks if an activity was interrupted, of those that are there without it.
  /// `held` is what the container has, and `whole` what the activity leaves.
  func lost(in held: HeldValues, whole: UserValues) -> UserValues {
    let missing = missing(in: held)
    guard !missing.isEmpty else { return missing }
    let lostOfKept = intersection(whole).missing(in: held)
    let written = whole.subtracting(self)
    // A file that has what it was to have by then is done, whatever of the activity was to come.
    let undone = written.missing(in: held)
    let undonePaths = undone.counts.keys.reduce(into: Set<ContainerPath>()) { paths, value in
      paths.formUnion(whole.paths(of: value).subtracting(self.paths(of: value)))
    }
    let leaves = undone.leafValues
    let lost = missing.filter { value in
      if lostOfKept.counts[value] != nil { return true }
      guard !undone.isEmpty, whole.counts[value] == nil else { return false }
      // Deleting one thing and saving another is no conversion: the file or the value must be in what is written.
      let isWrittenOver = path(of: value).map(undonePaths.contains) ?? false
      return isWrittenOver || value.leafValue.map(leaves.contains) == true
    }
    // A file whose texts are elsewhere was a copy, even if it had another number or date.
    let copies = lost.byPath.filter { path, lost in
      lost.counts.keys.allSatisfy { $0.isNumeric && whole.counts[$0] == nil }
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

  /// The value of a leaf, under whatever keys.
  fileprivate var leafValue: UInt64? {
    if case .leaf(let leaf) = self { leaf.value } else { nil }
  }
}
