import BackupDiagnostics

/// `restore: "label"`: a new device with what that backup holds and nothing else.
struct RestoreStep: StepAction {
  static let keyword = "restore"

  /// The backup's name.
  let label: String

  init?(reading step: inout StepReader) {
    let expected = "the label of an earlier backup step"
    guard let label = step.subject.string(expected, step.collector) else { return nil }
    self.label = label
  }

  var summary: String { "restore \"\(EscapedText.escape(label))\"" }
  static let actor = StepActor.system

  func perform(in run: inout ScenarioRun) throws(StepFailure) {
    try run.restore(label)
  }
}
