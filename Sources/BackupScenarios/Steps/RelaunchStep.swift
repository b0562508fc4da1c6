/// `relaunch: {}`: the app is ended and started.
struct RelaunchStep: StepAction {
  static let keyword = "relaunch"

  init?(reading step: inout StepReader) {
    step.requireEmptySubject()
  }

  var summary: String { "relaunch" }
  static let actor = StepActor.system

  func perform(in run: inout ScenarioRun) async throws(StepFailure) {
    run.endApp()
    try await run.startApp()
  }
}
