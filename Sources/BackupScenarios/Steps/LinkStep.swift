import AppContainer

/// `link: PATH, to: PATH`: makes a symbolic link at the first path that points to the second.
struct LinkStep: StepAction {
  static let keyword = "link"

  /// The link.
  let path: ContainerPath
  /// What it points to; need not be there.
  let destination: ContainerPath

  init?(reading step: inout StepReader) {
    let path = step.subjectPath()
    let destination = step.requiredPath("to")
    guard let path, let destination else { return nil }
    self.path = path
    self.destination = destination
  }

  var summary: String { "link \(path) to \(destination)" }
  static let actor = StepActor.app

  func perform(in run: inout ScenarioRun) throws(StepFailure) {
    try run.perform(.link(path, destination: destination))
  }
}
