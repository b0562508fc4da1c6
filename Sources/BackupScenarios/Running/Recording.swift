import BackupContainer
package import BackupDevice
package import BackupFileTree

/// A change, and what a scenario calls it.
///
/// The path is that of the item that it makes or changes; of a file under a temporary name beside it,
/// or under a random one, of the one that it was to be. A file that is copied comes whole, as a clone
/// does: a part of a copy belongs to the change before it.
struct NamedChange {
  let change: FileChange
  let kind: FileChange.Kind
  let path: ContainerPath
  private(set) var isPartOfCopy = false

  /// Names changes that come one after the other; those that cannot be followed are left out.
  static func naming(_ changes: [FileChange]) -> [NamedChange] {
    var named: [NamedChange] = []
    var renames: [(source: ContainerPath, target: ContainerPath)] = []
    for change in changes.reversed() {
      guard let kind = change.kind else { continue }
      let path = change.path.followed(through: renames.reversed())
      named.append(NamedChange(change: change, kind: kind, path: path))
      if case .rename(let source, to: let target) = change { renames.append((source, target)) }
    }
    return joiningCopies(named.reversed())
  }

  /// The changes, with those that copy a file to where it is made taken as one.
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

/// The changes that the app's own code has made in its container within a step.
package struct Recording: Sendable {
  private let named: [NamedChange]
  /// The items that were changed in a way that the kit cannot follow.
  private let unseen: [ContainerPath]
  /// The container afterwards, by a look at the disk.
  let after: FileTree
  /// The calls of the app's code that made the changes.
  var calls: [Transcript.Call] = []
  /// The bytes that the contents in the changes take in memory.
  package let byteCount: Int

  init(_ changes: [FileChange], after: FileTree) {
    named = NamedChange.naming(changes)
    unseen = changes.filter { $0.kind == nil }.map(\.path)
    self.after = after
    byteCount = changes.reduce(0) { $0 + $1.byteCount }
  }

  var changes: [FileChange] { named.map(\.change) }

  /// The calls that concern items which were changed before one of the changes.
  func calls(before place: Int) -> [Transcript.Call] {
    let changed = Set(changes[..<place].map(\.path))
    return calls.filter { changed.contains($0.call.path) }
  }

  /// The changes before which the app may be killed, each by its place among ``allPoints``.
  ///
  /// Of a file that is written to in pieces, one after the other, those between the first and the last
  /// are left out. iOS writes preferences for the app: of adjacent changes to them only the first is a
  /// crash point, and none if nothing comes before.
  package var points: [(place: Int, point: Scenario.KillPoint)] {
    var log = ChangeLog()
    var points: [(place: Int, point: Scenario.KillPoint)] = []
    var number = -1
    for (place, change) in named.enumerated() {
      guard !change.isPartOfCopy else { continue }
      number += 1
      let names = log.note(change)
      let isSkippedPreference =
        change.path.isOfPreferences && (place == 0 || named[place - 1].path.isOfPreferences)
      guard !isWithinRun(place), !isSkippedPreference else { continue }
      points.append(
        (number, names[(change.path.ancestors + [change.path]).contains(where: \.isRandom) ? 1 : 0])
      )
    }
    return points
  }

  /// The writes that make a file longer, each by its place among ``allPoints``, where a part of a copy has
  /// its copy's: one of them may fail because the storage is full.
  ///
  /// Of those in a row to one file, only the first and the last count; iOS writes preferences for the app.
  package var growths: [(place: Int, point: Scenario.KillPoint)] {
    var number = -1
    var found: [(place: Int, path: ContainerPath)] = []
    for change in named {
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

  /// How many writes make a file longer before one that does; nil if that is not written.
  func growthCount(before point: Scenario.KillPoint) -> Int? {
    let all = named.filter(\.change.isGrowth)
    let alike = all.indices.filter { point.path == nil || all[$0].path == point.path }
    return point.occurrence <= alike.count ? alike[point.occurrence - 1] : nil
  }

  /// All changes but for parts of a copy, the runs of writes and the preferences too, with the paths that they had.
  package var allPoints: [Scenario.KillPoint] {
    named.filter { !$0.isPartOfCopy }
      .map { Scenario.KillPoint(kind: $0.kind, path: $0.change.path) }
  }

  /// The place of a change that a kill comes before; nil where it does not come.
  func place(of point: Scenario.KillPoint) -> Int? {
    var log = ChangeLog()
    return named.firstIndex { change in
      !change.isPartOfCopy && log.note(change).contains(point)
    }
  }

  /// Whether all that happened is among the changes, but for what SQLite does to an index of its own.
  package var isWhole: Bool { unseen.allSatisfy(isLogIndex) }

  /// Whether a file is the index of a database's write-ahead log, which processes share by mapping
  /// it. Its contents are not needed, since the first process to open a database rebuilds it.
  private func isLogIndex(_ path: ContainerPath) -> Bool {
    guard path.name.hasSuffix("-shm"), let name = path.name.databaseName,
      case .file = after[ContainerPath(name, in: path.parent)]?.kind
    else { return false }
    return true
  }

  /// Whether a container has all that the step left, and nothing else, where the system does not purge.
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

  /// The first item that is not as it was after the step; nil where all are.
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

  /// Whether the same file is written to before and after.
  private func isWithinRun(_ place: Int) -> Bool {
    guard place > 0, place + 1 < named.count, named[place].kind == .write else { return false }
    return [place - 1, place + 1].allSatisfy {
      named[$0].kind == .write && named[$0].change.path == named[place].change.path
    }
  }
}

extension ContainerPath {
  /// Where Foundation keeps the app's defaults.
  private static let preferences = ContainerPath(
    unchecked: Array(StandardLocation.preferences.rawValue.utf8))

  fileprivate var isOfPreferences: Bool { Self.preferences.isAncestor(of: self) }

  /// Where an item is after renames that come, as far as they give it its own name.
  fileprivate func followed(
    through renames: some Sequence<(source: ContainerPath, target: ContainerPath)>
  ) -> ContainerPath {
    var path = self
    for (source, target) in renames {
      guard let moved = path.moved(from: source, to: target) else { continue }
      guard source.parent == target.parent || source.isRandom else { break }
      path = moved
    }
    return path
  }

  /// Whether its name is another one the next time.
  fileprivate var isRandom: Bool { NameForm.withoutRandomParts(name.string) != name.string }
}
