import AppContainer

/// `copy: PATH, to: PATH`: with all in it and every mark.
struct CopyStep: StepAction {
  static let keyword = "copy"

  /// The item.
  let path: ContainerPath
  /// Where the copy goes.
  let destination: ContainerPath

  init?(reading step: inout StepReader) {
    let path = step.subjectPath()
    let destination = step.requiredPath("to")
    guard let path, let destination else { return nil }
    self.path = path
    self.destination = destination
  }

  var summary: String { "copy \(path) to \(destination)" }
  static let actor = StepActor.app

  func perform(in run: inout ScenarioRun) throws(StepFailure) {
    try run.perform(.copy(path, to: destination))
  }
}
