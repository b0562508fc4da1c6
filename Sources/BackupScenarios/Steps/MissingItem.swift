import BackupFileTree

extension Field where Value == Bool {
  /// The key by which a step says that the app looks for its item first.
  static let skipsIfMissing = Field(
    "ifMissing", .word([("skip", true)]), default: .inWords("the app does not check"),
    "With this key, the app checks whether the item exists. skip: if the item is missing, the app "
      + "continues.")
}

extension ScenarioRun {
  /// Does something with an item that must exist, as an app does that looks for it first, or that does
  /// not.
  ///
  /// What iOS took away is a finding. What never existed is a mistake in the scenario, and the step
  /// fails.
  mutating func use(
    _ path: ContainerPath, as use: Transcript.Event.Use, looksFirst: Bool?,
    _ work: (inout ScenarioRun) throws(StepFailure) -> Void
  ) throws(StepFailure) {
    if looksFirst == true {
      guard try look()[path] == nil || staleLink(onTheWayTo: path) != nil else {
        return try work(&self)
      }
      return noteLook(for: path)
    }
    if state.taken.contains(path), try look()[path] == nil {
      try record(.use(use, of: path, isMissing: true))
      throw StepFailure(reportedByRule: FileOperation.Failure(.noSuchFile, path))
    }
    // iOS may empty tmp between two launches.
    if use.needsContents, path.location == .temporary, tree.contains(path) {
      try record(.use(use, of: path, isMissing: false))
    }
    try work(&self)
  }
}

extension Transcript.Event.Use {
  /// Whether the app needs what the item holds.
  fileprivate var needsContents: Bool {
    switch self {
    case .append, .copy, .move: true
    case .exclude, .include, .remove: false
    }
  }
}
