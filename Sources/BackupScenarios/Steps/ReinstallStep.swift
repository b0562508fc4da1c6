/// `reinstall: {}`: the app is installed again.
struct ReinstallStep: StepAction {
  private static let nothingField = Field(
    "reinstall", .object("{}", []) { _ in () }, default: .required, "Nothing more to say: {}.")

  static let declaration = StepDeclaration(
    nothingField, by: .system,
    "The app is installed again, at a new container path: after an 'offload' with its data; without "
      + "one it was deleted, and begins with nothing but what the keychain kept.",
    examples: [["reinstall": [:]]])

  init?(reading step: ObjectReader) {}

  var summary: String { "reinstall" }
  var installation: AppInstallation? { .installs }

  func perform(in run: inout ScenarioRun) throws(StepFailure) {
    try run.reinstallApp()
  }
}
