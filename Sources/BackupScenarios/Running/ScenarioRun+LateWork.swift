import BackupFileTree

extension ScenarioRun {
  /// For how long it is looked whether the app does something after the last step, and how often at
  /// least: a look at a large container takes its time.
  private static let lateTime = Duration.seconds(1)
  private static let fewestLooks = 10
  private static let pause = Duration.milliseconds(10)

  /// Lets the app go on after the last step if an action has changed nothing, and notes what it changes
  /// then: the action may have returned before its work was done.
  mutating func noteLateWork() async throws(StepFailure) {
    guard !transcript.idleActions.isEmpty, !processes.running.isEmpty else { return }
    for app in processes.running.values { app.resume() }
    let end = ContinuousClock.now + Self.lateTime
    var lookCount = 0
    while ContinuousClock.now < end || lookCount < Self.fewestLooks {
      if let path = tree.firstDifference(from: try look()) {
        transcript.lateChange = path
        return
      }
      lookCount += 1
      guard (try? await Task.sleep(for: Self.pause)) != nil else { return }
    }
  }
}
