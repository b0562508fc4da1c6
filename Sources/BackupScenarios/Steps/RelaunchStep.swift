/// `relaunch: {}`: the app is ended and started.
struct RelaunchStep: StepAction {
  private static let nothingField = Field(
    "relaunch", .object("{}", []) { _ in () }, default: .required, "Nothing more to say: {}.")

  static let declaration = StepDeclaration(
    nothingField, by: .system, "The app is ended and started at once.",
    examples: [["relaunch": [:]]])

  init?(reading step: ObjectReader) {}

  var summary: String { "relaunch" }
  var startsApp: Bool { true }
  var needsApp: Bool { true }

  func perform(in run: inout ScenarioRun) async throws(StepFailure) {
    try await run.relaunchApp()
  }
}
