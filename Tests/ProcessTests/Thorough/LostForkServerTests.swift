#if os(macOS) || os(Linux)
import CBackupProcess
import TestSupport
import Testing

@testable import BackupApp
@testable import BackupTesting

/// What becomes of the app's processes where the one that they are forked from is gone, stands still or
/// is not what they are to be.
@Suite(.enabled(if: ServedApp.areForked)) struct LostForkServerTests {
  /// Performs an action, which records what is not so.
  private func perform(_ name: String) async throws {
    let app = try await FakeContainer.taskLocal?.launch(ServedApp.self)
    try await #require(app).perform(name)
  }

  @Test(.container) func `those that were forked outlive their server`() async throws {
    try await perform("killServer")
  }

  @Test(.container) func `a server that ends before it forks is not started anew for each process`()
    async throws
  {
    try await perform("killIdleServer")
  }

  @Test(.container) func `a server that is stopped keeps no process from its start`() async throws {
    try await perform("stopServer")
  }

  @Test(.container) func `a process that outgrows the room of a server is started by itself`()
    async throws
  {
    try await perform("outgrowServer")
  }

  @Test(.container) func `a process that cannot be started loses no server`() async throws {
    try await perform("startNowhere")
  }

  @Test(.container) func `later limits and permissions of the test's process are the app's too`()
    async throws
  {
    try await perform("limitProcesses")
  }
}
#endif
