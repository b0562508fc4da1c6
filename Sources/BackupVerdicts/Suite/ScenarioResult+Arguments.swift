import BackupDiagnostics
import BackupScenarios

extension ScenarioResult {
  /// The arguments that no run of their steps has read: most often a key is misspelt, and the action
  /// took what it takes without one.
  var unreadArguments: [Scenario.Problem] {
    var uses: [SourcePosition: ArgumentUse] = [:]
    for run in runs {
      uses.merge(run.transcript?.argumentUses ?? [:]) { $0.merging($1) }
    }
    return uses.values.filter { !$0.isRead }.map { use in
      Scenario.Problem(
        kind: .unreadArgument, severity: .warning, isFailure: isStrict, position: use.position,
        message: "the action '\(use.action.shown)' never asks for the argument '\(use.name.shown)'",
        details: ["do: \(advice(on: use))"], variants: nil)
    }
  }

  /// What to write in place of an argument that is not read.
  private func advice(on use: ArgumentUse) -> String {
    let missed = use.missed.sorted()
    if let meant = NearestWord.to(use.name, in: missed) {
      return "write '\(meant.shown)', which it asks for and which is not there"
    }
    let others =
      missed.isEmpty
      ? "" : "; it asks for \(missed.map { "'\($0.shown)'" }.joinedInWords), not there"
    return "leave it out, or read it: try action.argument(\(use.name.debugDescription))\(others)"
  }
}
