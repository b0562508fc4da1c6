import BackupFileTree

extension ScenarioRun {
  /// How often it is looked whether the app does something after the last step, and the pause in between:
  /// a second, or more where the machine is slow.
  private static let mostLooks = 100
  private static let pause = Duration.milliseconds(10)

  /// Lets the app go on after the last step if an action has changed nothing, and notes what it changes
  /// then: the action may have returned before its work was done.
  mutating func noteLateWork() async {
    guard !transcript.idleActions.isEmpty, !processes.running.isEmpty else { return }
    for app in processes.running.values { app.resume() }
    for _ in 0..<Self.mostLooks {
      if let found = try? look(), let path = tree.firstDifference(from: found) {
        transcript.lateChange = path
        return
      }
      guard (try? await Task.sleep(for: Self.pause)) != nil else { return }
    }
  }
}
