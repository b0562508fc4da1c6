import BackupDevice

/// `updateSystem: "5.0.1"`: the device goes to a later system; files stay.
struct UpdateSystemStep: StepAction {
  private static let systemField = Field(
    "updateSystem", .system, default: .required, "The later version.")

  static let declaration = StepDeclaration(
    systemField, by: .system,
    "The app is ended, and the device goes to a later version of iOS; files stay.",
    examples: [["updateSystem": "5.0.1"]])

  private let system: NamedSystem

  /// What is wrong with a step that brings a device of some system to one which is not later.
  static func notLater(than current: SystemVersion) -> String {
    "the device has iOS \(current) here; a system is updated to a later one only"
  }

  init?(reading step: ObjectReader) {
    guard let system = step[Self.systemField] else { return nil }
    self.system = system
  }

  var laterSystem: NamedSystem? { system }
  var summary: String { "updateSystem \(system.name)" }

  func perform(in run: inout ScenarioRun) throws(StepFailure) {
    try run.updateSystem(to: system.profile)
  }
}
