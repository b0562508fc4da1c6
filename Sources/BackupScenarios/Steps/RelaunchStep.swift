extension StepKind {
  /// `relaunch: {}`: the app is ended and started.
  static let relaunch = StepKind(
    nothing("relaunch"), by: .system,
    "The app is ended and launched again.",
    examples: [["relaunch": [:]]], isStart: true
  ) { _ in
    StepAction("relaunch", needsApp: true) { run throws(StepFailure) in
      try await run.relaunchApp()
    }
  }
}
