import AppContainer

/// `include: PATH`: clears a mark; `using` names which.
struct IncludeStep: StepAction {
  static let keyword = "include"

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

  var summary: String { "include \(path)" }
  static let actor = StepActor.app

  func perform(in run: inout ScenarioRun) throws(StepFailure) {
    try run.setMark(mark, on: path, false)
  }
}
