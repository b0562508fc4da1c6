#if os(macOS) || os(Linux)
import BackupContainer
import Foundation
import TestSupport
import Testing

@testable import BackupApp
@testable import BackupScenarios

/// The kit's errors on a machine that cannot start more threads.
@Suite struct ThreadFaultTests {
  /// The folder that the tool runs in.
  let folder: TestFolder

  init() throws {
    folder = try TestFolder()
  }

  /// Runs a tool while one thread cannot be started. The first thread has the number 0.
  private func error(withoutThread missing: Int) async -> AppFailure? {
    let count = Locked(0)
    var command = ProcessCommand(
      executable: "/bin/sh", words: ["sh", "-c", "exec sleep 300"],
      environment: ["PATH": "/usr/bin:/bin"], directory: folder.path, timeLimit: 600)
    command.startThread = { body in
      let number = count.withLock { count in
        defer { count += 1 }
        return count
      }
      return number == missing ? EAGAIN : startThread(body)
    }
    switch await command.run() {
    case .success: return nil
    case .failure(let error): return error
    }
  }

  @Test(arguments: [0, 1])
  func `a thread that cannot start is an error that says so, and leaves no tool`(missing: Int)
    async throws
  {
    let error = try #require(await error(withoutThread: missing))
    #expect(
      error.description.hasPrefix(
        "'sh' cannot be run: the machine cannot start another process or thread ("))
    #expect(
      error.description.contains(
        "which is a limit of this machine and not a mistake of the app: raise it"))
    #expect(VisibleProcesses.working(in: folder.path) == [])
  }
}

extension ThreadFaultTests {
  @Test func `a thread that cannot start is an error at the start of an app too`() async throws {
    let command = AppCommand(["/bin/sleep", "300"], in: folder)
    let error = await #expect(throws: AppFailure.self) {
      try await AppProcess(command) { _ in EAGAIN }
    }
    #expect(error?.description.contains("another process or thread") == true)
    #expect(VisibleProcesses.working(in: folder.path) == [])
  }
}
#endif
