extension StepKind {
  /// `reinstall: {}`: the app is installed again.
  static let reinstall = StepKind(
    nothing("reinstall"), by: .system,
    "The app is installed again, at a new container path: after an 'offload' with its data; without "
      + "one it was deleted, and begins with nothing but what the keychain kept.",
    examples: [["reinstall": [:]]]
  ) { _ in
    StepAction("reinstall", installsApp: true) { run throws(StepFailure) in
      try run.reinstallApp()
    }
  }
}
