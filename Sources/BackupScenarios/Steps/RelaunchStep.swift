extension StepKind {
  static let relaunch = StepKind(
    nothing("relaunch"), by: .system,
    "iOS ends the app and launches it again.",
    examples: [["relaunch": [:]]], [.startsApp, .needsApp, .isStart]
  ) { _ in
    StepAction(summary: "relaunch") { run throws(StepFailure) in try await run.relaunchApp() }
  }
}
