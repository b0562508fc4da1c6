extension StepKind {
  static let reinstall = StepKind(
    .reinstall, keywordOnlyField("reinstall"),
    "iOS installs the app again, at a new container path. After an 'offload', the app has its "
      + "data again. Without an 'offload', the user deletes the app first, and only its "
      + "keychain items remain.",
    examples: [["reinstall": [:]]]
  ) { _ in .system(.reinstall) }
}
