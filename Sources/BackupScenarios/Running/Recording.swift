import BackupContainer
package import BackupDevice
package import BackupFileTree

/// A change to the file system, with the kind and the path that a scenario file uses for it in
/// `killed`.
///
/// A copy of a file counts as one change, like a clone. That change is the creation of the
/// file, and the writes that follow are parts of this change.
struct NamedChange {
  let change: FileChange
  let kind: FileChange.Kind
  /// The path of the created or changed item. A file with a temporary or random name has the path
  /// to which the app renames it later.
  let path: ContainerPath
  /// True for a write that fills a copied file. Such a write is no crash point.
  private(set) var isPartOfCopy = false

  /// Returns successive changes with their kinds and paths. Leaves out changes that the kit cannot
  /// follow.
  static func naming(_ changes: [FileChange]) -> [NamedChange] {
    var namedChanges: [NamedChange] = []
    var renames: [(source: ContainerPath, target: ContainerPath)] = []
    for change in changes.reversed() {
      guard let kind = change.kind else { continue }
      let path = change.path.renamed(by: renames.reversed())
      namedChanges.append(NamedChange(change: change, kind: kind, path: path))
      if case .rename(let source, to: let target) = change { renames.append((source, target)) }
    }
    return markingPartsOfCopies(namedChanges.reversed())
  }

  /// Sets `isPartOfCopy` for the writes of each copy of a file.
  private static func markingPartsOfCopies(_ changes: [NamedChange]) -> [NamedChange] {
    var changes = changes
    for index in changes.indices.dropFirst() {
      guard case .write(let path, _, at: let offset, isCopy: true, _) = changes[index].change else {
        continue
      }
      let previousChange = changes[index - 1]
      let isFirstWrite = previousChange.change == .create(path) && offset == 0
      changes[index].isPartOfCopy =
        isFirstWrite || previousChange.isPartOfCopy && previousChange.change.path == path
    }
    return changes
  }
}

