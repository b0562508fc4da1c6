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

  @Test(arguments: [
    "a.swift:1: Fatal error: no", "*** Signal 11: Backtracing from 0x1... done ***",
  ])
  func `of a long backtrace its beginning is shown, of other output the end`(_ crash: String) {
    let before = (0..<50).map { "print \($0)" }
    let after = (0..<50).map { "frame \($0)" }
    // Each part with how many of its lines are shown, its last ones of what comes before the crash.
    let cases: [(before: Int, crash: [String], after: Int, shownBefore: Int, shownAfter: Int)] = [
      (50, [crash], 50, 10, 29), (0, [crash], 50, 0, 39), (50, [crash], 0, 39, 0),
      (50, [], 0, 40, 0), (1, [crash], 0, 1, 0), (0, [], 0, 0, 0),
    ]
    for (first, crash, last, shownFirst, shownLast) in cases {
      let lines: [String] = before.suffix(first) + crash + after.prefix(last)
      let shown: [String] = before.suffix(shownFirst) + crash + after.prefix(shownLast)
      #expect(AppOutput.excerpt(of: lines.map { $0[...] }).map(String.init) == shown)
    }
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
