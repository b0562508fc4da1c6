package import BackupDevice

extension Scenario.Step {
  /// The key by which every step may say on which systems it is done.
  static let systemsField = Field(
    "on", .stepSystems, default: .inWords("every version"),
    "The versions of iOS on which the step runs. If the device has another version at this step, "
      + "the step is skipped.",
    examples: ["5.0.1", ["5.0", "newest"]])

  /// Whether the step is done on a device that has a system: it names this one, or none.
  package func isDone(on system: SystemVersion) -> Bool {
    systems?.value.contains(system) != false
  }
}

extension Form where Value == [NamedSystem] {
  /// The systems on which a step is done.
  fileprivate static var stepSystems: Form {
    oneOrMore(of: .system, named: "version of iOS", distinctAs: "system")
      .named("on", "The versions of iOS on which a step runs.")
  }
}
