/// `offload: {}`: the app is taken off the device, and its data stays.
struct OffloadStep: StepAction {
  private static let nothingField = Field(
    "offload", .object("{}", []) { _ in () }, default: .required, "Nothing more to say: {}.")

  static let declaration = StepDeclaration(
    nothingField, by: .system,
    "The app is ended and taken off the device; Documents and Library stay, but for Library/Caches. "
      + "Until a 'reinstall' it can do nothing.",
    examples: [["offload": [:]]])

  /// What is wrong with a step that needs an app which is offloaded.
  static let missingApp =
    "the app is offloaded here, so nothing can be done by it or to it; put { reinstall: {} } before "
    + "this step"

  init?(reading step: ObjectReader) {}

  var summary: String { "offload" }
  var needsApp: Bool { true }
  var installation: AppInstallation? { .offloads }

  func perform(in run: inout ScenarioRun) throws(StepFailure) {
    try run.offloadApp()
  }
}
