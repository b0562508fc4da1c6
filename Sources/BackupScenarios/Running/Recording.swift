import BackupContainer
package import BackupDevice
package import BackupFileTree

/// A change with the kind and the path by which a scenario names it.
///
/// The path is that of the item that the change creates or changes. A file with a temporary or random name has the
/// path that a later rename gives it. A copy of a file counts as one change, as a clone does: its later parts belong
/// to its first change.
struct NamedChange {
  let change: FileChange
  let kind: FileChange.Kind
  let path: ContainerPath
  private(set) var isPartOfCopy = false

  /// Returns successive changes with their names, without those that have no kind.
  static func naming(_ changes: [FileChange]) -> [NamedChange] {
    var named: [NamedChange] = []
    var renames: [(source: ContainerPath, target: ContainerPath)] = []
    for change in changes.reversed() {
      guard let kind = change.kind else { continue }
      let path = change.path.renamed(by: renames.reversed())
      named.append(NamedChange(change: change, kind: kind, path: path))
      if case .rename(let source, to: let target) = change { renames.append((source, target)) }
    }
    return joiningCopies(named.reversed())
  }

  /// Returns the changes, with the later writes of each new copy of a file as parts of the copy.
  private static func joiningCopies(_ changes: [NamedChange]) -> [NamedChange] {
    var changes = changes
    for index in changes.indices.dropFirst() {
      guard case .write(let path, _, at: let offset, isCopy: true, _) = changes[index].change else {
        continue
      }
      let before = changes[index - 1]
      let isFirst = before.change == .create(path) && offset == 0
      changes[index].isPartOfCopy = isFirst || before.isPartOfCopy && before.change.path == path
    }
    return changes
  }
}

