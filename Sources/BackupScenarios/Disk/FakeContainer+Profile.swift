import BackupContainer
import BackupDevice

extension FakeContainer {
  /// Tells the code that runs in the container which app it is, and which system the device has.
  func adopt(_ app: Scenario.App, on profile: SystemProfile) throws(FakeContainerError) {
    appIdentifier.withLock { $0 = app.bundleIdentifier }
    try adopt(profile)
  }

  /// Tells the code that runs in the container which system the device has now, and what that
  /// refuses.
  func adopt(_ profile: SystemProfile) throws(FakeContainerError) {
    namesAtTop.withLock { $0 = profile.namesAtTop }
    try offer(profile.availableMarks.value, of: profile.version.description)
  }
}
