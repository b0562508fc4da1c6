import BackupDiagnostics
import BackupJSON5

/// `backup: "label"`: the system takes a backup.
struct BackupStep: StepAction {
  static let keyword = "backup"

  /// Its name, for `restore` and reports.
  let label: String

  init?(reading step: inout StepReader) {
    guard let label = step.subject.string("a label for the backup", step.collector) else {
      return nil
    }
    if label.isEmpty {
      step.collector.error(
        "the label is empty; say when the backup is taken", at: step.subject.position)
    }
    self.label = label
  }

  var summary: String { "backup \"\(EscapedText.escape(label))\"" }
  static let actor = StepActor.system

  func perform(in run: inout ScenarioRun) throws(StepFailure) {
    try run.takeBackup(label)
  }
}
