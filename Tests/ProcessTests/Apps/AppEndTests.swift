#if os(macOS) || os(Linux)
import Foundation
import TestSupport
import Testing

@testable import BackupTesting

/// A step fails if the app's process ends or stops during the step. The message says why.
struct AppEndTests {
  /// Performs an action of `DyingApp`, in a step with further `keys`.
  func perform(
    _ name: String, _ keys: String = "", timeLimit: Duration = .seconds(60)
  ) async throws -> AppTrial {
    try await AppTrial(
      DyingApp.self, ["{ perform: '\(name)'\(keys) }", "{ backup: 'one' }"], timeLimit: timeLimit)
  }

  @Test func `the summary of a crash has its message and the app's first stack frame`() {
    let backtrace = """
      print
      Cinema/Shelf.swift:17: Fatal error: no index
      *** Signal 4: Backtracing from 0x7f50... done ***
      *** Program crashed: Illegal instruction at 0x00007f50470f9361 ***
        0          0x00007f50470f9361 _assertionFailure(_:_:file:line:flags:) + 225 in libswiftCore.so
        2 [ra]     0x0000557b8782f6c0 static Shelf.open() + 96 in Tests.xctest at /a b/Shelf.swift:17:5
        3 [ra]     0x0000557b8782f6c1 static App.launch(_:) + 8 in Tests.xctest at /a b/App.swift:3:5
      """
    let lines = backtrace.split(separator: "\n")
    let frame = "(in `static Shelf.open()`, Shelf.swift:17)"
    #expect(
      AppOutput.crash(in: lines) == "Cinema/Shelf.swift:17: Fatal error: no index \(frame)")
    #expect(
      AppOutput.crash(in: Array(lines.dropFirst(2)))
        == "Program crashed: Illegal instruction at 0x00007f50470f9361 \(frame)")
    #expect(AppOutput.crash(in: [lines[0]]) == nil)
  }

  @Test(arguments: [("exit", 0), ("status", 3)])
  func `after an exit, the failure has the status`(_ name: String, _ status: Int) async throws {
    let trial = try await perform(name)
    #expect(trial.failure?.contains("exited with status \(status)") == true)
  }

  @Test func `'throws' does not expect an exit of the app`() async throws {
    let trial = try await perform("status", ", throws: true")
    #expect(trial.failure?.contains("exited with status 3") == true)
  }

  @Test func `after a kill, the failure has the signal`() async throws {
    let trial = try await perform("killed")
    #expect(trial.failure?.contains("was ended by signal 9") == true)
    #expect(trial.files.contains("Documents/half"))
  }

  @Test(.timeLimit(.minutes(1)))
  func `an app that stops is killed at once, and the failure has the signal`() async throws {
    let trial = try await perform("stopped", timeLimit: .seconds(3600))
    #expect(trial.failure?.contains("was stopped by signal \(SIGSTOP)") == true)
  }

  @Test func `after a stack overflow, the failure says that a signal ended the app`() async throws {
    let trial = try await perform("overflow")
    #expect(trial.failure?.contains("was ended by signal") == true)
  }

  @Test func `an action that hangs is killed at its time limit`() async throws {
    let trial = try await perform("hang", timeLimit: .milliseconds(500))
    #expect(trial.failure?.contains("did not answer within 0.5 seconds") == true)
  }
}
#endif
