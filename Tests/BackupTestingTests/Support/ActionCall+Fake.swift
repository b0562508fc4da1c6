import BackupTesting
import Testing

extension ActionCall {
  /// The container itself, which an action in the test's process can reach.
  var fake: FakeContainer {
    get throws { try FakeContainer.current }
  }
}
