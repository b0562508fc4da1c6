import BackupDevice

extension StepKind {
  static let updateSystem: StepKind = {
    let system = Field<NamedSystem>(
      "updateSystem", .system, default: .required, "The later version.")
    return StepKind(
      system, by: .system,
      "iOS ends the app, and the device gets a later version of iOS. Files stay.",
      examples: [["updateSystem": "5.0.1"]]
    ) { step in
      guard let system = step[system] else { return nil }
      return StepAction(summary: "updateSystem \(system.name)", of: .laterSystem(system)) {
        run throws(StepFailure) in
        try run.updateSystem(to: system.profile)
      }
    }
  }()

  static func notLater(than current: SystemVersion) -> String {
    "the device already has iOS \(current) at this step; name a later version"
  }
}
