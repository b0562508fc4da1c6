extension StepKind {
  /// `kill: {}`: the app is ended, as when the system needs its memory.
  static let kill = StepKind(
    nothing("kill"), by: .system,
    "The app is ended without notice, as when memory is low. If it is not running, nothing "
      + "happens. The next step of the app starts it again.",
    examples: [["kill": [:]]]
  ) { _ in
    StepAction("kill") { run throws(StepFailure) in
      run.endApp()
      run.noteEventToCheck("the kill")
    }
  }

  /// The field of a step that has only a keyword.
  static func nothing(_ keyword: String) -> Field<Void> {
    Field(
      keyword, .object("{}", []) { _ in () }, default: .required,
      "Always {}: the step has no "
        + "options.")
  }
}
