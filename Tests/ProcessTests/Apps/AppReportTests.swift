#if os(macOS) || os(Linux)
import Foundation
import TestSupport
import Testing

@testable import BackupScenarios
@testable import BackupTesting

/// What the app's code says crosses from its process: errors, issues, arguments.
struct AppReportTests {
  /// Performs one action of the app that dies.
  private func perform(_ name: String, _ more: String = "") async throws -> AppTrial {
    try await AppTrial(DyingApp.self, ["{ perform: '\(name)'\(more) }", "{ backup: 'one' }"])
  }

  @Test func `an error is judged as in process`() async throws {
    let trial = try await perform("missing")
    let here = try await AppTrial(
      DyingApp.self, ["{ perform: 'missing' }", "{ backup: 'one' }"],
      environment: ["BACKUP_TESTING_IN_PROCESS": "1"])
    #expect(trial.errors.first?.text.contains("exists-before-use") == true)
    // Only of the process of its own are the lines of its code known.
    let differing = /\/\S*\/Scenarios|\ncode: [^\n]*/
    #expect(
      trial.errors.map { $0.text.replacing(differing, with: "") }
        == here.errors.map { $0.text.replacing(differing, with: "") })
  }

  @Test func `an error of Foundation names its path, and the code that threw it`() async throws {
    let trial = try await perform("elsewhere")
    #expect(trial.failure?.hasSuffix(": '/no/such/file'") == true)
    // Elsewhere the kit does not see which code throws.
    #if os(Linux)
    let issue = try #require(trial.errors.first)
    #expect(issue.file == "DyingApp.swift")
    #expect(issue.text.contains(/\ncode: thrown by `closure.*`, DyingApp.swift:\d+/))
    #endif
  }

  @Test func `'throws' judges the error's code`() async throws {
    let right = try await perform("missing", ", throws: 'noSuchFile'")
    #expect(right.failure == nil)
    let wrong = try await perform("missing", ", throws: 'fileExists'")
    #expect(wrong.failure?.contains("but not with") == true)
  }

  @Test func `what the machine lacks is no failure of the app's`() async throws {
    let trial = try await perform("own", ", throws: true")
    #expect(trial.failure?.contains("wrapping") == true)
  }

  @Test func `an expectation fails at its own line`() async throws {
    let trial = try await perform("expect")
    let issue = try #require(trial.errors.first { $0.file == "DyingApp.swift" })
    #expect(issue.text.contains("not so"))
  }

  @Test func `a warning stays a warning`() async throws {
    let trial = try await perform("record")
    let issue = try #require(trial.seen.first { $0.file == "DyingApp.swift" })
    #expect(issue.text.contains("look here") && !issue.isError)
  }

  @Test func `an argument's mistake has the place in the scenario`() async throws {
    let trial = try await perform("argument", ", with: { id: 'seven' }")
    #expect(trial.failure?.hasPrefix("the argument 'id' of the action 'argument' is not") == true)
    let issue = try #require(trial.errors.first)
    #expect(issue.line == 2)
    #expect(issue.text.contains("found the string 'seven'"))
  }

  @Test func `an argument that is never read is a warning`() async throws {
    let trial = try await perform("argument", ", with: { id: 7, other: [1, { a: null }] }")
    #expect(trial.failure == nil)
    #expect(trial.seen.contains { !$0.isError && $0.text.contains("'other'") })
    #expect(!trial.seen.contains { $0.text.contains("'id'") })
  }
}
#endif
