#if os(macOS) || os(Linux)
import Foundation
import TestSupport
import Testing

@testable import BackupTesting

/// An app that ends badly fails its step, with what it said, and nothing else.
struct AppEndTests {
  /// Performs one action of the app that dies.
  func perform(
    _ name: String, _ more: String = "", timeLimit: Duration = .seconds(60)
  ) async throws -> AppTrial {
    try await AppTrial(
      DyingApp.self, ["{ perform: '\(name)'\(more) }", "{ backup: 'one' }"], timeLimit: timeLimit)
  }

  @Test func `a crash is its first words and the app's first frame`() {
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
  func `an exit says its status`(_ name: String, _ status: Int) async throws {
    let trial = try await perform(name)
    #expect(trial.failure?.contains("exited with status \(status)") == true)
  }

  @Test func `no 'throws' asks for an app that ends`() async throws {
    let trial = try await perform("status", ", throws: true")
    #expect(trial.failure?.contains("exited with status 3") == true)
  }

  @Test func `a kill amid a write says its signal`() async throws {
    let trial = try await perform("killed")
    #expect(trial.failure?.contains("was ended by signal 9") == true)
    #expect(trial.files.contains("Documents/half"))
  }

  @Test(.timeLimit(.minutes(1)))
  func `one that stops is ended at once, and says its signal`() async throws {
    let trial = try await perform("stopped", timeLimit: .seconds(3600))
    #expect(trial.failure?.contains("was stopped by signal \(SIGSTOP)") == true)
  }

  @Test func `a stack that overflows says its signal`() async throws {
    let trial = try await perform("overflow")
    #expect(trial.failure?.contains("was ended by signal") == true)
  }

  @Test func `an action that hangs is ended at its time limit`() async throws {
    let trial = try await perform("hang", timeLimit: .milliseconds(500))
    #expect(trial.failure?.contains("did not answer within 0.5 seconds") == true)
  }
}
#endif
