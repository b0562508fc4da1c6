extension StepKind {
  static let relaunch = StepKind(
    .relaunch, keywordOnlyField("relaunch"), "iOS ends the app and launches it again.",
    examples: [["relaunch": [:]]]
  ) { _ in .relaunch }
}
