extension StepKind {
  static let offload = StepKind(
    .offload, keywordOnlyField("offload"),
    "iOS ends the app and removes it from the device. Documents and Library stay, except "
      + "Library/Caches. The app can do nothing until a 'reinstall'.",
    examples: [["offload": [:]]]
  ) { _ in .system(.offload) }

  static let missingAppMessage =
    "the app is offloaded here and cannot do anything; put { reinstall: {} } before this step"
}
