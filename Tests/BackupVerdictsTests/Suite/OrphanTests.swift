import BackupDiagnostics
import BackupScenarios
import Testing
import TrialSupport

@testable import BackupVerdicts

/// The advice names files that an earlier version of the app left behind.
@Suite struct `A file of an earlier version is named` {
  private let save = "{ save: 'Documents/notes.db', contents: 'a' }"
  private let folder = "{ createDirectory: 'Library/Application Support' }"
  private let saveElsewhere = "{ save: 'Library/Application Support/notes.db', contents: 'a' }"
  private let copyElsewhere =
    "{ copy: 'Documents/notes.db', to: 'Library/Application Support/notes.db' }"

  /// Returns the advice on such files, each with its line.
  private func advice(_ steps: [String], _ other: String = "") async throws -> [String] {
    let result = try await Trial.result(try Trial.scenario(steps, other))
    return result.problems.filter { $0.message.contains("of the app left it") }.map { problem in
      #expect(problem.severity == .advice && !problem.isFailure)
      return "\(problem.position.line): \(problem.message.prefix { $0 != "," })"
    }
  }

  @Test func `if a file of the same name was created elsewhere after the update`() async throws {
    let leftMessage = "'Documents/notes.db' is as version 1.0 of the app left it"
    #expect(
      try await advice([save, "{ updateApp: '2.0' }", folder, saveElsewhere]) == [
        "5: \(leftMessage)"
      ])
    #expect(
      try await advice([save, "{ updateApp: '2.0' }", folder, copyElsewhere]) == [
        "5: \(leftMessage)"
      ])
  }

  @Test(
    arguments: [
      ["{ updateApp: '2.0' }", "{ remove: 'Documents/notes.db' }"],
      ["{ updateApp: '2.0' }", "{ read: 'Documents/notes.db', ifMissing: 'skip' }"],
      ["{ updateApp: '2.0' }", "{ append: 'Documents/notes.db', contents: 'b' }"],
      // Not a later version.
      ["{ updateApp: '0.9' }"],
      // With two files of the same name, it is unknown which one the new file replaces.
      ["{ copy: 'Documents/notes.db', to: 'Library/notes.db' }", "{ updateApp: '2.0' }"],
    ])
  func `unless the app uses it, or it is not certain that the update left it behind`(
    steps: [String]
  ) async throws {
    #expect(try await advice([save] + steps + [folder, saveElsewhere]) == [])
  }

  @Test func `unless the new file is of another class, or in Caches`() async throws {
    let update = [save, "{ updateApp: '2.0' }"]
    let files = "files: { 'Documents/*': 'critical', '**': 'support' }"
    #expect(try await advice(update + [folder, saveElsewhere], files) == [])
    #expect(
      try await advice(update + ["{ save: 'Library/Caches/notes.db', contents: 'a' }"]) == [])
  }
}
