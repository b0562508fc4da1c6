import BackupFileTree

extension ScenarioRun {
  /// The time in which the kit waits for a change after the last step.
  private static let waitingTime = Duration.seconds(1)
  /// The lowest number of scans. In a large container, a single scan can take the whole waiting
  /// time.
  private static let lowestScanCount = 10
  private static let pauseBetweenScans = Duration.milliseconds(10)

  /// Lets the app continue after the last step if an action has changed nothing. The action may
  /// have returned before its work was done.
  ///
  /// Records in the transcript the first item that changes meanwhile.
  mutating func awaitLateWork() async throws(StepFailure) {
    guard !transcript.stepsWithoutEffect.isEmpty, !processes.runningApps.isEmpty else { return }
    for app in processes.runningApps.values { app.resume() }
    let end = ContinuousClock.now + Self.waitingTime
    var scanCount = 0
    while ContinuousClock.now < end || scanCount < Self.lowestScanCount {
      if let path = tree.firstDifference(from: try currentTree()) {
        transcript.lateChange = path
        return
      }
      scanCount += 1
      guard (try? await Task.sleep(for: Self.pauseBetweenScans)) != nil else { return }
    }
  }
}
