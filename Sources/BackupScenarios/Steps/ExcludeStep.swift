import AppContainer

/// `exclude: PATH`: sets a mark; `using` names which.
struct ExcludeStep: StepAction {
  static let keyword = "exclude"

  /// The item.
  let path: ContainerPath
  /// The mark.
  let mark: ExclusionMark

  init?(reading step: inout StepReader) {
    let path = step.subjectPath()
    self.mark = step.mark()
    guard let path else { return nil }
    self.path = path
  }

  var summary: String { "exclude \(path)" }
  static let actor = StepActor.app

  func perform(in run: inout ScenarioRun) throws(StepFailure) {
    try run.setMark(mark, on: path, true)
  }
}
