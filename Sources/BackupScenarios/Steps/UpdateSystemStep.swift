import BackupDevice

/// `updateSystem: "5.0.1"`: the device goes to a later system; files stay.
struct UpdateSystemStep: StepAction {
  static let keyword = "updateSystem"

  /// The later system.
  let profile: SystemProfile

  init?(reading step: inout StepReader) {
    guard let profile = step.subject.systemProfile(step.collector) else { return nil }
    self.profile = profile
  }

  var summary: String { "updateSystem \(profile.version)" }
  static let actor = StepActor.system

  func perform(in run: inout ScenarioRun) throws(StepFailure) {
    try run.updateSystem(to: profile)
  }
}
