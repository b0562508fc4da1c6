extension StepKind {
  /// `relaunch: {}`: the app is ended and started.
  static let relaunch = StepKind(
    nothing("relaunch"), by: .system,
    "The app is ended and started at once.",
    examples: [["relaunch": [:]]]
  ) { _ in
    StepAction("relaunch", startsApp: true, needsApp: true) { run throws(StepFailure) in
      try await run.relaunchApp()
    }
  }
}
