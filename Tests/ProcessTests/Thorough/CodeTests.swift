#if os(macOS) || os(Linux)
import BackupReports
import Foundation
import TestSupport
import Testing

@testable import BackupContainer
@testable import BackupScenarios
@testable import BackupTesting
@testable import BackupVerdicts

/// Findings name the line of the app's code.
@Suite(.enabled(if: TapLibrary.find() != nil)) struct CodeTests {
  private static let filesKey = "files: { 'Library/**': 'offline', 'Documents/**': 'critical' },"
  private static let movieArgument = "with: { at: 'Library/1.mp4' }"

  private static let note =
    "on Linux, the kit does not see the marks that the module ProcessTests sets"

  private func trial(_ actions: String...) async throws -> AppTrial {
    try await AppTrial(
      CodeApp.self,
      actions.map { "{ perform: '\($0)', \(Self.movieArgument) }" } + ["{ backup: 'night' }"],
      head: Self.filesKey)
  }

  /// The line as a finding names it, for example `` `CodeApp.save(_:)`, CodeApp.swift:14``.
  private func codeLine(_ name: String, _ function: String) -> String {
    "`CodeApp.\(function)`, CodeApp.swift:\(CodeApp.lines[name] ?? 0)"
  }

  /// The line of the first error that begins with `code: `.
  private func code(_ trial: AppTrial) throws -> String {
    let error = try #require(trial.errors.first)
    let line = error.text.split(separator: "\n").first { $0.hasPrefix("code: ") }
    return String(try #require(line))
  }

  @Test func `a save that loses a mark is named, and so is the mark, also in the problem`()
    async throws
  {
    let trial = try await trial("markAndSave")
    let issue = try #require(trial.errors.first)
    #expect(issue.file == "CodeApp.swift" && issue.line == CodeApp.lines["save"])
    let code = try code(trial)
    #expect(code.hasPrefix("code: saved by \(codeLine("save", "save(_:)")), called by `closure in"))
    #expect(code.hasSuffix("; it was marked by \(codeLine("mark", "mark(_:)")), before the save"))
    let result = try #require(trial.result)
    let problem = try #require(result.problems.first { !$0.code.isEmpty })
    #expect(problem.code.count == 3)
    #expect(problem.code.first?.line == CodeApp.lines["save"])
    #expect(problem.code.last?.line == CodeApp.lines["mark"])
    let copy = try JSONDecoder().decode(
      Scenario.Problem.self, from: try JSONEncoder().encode(problem))
    #expect(copy == problem)
    let report = ScenarioReport(result, withRuns: true)
    let items = try #require(report.runs?.first).items
    let reasons = items.flatMap(\.states).compactMap(\.why)
    #expect(reasons.contains { $0.contains("; saved in step 1 by `CodeApp.save(_:)`") })
  }

  @Test func `a save in a later step is named, not the earlier one`() async throws {
    let code = try await code(trial("saveAndMark", "save"))
    #expect(code.hasPrefix("code: saved by \(codeLine("save", "save(_:)")), called by"))
    #expect(!code.contains("marked"))
  }

  @Test func `code of an earlier step is named with the step`() async throws {
    let file = "with: { at: 'Library/Caches/a' }"
    let trial = try await AppTrial(
      CodeApp.self,
      [
        "{ perform: 'save', \(file) }", "{ purge: 'lowStorage' }", "{ read: 'Library/Caches/a' }",
        "{ perform: 'stream', \(file) }",
      ])
    let code = try code(trial)
    #expect(code.hasPrefix("code: saved in step 1 by \(codeLine("save", "save(_:)")), called by"))
  }

  @Test func `a note names a module without the shim, even if another module has it`() async throws
  {
    FoundationMarks.noteShim(in: ["Player"])
    let trial = try await trial("save")
    let error = try #require(trial.errors.first)
    #expect(error.text.contains("note: \(Self.note)"))
    let report = ScenarioReport(try #require(trial.result), withRuns: true)
    let finding = try #require(report.runs?.first?.findings.first)
    #expect(finding.note?.hasPrefix(Self.note) == true)
  }

  @Test func `a finding on user defaults names the step, and no line`() async throws {
    let trial = try await AppTrial(
      CodeApp.self,
      ["{ perform: 'setAndSave', with: { at: 'Documents/a' } }", "{ backup: 'night' }"],
      head: "files: { 'Library/Preferences/**': 'offline', 'Documents/**': 'critical' },")
    #expect(trial.seen.allSatisfy { !$0.text.contains("code: ") }, "\(trial.seen)")
    let warning = trial.seen.first { $0.text.contains("stale-container-path") }
    let note = "note: step 1 (perform setAndSave"
    #expect(warning?.text.contains(note) == true, "\(trial.seen)")
    #expect(trial.seen.contains { $0.text.contains("recreatable-data-backed-up") })
  }

  @Test func `an inlined function is named`() async throws {
    let code = try await code(trial("makeAndAppend"))
    #expect(code.hasPrefix("code: saved by \(codeLine("append", "append(_:)")), called by"))
  }

  @Test func `a save through a stream is named by the line that opens the stream`() async throws {
    let code = try await code(trial("stream"))
    #expect(code.hasPrefix("code: saved by \(codeLine("stream", "stream(_:)")), called by"))
  }

  @Test func `an asynchronous function is named without a caller`() async throws {
    let code = try await code(trial("saveLater"))
    #expect(code.hasPrefix("code: saved by \(codeLine("async", "saveLater(_:)"))"))
    #expect(code.hasSuffix(" (asynchronous, so its caller is unknown)"))
  }

  @Test func `code that reads a missing file is named`() async throws {
    let code = try await code(trial("load"))
    #expect(code.hasPrefix("code: looked for by \(codeLine("load", "load(_:)")), called by"))
  }

  @Test func `code that marks a missing file is named`() async throws {
    let code = try await code(trial("mark"))
    #expect(code.hasPrefix("code: marked by \(codeLine("mark", "mark(_:)")), called by"))
  }

  @Test func `code that tries to create a refused folder is named`() async throws {
    let trial = try await AppTrial(
      CodeApp.self, ["{ perform: 'make', with: { at: 'Downloads' } }", "{ backup: 'night' }"])
    #expect(try code(trial).hasPrefix("code: tried by \(codeLine("make", "make(_:)")), called by"))
  }

  @Test func `the mark that excludes the user's file is named, not its save`() async throws {
    let file = "with: { at: 'Documents/a' }"
    let trial = try await AppTrial(
      CodeApp.self, ["{ perform: 'saveAndMark', \(file) }", "{ backup: 'one' }"],
      head: Self.filesKey)
    #expect(try code(trial).hasPrefix("code: marked by \(codeLine("mark", "mark(_:)")), called by"))
  }

  @Test func `each report on an exploration names the code and its module`()
    async throws
  {
    FoundationMarks.noteShim(in: ["Player"])
    let folder = try TestFolder()
    let path = folder.url("results.json").path
    let trial = try await AppTrial(
      CodeApp.self, ["{ perform: 'saveOnce', \(Self.movieArgument) }", "{ backup: 'night' }"],
      head: Self.filesKey, environment: ["BACKUP_TESTING_REPORT": path], exploring: true)
    let text = try #require(trial.errors.first).text
    #expect(text.contains("code: saved by \(codeLine("save", "save(_:)"))"))
    #expect(text.contains("\n  note: \(Self.note)"))
    let report = try JSONDecoder().decode(
      SuiteReport.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    let example = try #require(report.scenarios.first?.exploration?.counterexamples.first)
    #expect(example.note?.hasPrefix(Self.note) == true)
    for format in SuiteReport.formats {
      #expect(try format.text(report).contains(Self.note), "\(format.name)")
    }
  }
}
#endif
