extension StepKind {
  static let offload = StepKind(
    nothing("offload"), by: .system,
    "iOS ends the app and removes it from the device. Documents and Library stay, except "
      + "Library/Caches. The app can do nothing until a 'reinstall'.",
    examples: [["offload": [:]]], [.needsApp, .removesApp]
  ) { _ in
    StepAction(summary: "offload") { run throws(StepFailure) in try run.offloadApp() }
  }

  static let missingApp =
    "the app is offloaded here and cannot do anything; put { reinstall: {} } before this step"
}
