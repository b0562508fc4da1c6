extension ScenarioReader {
  /// Notes each step that needs the app where that is offloaded, in one of the runs.
  func refuseStepsWithoutApp(in runs: [PlannedRun]) {
    var refused: Set<Scenario.StepReference.Number> = []
    for run in runs {
      var isOffloaded = false
      for step in run.done.map(\.step) {
        if isOffloaded, step.action.needsApp, refused.insert(step.reference.number).inserted {
          collector.note(
            words(for: run, among: runs) + OffloadStep.missingApp, at: step.reference.position)
        }
        if let change = step.action.installation { isOffloaded = change == .offloads }
      }
    }
  }
}
