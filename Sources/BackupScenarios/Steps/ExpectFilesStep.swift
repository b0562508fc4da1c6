import BackupFileTree

/// `expectFiles: { present: […], absent: […] }`: what is on disk now.
struct ExpectFilesStep: StepAction {
  static let keyword = "expectFiles"

  /// Patterns that must each match something.
  let present: [PathPattern]
  /// Patterns that must match nothing.
  let absent: [PathPattern]

  init?(reading step: inout StepReader) {
    guard
      let lists = PatternLists(step.subject, keys: ("present", "absent"), step.collector)
    else { return nil }
    self.present = lists.first
    self.absent = lists.second
  }

  var summary: String { "expectFiles" }
  static let actor = StepActor.observer

  func perform(in run: inout ScenarioRun) throws(StepFailure) {
    let paths = try run.scan().paths
    for pattern in present where !paths.contains(where: pattern.matchesInside) {
      throw StepFailure("expected '\(pattern.shown)' to be there, but nothing matches it")
    }
    for pattern in absent {
      guard let found = paths.first(where: pattern.matchesInside) else { continue }
      throw StepFailure("expected nothing to match '\(pattern.shown)', but '\(found)' is there")
    }
  }
}
