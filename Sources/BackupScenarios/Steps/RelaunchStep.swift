extension StepKind {
  static let relaunch = StepKind(
    nothing("relaunch"), by: .system,
    "iOS ends the app and launches it again.",
    examples: [["relaunch": [:]]], isStart: true
  ) { _ in
    StepAction(summary: "relaunch", needsAppItself: true) { run throws(StepFailure) in
      try await run.relaunchApp()
    }
  }
}
