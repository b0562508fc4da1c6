import BackupFileTree

/// `remove: PATH`: with all in it.
struct RemoveStep: StepAction {
  static let keyword = "remove"

  /// The item.
  let path: ContainerPath

  init?(reading step: inout StepReader) {
    guard let path = step.subjectPath() else { return nil }
    self.path = path
  }

  var summary: String { "remove \(path)" }
  static let actor = StepActor.app

  func perform(in run: inout ScenarioRun) throws(StepFailure) {
    try run.perform(.remove(path))
  }
}
