#if os(macOS) || os(Linux)
import CBackupProcess
import TestSupport
import Testing

@testable import BackupApp
@testable import BackupTesting

/// The app's processes still work if their fork server is killed, stopped or unsuitable.
@Suite(.enabled(if: ForkServerApp.canFork)) struct LostForkServerTests {
  /// Performs an action of `ForkServerApp`. Expectations in the action fail this test.
  private func perform(_ name: String) async throws {
    let app = try await FakeContainer.taskLocal?.launch(ForkServerApp.self)
    try await #require(app).perform(name)
  }

  @Test(.container) func `forked processes outlive their fork server`() async throws {
    try await perform("killServer")
  }

  @Test(.container) func `a server that ends before its first fork is not started again each time`()
    async throws
  {
    try await perform("killIdleServer")
  }

  @Test(.container) func `a stopped server does not keep a process from starting`() async throws {
    try await perform("stopServer")
  }

  @Test(.container) func `a process with too many variables for the server starts by itself`()
    async throws
  {
    try await perform("outgrowServer")
  }

  @Test(.container) func `a process that cannot start does not end the server`() async throws {
    try await perform("startNowhere")
  }

  @Test(.container) func `limits and a umask that the test sets later apply to the app too`()
    async throws
  {
    try await perform("limitProcesses")
  }
}
#endif