/// The changes that the app's own code made in its container during a step.
package struct Recording: Sendable {
  private let namedChanges: [NamedChange]
  /// The items with changes that the kit cannot follow, for example through mapped memory.
  private let unseenItems: [ContainerPath]
  /// The container after the step, as the kit scanned it.
  let treeAfter: FileTree
  /// The calls of the app's code that made the changes.
  var calls: [Transcript.Call] = []
  /// The size in memory of the contents in the changes, in bytes.
  package let byteCount: Int

  init(_ changes: [FileChange], treeAfter: FileTree) {
    namedChanges = NamedChange.naming(changes)
    unseenItems = changes.filter { $0.kind == nil }.map(\.path)
    self.treeAfter = treeAfter
    byteCount = changes.reduce(0) { $0 + $1.memorySize }
  }

  var changes: [FileChange] { namedChanges.map(\.change) }

  /// Returns the calls on all items that the app changed before the change at `index`, also the
  /// later calls on these items.
  func calls(before index: Int) -> [Transcript.Call] {
    let changedPaths = Set(changes[..<index].map(\.path))
    return calls.filter { changedPaths.contains($0.changeCall.path) }
  }

  /// The crash points of the step, each with its index in ``allPoints`` as `pointIndex`. Each
  /// is a change just before which exploration kills the app.
  ///
  /// If an app writes to one file several times in a row, only the first write and the last are
  /// crash points.
  ///
  /// Preferences have fewer crash points, because iOS writes them for the app. Of adjacent changes
  /// to preferences, only the first is a crash point, and only if another change comes before it.
  package var crashPoints: [(pointIndex: Int, point: Scenario.InterruptionPoint)] {
    var log = ChangeLog()
    var points: [(pointIndex: Int, point: Scenario.InterruptionPoint)] = []
    var pointIndex = -1
    for (index, change) in namedChanges.enumerated() {
      guard !change.isPartOfCopy else { continue }
      pointIndex += 1
      let alternatives = log.append(change)
      let isSkippedPreference =
        change.path.isOfPreferences && (index == 0 || namedChanges[index - 1].path.isOfPreferences)
      guard !isBetweenWritesToSameFile(at: index), !isSkippedPreference else { continue }
      // Only a point for any item can occur again if the app makes up another name in each run.
      let hasRandomName = (change.path.ancestors + [change.path]).contains(where: \.isRandom)
      points.append((pointIndex, alternatives[hasRandomName ? 1 : 0]))
    }
    return points
  }

  /// The writes that make a file longer, each with its index in ``allPoints`` as `pointIndex`. On
  /// full storage, such a write fails.
  ///
  /// A part of a copy has the index of the copy. If several writes in a row make the same file
  /// longer, only the first and the last are in the result. Preferences are left out, because iOS
  /// writes them for the app.
  package var growths: [(pointIndex: Int, point: Scenario.InterruptionPoint)] {
    var pointIndex = -1
    var allGrowths: [(pointIndex: Int, path: ContainerPath)] = []
    for change in namedChanges {
      pointIndex += change.isPartOfCopy ? 0 : 1
      if change.change.isGrowth { allGrowths.append((pointIndex, change.path)) }
    }
    var occurrenceCounts: [ContainerPath?: Int] = [:]
    var growths: [(pointIndex: Int, point: Scenario.InterruptionPoint)] = []
    for (index, growth) in allGrowths.enumerated() {
      let path = growth.path.isRandom ? nil : growth.path
      for key in Set([path, nil]) { occurrenceCounts[key, default: 0] += 1 }
      let isBetweenWritesToSameFile =
        index > 0 && index + 1 < allGrowths.count
        && [-1, 1].allSatisfy { allGrowths[index + $0].path == growth.path }
      guard !isBetweenWritesToSameFile, !growth.path.isOfPreferences else { continue }
      let point = Scenario.InterruptionPoint(
        .fullStorage, path: path, occurrence: occurrenceCounts[path, default: 1])
      growths.append((growth.pointIndex, point))
    }
    return growths
  }

  /// Returns the number of writes that make a file longer and come before the write of `point`; nil
  /// if the step does not make this write.
  func growthCount(before point: Scenario.InterruptionPoint) -> Int? {
    let writes = namedChanges.filter(\.change.isGrowth)
    let matchingIndexes = writes.indices.filter {
      point.path == nil || writes[$0].path == point.path
    }
    return point.occurrence <= matchingIndexes.count ? matchingIndexes[point.occurrence - 1] : nil
  }

  /// All changes except parts of a copy. The paths are those at the time of the change, but the
  /// paths in ``crashPoints`` follow later renames.
  package var allPoints: [Scenario.InterruptionPoint] {
    namedChanges.filter { !$0.isPartOfCopy }
      .map { Scenario.InterruptionPoint(kind: $0.kind, path: $0.change.path) }
  }

  /// Returns the index in ``changes`` of the change before which the app is killed; nil if the step
  /// does not make this change.
  func pointIndex(of point: Scenario.InterruptionPoint) -> Int? {
    var log = ChangeLog()
    return namedChanges.firstIndex { change in
      !change.isPartOfCopy && log.append(change).contains(point)
    }
  }

  /// True if the kit can follow all changes. The changes of SQLite to a `-shm` file do not count.
  package var isComplete: Bool { unseenItems.allSatisfy(isLogIndex) }

  /// Returns true for a database's `-shm` file, the index of its write-ahead log.
  ///
  /// Processes map this file into their memory, so the kit does not see the changes. The contents
  /// of the file are not needed, because the first process that opens the database creates the
  /// file again.
  private func isLogIndex(_ path: ContainerPath) -> Bool {
    guard path.name.hasSuffix("-shm"), let name = path.name.databaseName,
      case .file = treeAfter[ContainerPath(name, in: path.parent)]?.kind
    else { return false }
    return true
  }

  /// Returns true if `tree` has the same items as the container after the step. Items that iOS may
  /// purge do not count.
  package func hasTakenEffect(in tree: FileTree, on profile: SystemProfile) -> Bool {
    func removingPurgeableItems(_ tree: FileTree) -> FileTree {
      var remainingTree = tree
      for path in tree.paths(from: nil) where profile.mayPurge(path) {
        remainingTree.remove(path)
      }
      return remainingTree
    }
    return firstDifference(
      of: removingPurgeableItems(treeAfter), from: removingPurgeableItems(tree))
      == nil
  }

  /// Returns the first item that differs between `tree` and the container after the step; nil if
  /// none differs.
  func firstDifference(from tree: FileTree) -> ContainerPath? {
    firstDifference(of: treeAfter, from: tree)
  }

  private func firstDifference(of recordedTree: FileTree, from tree: FileTree) -> ContainerPath? {
    if let path = recordedTree.firstDifference(from: tree) { return path }
    var differingPath: ContainerPath?
    recordedTree.walk { path, item in
      if differingPath == nil, case .file(let file) = item.kind,
        case .file(let otherFile) = tree[path]?.kind, !file.mayHaveSameContents(as: otherFile),
        !isLogIndex(path)
      {
        differingPath = path
      }
      return differingPath == nil
    }
    return differingPath
  }

  /// Returns true if a change is a write, and both the change before and the change after it write
  /// to the same file.
  private func isBetweenWritesToSameFile(at index: Int) -> Bool {
    let changes = namedChanges
    guard index > 0, index + 1 < changes.count, changes[index].kind == .write else { return false }
    return [index - 1, index + 1].allSatisfy {
      changes[$0].kind == .write && changes[$0].change.path == changes[index].change.path
    }
  }
}

extension ContainerPath {
  /// The directory of the app's user defaults.
  private static let preferencesDirectory = ContainerPath(
    unchecked: Array(StandardLocation.preferences.rawValue.utf8))

  fileprivate var isOfPreferences: Bool { Self.preferencesDirectory.isAncestor(of: self) }

  /// Returns an item's path after later renames.
  ///
  /// Stops before a rename that moves an item to another directory, unless the item's former name
  /// is random.
  fileprivate func renamed(
    by renames: some Sequence<(source: ContainerPath, target: ContainerPath)>
  ) -> ContainerPath {
    var path = self
    for (source, target) in renames {
      guard let movedPath = path.moved(from: source, to: target) else { continue }
      guard source.parent == target.parent || source.isRandom else { break }
      path = movedPath
    }
    return path
  }

  /// True if the name has random parts, which differ in each run.
  fileprivate var isRandom: Bool { NameForm.replacingRandomParts(name.string) != name.string }
}
