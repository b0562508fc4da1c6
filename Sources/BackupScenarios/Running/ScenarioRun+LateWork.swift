import BackupFileTree

extension ScenarioRun {
  /// The time in which the kit waits for a late change.
  private static let lateTime = Duration.seconds(1)
  /// The fewest scans, because a scan of a large container can take all of the time.
  private static let fewestScans = 10
  private static let pause = Duration.milliseconds(10)

  /// Lets the app continue after the last step if an action has changed nothing, and keeps the first change in the
  /// transcript: the action may have returned before its work was done.
  mutating func awaitLateWork() async throws(StepFailure) {
    guard !transcript.idleActions.isEmpty, !processes.running.isEmpty else { return }
    for app in processes.running.values { app.resume() }
    let end = ContinuousClock.now + Self.lateTime
    var scanCount = 0
    while ContinuousClock.now < end || scanCount < Self.fewestScans {
      if let path = tree.firstDifference(from: try currentTree()) {
        transcript.lateChange = path
        return
      }
      scanCount += 1
      guard (try? await Task.sleep(for: Self.pause)) != nil else { return }
    }
  }
}
