#if os(macOS) || os(Linux)
import Foundation
import TestSupport
import Testing

@testable import BackupScenarios
@testable import BackupTesting

/// Errors, issues and mistakes in arguments reach the test from the app's process.
struct AppReportTests {
  /// Performs an action of `DyingApp`, in a step with further `keys`.
  private func perform(_ name: String, _ keys: String = "") async throws -> AppTrial {
    try await AppTrial(DyingApp.self, ["{ perform: '\(name)'\(keys) }", "{ backup: 'one' }"])
  }

  @Test func `an error has the same findings as in the test's process`() async throws {
    let trial = try await perform("missing")
    let inProcess = try await AppTrial(
      DyingApp.self, ["{ perform: 'missing' }", "{ backup: 'one' }"],
      environment: ["BACKUP_TESTING_IN_PROCESS": "1"])
    #expect(trial.errors.first?.text.contains("exists-before-use") == true)
    // The kit knows the lines of the code only if the app runs in its own process.
    let differences = /\/\S*\/Scenarios|\ncode: [^\n]*/
    #expect(
      trial.errors.map { $0.text.replacing(differences, with: "") }
        == inProcess.errors.map { $0.text.replacing(differences, with: "") })
  }

  @Test func `an error of Foundation names its path, and the code that threw it`() async throws {
    let trial = try await perform("elsewhere")
    #expect(trial.failure?.hasSuffix(": '/no/such/file'") == true)
    // On other systems, the kit does not see which code throws the error.
    #if os(Linux)
    let issue = try #require(trial.errors.first)
    #expect(issue.file == "DyingApp.swift")
    #expect(issue.text.contains(/\ncode: thrown by `closure.*`, DyingApp.swift:\d+/))
    #endif
  }

  @Test func `'throws' compares the code of the error`() async throws {
    let right = try await perform("missing", ", throws: 'noSuchFile'")
    #expect(right.failure == nil)
    let wrong = try await perform("missing", ", throws: 'fileExists'")
    #expect(wrong.failure?.contains("but not with") == true)
  }

  @Test func `'throws' does not expect an error of the machine`() async throws {
    let trial = try await perform("own", ", throws: true")
    #expect(trial.failure?.contains("wrapping") == true)
  }

  @Test func `an expectation in the app fails at its own line`() async throws {
    let trial = try await perform("expect")
    let issue = try #require(trial.errors.first { $0.file == "DyingApp.swift" })
    #expect(issue.text.contains("not so"))
  }

  @Test func `a warning stays a warning`() async throws {
    let trial = try await perform("record")
    let issue = try #require(trial.seen.first { $0.file == "DyingApp.swift" })
    #expect(issue.text.contains("look here") && !issue.isError)
  }

  @Test func `a mistake in an argument has its line in the scenario`() async throws {
    let trial = try await perform("argument", ", with: { id: 'seven' }")
    #expect(trial.failure?.hasPrefix("the argument 'id' of the action 'argument' is not") == true)
    let issue = try #require(trial.errors.first)
    #expect(issue.line == 2)
    #expect(issue.text.contains("found the string 'seven'"))
  }

  @Test func `an argument that the app does not read is a warning`() async throws {
    let trial = try await perform("argument", ", with: { id: 7, other: [1, { a: null }] }")
    #expect(trial.failure == nil)
    #expect(trial.seen.contains { !$0.isError && $0.text.contains("'other'") })
    #expect(!trial.seen.contains { $0.text.contains("'id'") })
  }
}
#endif
