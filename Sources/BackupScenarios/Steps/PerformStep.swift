import AppContainer

/// `perform: "name", with: {…}`: the app's own code, bound by name in the test.
struct PerformStep: StepAction {
  static let keyword = "perform"

  /// The action's name.
  let name: String

  init?(reading step: inout StepReader) {
    let name = step.subject.string("the name of an action", step.collector)
    _ = step.optional("with").flatMap {
      ObjectReader($0, expected: "an object that the action reads", step.collector)
    }
    guard let name else { return nil }
    self.name = name
  }

  var summary: String { "perform \(EscapedText.escape(name))" }
  static let actor = StepActor.app

  func perform(in run: inout ScenarioRun) throws(StepFailure) {
    throw StepFailure("the action '\(EscapedText.escape(name))' is not bound")
  }
}
