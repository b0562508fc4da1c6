import BackupDevice

extension StepKind {
  static let updateSystem: StepKind = {
    let system = Field<NamedSystem>(
      "updateSystem", .system, default: .required, "The later version.")
    return StepKind(
      .updateSystem, system,
      "iOS ends the app, and the device gets a later version of iOS. Files stay.",
      examples: [["updateSystem": "5.0.1"]]
    ) { step in
      step[system].map { .system(.updateSystem(to: $0)) }
    }
  }()

  static func notLaterMessage(than current: SystemVersion) -> String {
    "the device already has iOS \(current) at this step; name a later version"
  }
}
