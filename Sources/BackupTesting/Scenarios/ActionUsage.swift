import BackupContainer
import BackupDiagnostics
import BackupScenarios
import BackupVerdicts
import Testing

/// Warns once of bindings that no scenario of a folder uses.
enum ActionUsage {
  /// What was looked into so far.
  private static let seen = Locked<Set<String>>([])

  /// Records a warning for each binding that no scenario beside this one uses, at the test.
  static func warnOfUnused(_ actions: AppActions, in scenario: Scenario) {
    let folder = scenario.folder
    let names = actions.names.filter { name in
      seen.withLock { $0.insert("\(folder)\n\(name)").inserted }
    }
    guard !names.isEmpty, let found = try? ScenarioFolder(path: folder).scenarios() else { return }
    let location = Test.current?.sourceLocation ?? scenario.sourceLocation(.start)
    let used = Set(found.flatMap(\.actionNames))
    for name in names where !used.contains(name) {
      Issue.record(
        "the action '\(EscapedText.escape(name))' is bound, but no scenario in \(folder) performs it",
        severity: .warning, sourceLocation: location)
    }
  }
}
