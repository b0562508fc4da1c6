import BackupDevice

/// `updateSystem: "5.0.1"`: the device goes to a later system; files stay.
struct UpdateSystemStep: StepAction {
  /// The keyword, with the later version.
  private static let systemField = Field(
    "updateSystem", .system, default: .required, "The later version.")

  static let declaration = StepDeclaration(
    systemField, by: .system,
    "The app is ended, and the device goes to a later version of iOS; files stay.",
    examples: [["updateSystem": "5.0.1"]])

  /// The later system.
  let profile: SystemProfile

  init?(reading step: ObjectReader) {
    guard let profile = step[Self.systemField] else { return nil }
    self.profile = profile
  }

  var summary: String { "updateSystem \(profile.version)" }

  func perform(in context: inout some StepContext) throws(StepFailure) {
    try context.updateSystem(to: profile)
  }
}
