import BackupDiagnostics
import BackupFileTree

/// The changes to the file system that the app's steps have made, told apart.
struct ChangeLog: Sendable {
  /// The changes, in order.
  private(set) var points: [Scenario.KillPoint] = []
  /// How often each came, by its first time.
  private var counts: [Scenario.KillPoint: Int] = [:]

  /// Notes a change that comes.
  ///
  /// - Parameter piece: The change.
  /// - Returns: The change, with how often it has come, and how often one of its kind has.
  mutating func note(_ piece: FileOperation.Piece) -> [Scenario.KillPoint] {
    let names = [piece.path, nil].map { path in
      let first = Scenario.KillPoint(kind: piece.kind, path: path)
      counts[first, default: 0] += 1
      return Scenario.KillPoint(
        kind: piece.kind, path: path, occurrence: counts[first, default: 1])
    }
    points.append(names[0])
    return names
  }
}

/// A kill that a step comes to.
struct ComingKill: Sendable {
  /// The change before which it comes.
  let point: Scenario.KillPoint
  /// How many entries the transcript had before the operation that is cut short; nil before that.
  var entryCount: Int?
  /// The changes before it.
  private var log = ChangeLog()

  /// A kill before a change.
  init(before point: Scenario.KillPoint) {
    self.point = point
  }

  /// Notes a change that comes.
  ///
  /// - Parameter piece: The change.
  /// - Returns: Whether the app is killed before it.
  mutating func comes(before piece: FileOperation.Piece) -> Bool {
    log.note(piece).contains(point)
  }

  /// Why the step failed that had no such change.
  var neverCame: StepFailure {
    let came =
      log.points.isEmpty
      ? "no change at all" : log.points.prefix(20).map(\.description).joinedInWords
    return StepFailure(
      "the app was to be killed in this step before it \(point.inPast), which never came; these came: "
        + "\(came)", canBeExpected: false)
  }
}