/// The changes by the app's own code in its container during a step.
package struct Recording: Sendable {
  private let namedChanges: [NamedChange]
  /// The items that were changed in a way that the kit cannot see.
  private let unseenItems: [ContainerPath]
  /// The scanned container after the step.
  let after: FileTree
  /// The calls of the app's code that made the changes.
  var calls: [Transcript.Call] = []
  /// The bytes that the contents in the changes take in memory.
  package let byteCount: Int

  init(_ changes: [FileChange], after: FileTree) {
    namedChanges = NamedChange.naming(changes)
    unseenItems = changes.filter { $0.kind == nil }.map(\.path)
    self.after = after
    byteCount = changes.reduce(0) { $0 + $1.byteCount }
  }

  var changes: [FileChange] { namedChanges.map(\.change) }

  /// Returns the calls on items that were changed before one of the changes.
  func calls(before place: Int) -> [Transcript.Call] {
    let changed = Set(changes[..<place].map(\.path))
    return calls.filter { changed.contains($0.call.path) }
  }

  /// The crash points: the changes before which the app may be killed, each with its place among ``allPoints``.
  ///
  /// If an app writes to one file several times in a row, only the first write and the last are crash points. iOS
  /// writes preferences for the app. Of adjacent changes to them, only the first is a crash point, and only after
  /// another change.
  package var points: [(place: Int, point: Scenario.KillPoint)] {
    var log = ChangeLog()
    var points: [(place: Int, point: Scenario.KillPoint)] = []
    var number = -1
    for (place, change) in namedChanges.enumerated() {
      guard !change.isPartOfCopy else { continue }
      number += 1
      let names = log.append(change)
      let isSkippedPreference =
        change.path.isOfPreferences && (place == 0 || namedChanges[place - 1].path.isOfPreferences)
      guard !isWithinRun(place), !isSkippedPreference else { continue }
      points.append(
        (number, names[(change.path.ancestors + [change.path]).contains(where: \.isRandom) ? 1 : 0])
      )
    }
    return points
  }

  /// The writes that make a file longer, each with its place among ``allPoints``. One of them may fail because the
  /// storage is full.
  ///
  /// A part of a copy has the place of the copy. Of several such writes in a row to one file, only the first and the
  /// last count. Preferences are left out, because iOS writes them for the app.
  package var growths: [(place: Int, point: Scenario.KillPoint)] {
    var number = -1
    var found: [(place: Int, path: ContainerPath)] = []
    for change in namedChanges {
      number += change.isPartOfCopy ? 0 : 1
      if change.change.isGrowth { found.append((number, change.path)) }
    }
    var counts: [ContainerPath?: Int] = [:]
    var growths: [(place: Int, point: Scenario.KillPoint)] = []
    for (index, growth) in found.enumerated() {
      let path = growth.path.isRandom ? nil : growth.path
      for key in Set([path, nil]) { counts[key, default: 0] += 1 }
      let isWithinRun =
        index > 0 && index + 1 < found.count
        && [-1, 1].allSatisfy { found[index + $0].path == growth.path }
      guard !isWithinRun, !growth.path.isOfPreferences else { continue }
      let point = Scenario.KillPoint(
        .fullStorage, path: path, occurrence: counts[path, default: 1])
      growths.append((growth.place, point))
    }
    return growths
  }

  /// Returns the number of writes that make a file longer before such a write; nil if the step has no such write.
  func growthCount(before point: Scenario.KillPoint) -> Int? {
    let all = namedChanges.filter(\.change.isGrowth)
    let alike = all.indices.filter { point.path == nil || all[$0].path == point.path }
    return point.occurrence <= alike.count ? alike[point.occurrence - 1] : nil
  }

  /// All changes except for parts of a copy, with the paths that they had.
  package var allPoints: [Scenario.KillPoint] {
    namedChanges.filter { !$0.isPartOfCopy }
      .map { Scenario.KillPoint(kind: $0.kind, path: $0.change.path) }
  }

  /// Returns the index of the change before which the app is killed; nil if the step does not make it.
  func place(of point: Scenario.KillPoint) -> Int? {
    var log = ChangeLog()
    return namedChanges.firstIndex { change in
      !change.isPartOfCopy && log.append(change).contains(point)
    }
  }

  /// True if the kit has seen all changes, except for those by SQLite to the index of a log.
  package var isWhole: Bool { unseenItems.allSatisfy(isLogIndex) }

  /// Returns true for the index of a database's write-ahead log. Processes share it by mapping it, so the kit does
  /// not see its changes. The first process that opens a database rebuilds it, so its contents are not needed.
  private func isLogIndex(_ path: ContainerPath) -> Bool {
    guard path.name.hasSuffix("-shm"), let name = path.name.databaseName,
      case .file = after[ContainerPath(name, in: path.parent)]?.kind
    else { return false }
    return true
  }

  /// Returns true if a container has the same items as after the step, except for those that the system may purge.
  package func isDone(in tree: FileTree, on profile: SystemProfile) -> Bool {
    func lasting(_ tree: FileTree) -> FileTree {
      var lasting = tree
      for path in tree.paths(from: nil) where profile.mayPurge(path) {
        lasting.remove(path)
      }
      return lasting
    }
    return firstDifference(of: lasting(after), from: lasting(tree)) == nil
  }

  /// Returns the first item that is not as it was after the step; nil if all are.
  func firstDifference(from tree: FileTree) -> ContainerPath? {
    firstDifference(of: after, from: tree)
  }

  private func firstDifference(of after: FileTree, from tree: FileTree) -> ContainerPath? {
    if let path = after.firstDifference(from: tree) { return path }
    var difference: ContainerPath?
    after.walk { path, item in
      if difference == nil, case .file(let found) = item.kind,
        case .file(let other) = tree[path]?.kind, !found.mayHoldTheSame(as: other),
        !isLogIndex(path)
      {
        difference = path
      }
      return difference == nil
    }
    return difference
  }

  /// Returns true if the changes before and after a write are writes to the same file.
  private func isWithinRun(_ place: Int) -> Bool {
    let changes = namedChanges
    guard place > 0, place + 1 < changes.count, changes[place].kind == .write else { return false }
    return [place - 1, place + 1].allSatisfy {
      changes[$0].kind == .write && changes[$0].change.path == changes[place].change.path
    }
  }
}

extension ContainerPath {
  /// The directory of the app's user defaults.
  private static let preferences = ContainerPath(
    unchecked: Array(StandardLocation.preferences.rawValue.utf8))

  fileprivate var isOfPreferences: Bool { Self.preferences.isAncestor(of: self) }

  /// Returns an item's path after later renames, up to a rename of a final name to another directory.
  fileprivate func renamed(
    by renames: some Sequence<(source: ContainerPath, target: ContainerPath)>
  ) -> ContainerPath {
    var path = self
    for (source, target) in renames {
      guard let moved = path.moved(from: source, to: target) else { continue }
      guard source.parent == target.parent || source.isRandom else { break }
      path = moved
    }
    return path
  }

  /// True if the name has random parts, which differ in each run.
  fileprivate var isRandom: Bool { NameForm.withoutRandomParts(name.string) != name.string }
}
