/// `kill: {}`: the app is ended, as when the system needs its memory.
struct KillStep: StepAction {
  private static let nothingField = Field(
    "kill", .object("{}", []) { _ in () }, default: .required, "Nothing more to say: {}.")

  static let declaration = StepDeclaration(
    nothingField, by: .system,
    "The app is ended without a word, as when memory is short; where it does not run, nothing happens. "
      + "The next step of the app starts it anew.",
    examples: [["kill": [:]]])

  init?(reading step: ObjectReader) {}

  var summary: String { "kill" }

  func perform(in run: inout ScenarioRun) throws(StepFailure) {
    run.endApp()
    run.noteEventToCheck("the kill")
  }
}
