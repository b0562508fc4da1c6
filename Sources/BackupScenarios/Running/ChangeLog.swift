import BackupDiagnostics
import BackupFileTree

/// The changes to the file system that the app's steps have made, each distinguished from the rest.
struct ChangeLog: Sendable {
  private(set) var points: [Scenario.KillPoint] = []
  /// How often each came, by its first time.
  private var counts: [Scenario.KillPoint: Int] = [:]

  /// Notes a change that comes, with how often it has come, and how often one of its kind has.
  mutating func note(_ kind: FileChangeKind, _ path: ContainerPath) -> [Scenario.KillPoint] {
    let names = [path, nil].map { path in
      let first = Scenario.KillPoint(kind: kind, path: path)
      counts[first, default: 0] += 1
      return Scenario.KillPoint(kind: kind, path: path, occurrence: counts[first, default: 1])
    }
    points.append(names[0])
    return names
  }
}

extension StepFailure {
  /// Why a step failed in which the app was to be killed before a change that it did not make; no
  /// `throws` asks for it.
  static func neverCame(
    _ point: Scenario.KillPoint, _ points: [Scenario.KillPoint]
  ) -> StepFailure {
    let came =
      points.isEmpty
      ? "no change" : points.prefix(20).map(\.description).joinedInWords
    return StepFailure(
      "the app was to be killed in this step before it \(point.inPast), but the step made no such "
        + "change; it made: \(came)", canBeExpected: false)
  }
}
