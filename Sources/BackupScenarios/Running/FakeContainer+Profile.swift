import BackupContainer
import BackupDevice

extension FakeContainer {
  /// Tells the code that runs in the container which system the device has now, and its marks.
  func adopt(_ profile: SystemProfile) throws(FakeContainerError) {
    try offer(profile.availableMarks.value, of: profile.version.description)
  }
}
