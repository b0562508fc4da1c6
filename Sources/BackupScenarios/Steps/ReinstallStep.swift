extension StepKind {
  /// `reinstall: {}`: the app is installed again.
  static let reinstall = StepKind(
    nothing("reinstall"), by: .system,
    "The app is installed again, at a new container path. After an 'offload' it has its data. "
      + "Without one, it was deleted before, and starts with nothing but its keychain items.",
    examples: [["reinstall": [:]]]
  ) { _ in
    StepAction("reinstall", installsApp: true) { run throws(StepFailure) in
      try run.reinstallApp()
    }
  }
}
