package import BackupContainer
package import BackupFileTree

/// What code of the app's has changed in its container within a step.
package struct Recording: Sendable {
  /// The changes, in order.
  let changes: [RecordedChange]
  /// The container afterwards, by a look at the disk.
  let after: FileTree

  /// The changes before which the app may be killed, each by its place among all.
  ///
  /// Of a file that is written to in pieces, one after the other, those between the first and the last
  /// are left out; so is what Foundation writes of the app's preferences, which iOS does for the app.
  package var points: [(place: Int, point: Scenario.KillPoint)] {
    var log = ChangeLog()
    var points: [(place: Int, point: Scenario.KillPoint)] = []
    for (place, change) in changes.enumerated() {
      guard let kind = change.kind, let path = finalPath(of: place) else { continue }
      let names = log.note(kind, path)
      guard !isWithinRun(place), !path.isOfPreferences else { continue }
      points.append((place, names[path.isRandom ? 1 : 0]))
    }
    return points
  }

  /// All changes that anybody can follow, the runs of writes and the preferences too.
  package var allPoints: [Scenario.KillPoint] {
    changes.indices.compactMap { place in
      guard let kind = changes[place].kind, let path = changes[place].path else { return nil }
      return Scenario.KillPoint(kind: kind, path: path)
    }
  }

  /// The place of a change that a kill comes before; nil where it does not come.
  func place(of point: Scenario.KillPoint) -> Int? {
    var log = ChangeLog()
    return changes.indices.first { place in
      guard let kind = changes[place].kind, let path = finalPath(of: place) else { return false }
      return log.note(kind, path).contains(point)
    }
  }

  /// Whether all that happened is among the changes, but for what SQLite does to an index of its own.
  package var isWhole: Bool {
    !changes.contains { change in
      if case .unseen(let path) = change { path.map(isLogIndex) != true } else { false }
    }
  }

  /// Whether a file is the index of a database's write-ahead log, which processes share by mapping it:
  /// of what it holds nothing is needed, since whoever opens a database first makes it anew.
  private func isLogIndex(_ path: ContainerPath) -> Bool {
    guard path.name.hasSuffix("-shm"), let name = path.name.databaseName,
      case .file = after[ContainerPath(name, in: path.parent)]?.kind
    else { return false }
    return true
  }

  /// The first item that is not as it was after the step; nil where all are.
  ///
  /// - Parameter tree: The container, with what tells its files' contents from others.
  /// - Returns: Its path.
  func firstDifference(from tree: FileTree) -> ContainerPath? {
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

  /// The item that a change makes or changes; of a file under a temporary name beside it, or under a
  /// random one, the one that it was to be.
  private func finalPath(of place: Int) -> ContainerPath? {
    guard var path = changes[place].path else { return nil }
    for change in changes[(place + 1)...] {
      guard case .rename(let source, to: let target) = change,
        let moved = path.moved(from: source, to: target)
      else { continue }
      guard source.parent == target.parent || source.isRandom else { break }
      path = moved
    }
    return path
  }

  /// Whether the same file is written to before and after.
  private func isWithinRun(_ place: Int) -> Bool {
    guard place > 0, place + 1 < changes.count, changes[place].kind == .write else { return false }
    let path = changes[place].path
    return [place - 1, place + 1].allSatisfy {
      changes[$0].kind == .write && changes[$0].path == path
    }
  }
}

extension RecordedChange {
  /// What kind of change a scenario calls it; nil for one that nobody can follow.
  var kind: FileChangeKind? {
    switch self {
    case .create, .addPath, .link, .resize(_, to: 0): .create
    case .resize, .write: .write
    case .rename: .rename
    case .remove: .remove
    case .createDirectory: .createDirectory
    case .setMark(_, on: _, to: let isSet): isSet ? .mark : .unmark
    case .unseen: nil
    }
  }
}

extension ContainerPath {
  /// Where Foundation keeps the app's defaults.
  private static let preferences = ContainerPath(
    unchecked: Array(StandardLocation.preferences.rawValue.utf8))

  /// Whether it is among the app's defaults.
  fileprivate var isOfPreferences: Bool { Self.preferences.isAncestor(of: self) }

  /// Whether its name is another one the next time.
  fileprivate var isRandom: Bool { NameForm.withoutRandomParts(name.string) != name.string }
}
