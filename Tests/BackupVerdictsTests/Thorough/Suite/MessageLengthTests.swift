import BackupReports
import TestSupport
import Testing
import TrialSupport

@testable import BackupDiagnostics
@testable import BackupRules
@testable import BackupScenarios
@testable import BackupVerdicts

/// Words of any length in scenario and golden files do not make long messages.
@Suite struct `The length of messages` {
  /// The maximum number of bytes in a line of a report.
  private static let longestLine = 12_000

  /// Scenario files that have `WORD` in each place that takes a word.
  private static let files: [String] =
    [
      "WORD", "'WORD'", "{ WORD: 1 }", "{ title: WORD }", "{ 'WORD': 1, 'WORD': 2 }",
      "{ title: 1WORD }", "{ title: '\\WORD' }", "{ title: 'T', steps: 'WORD' }", "{ title 'WORD }",
      "{ title: 'T', steps: [] } WORD", "/* WORD", "{ title: 'T' 'WORD' }",
    ]
    + [
      "title: 'WORD', steps: []", "system: 'WORD'", "system: ['WORD']", "backups: 'WORD'",
      "guidance: 'WORD'", "app: { bundleIdentifier: 'WORD' }", "app: { version: 'WORD' }",
      "app: { WORD: 1 }", "requirements: ['WORD']", "files: { 'WORD': 'support' }",
      "files: { 'tmp/**': 'WORD' }", "budget: 'WORD'", "budget: { 'WORD': 1 }",
      "budget: { '**': 'WORD' }", "storage: { '**': { files: 'WORD' } }", "golden: { WORD: 1 }",
      "golden: { names: { 'WORD': '{any}' } }", "golden: { names: { 'tmp/*': 'WORD' } }",
      "golden: { names: { 'tmp/*': '{WORD}' } }", "golden: { sizes: ['WORD'] }",
      "expect: [{ rule: 'WORD' }]", "expect: [{ rule: 'reapply-on-save', path: 'WORD' }]",
      "expect: [{ rule: 'reapply-on-save', step: 'WORD' }]", "expect: [{ WORD: 1 }]",
      "expect: [{ rule: 'reapply-on-save', system: 'WORD' }]", "launch: ['WORD']",
    ].map { "{ title: 'T', steps: [{ backup: 'a' }], \($0) }" } + steps.map(file)

  /// Steps that have `WORD` in each place that takes a word.
  private static let steps = [
    "WORD: 1", "createDirectory: 'WORD'", "createDirectory: 'tmp/a', intermediates: 'WORD'",
    "save: 'WORD', size: 1", "save: 'tmp/a', size: 'WORD'", "save: 'tmp/a', size: '1 WORD'",
    "save: 'tmp/a', contents: 'WORD'", "save: 'tmp/a', size: 1, how: 'WORD'",
    "save: 'tmp/a', size: 1, WORD: 1", "exclude: 'tmp', using: 'WORD'", "move: 'tmp', to: 'WORD'",
    "link: 'tmp/l', to: 'WORD'", "read: 'tmp/a', ifMissing: 'WORD'", "backup: 'WORD'",
    "restore: 'WORD'", "purge: 'WORD'", "purge: ['WORD']", "updateApp: 'WORD'",
    "updateApp: '2', keeping: ['WORD']", "updateApp: '2', losing: ['WORD']",
    "updateSystem: 'WORD'", "relaunch: { WORD: 1 }", "perform: 'WORD'",
    "perform: 'a', with: { WORD: 1 }", "perform: 'a', with: { a: 'WORD' }", "run: ['WORD']",
    "run: ['true', 'WORD']", "expectFiles: { present: ['WORD'] }", "expectFiles: { WORD: 1 }",
    "expectBackup: { contains: ['WORD'] }", "remove: 'tmp/a', throws: 'WORD'",
    "remove: 'tmp/a', on: 'WORD'", "backup: 'a', restore: 'WORD'",
  ]

  /// Returns a scenario file with a step after a backup.
  private static func file(_ step: String) -> String {
    "{ title: 'T', steps: [{ backup: 'first' }, { \(step) }] }"
  }

  /// Long words: letters, names, one character with many accents, escaped characters, and wide
  /// characters.
  private static let words = [
    String(repeating: "x", count: 16_000), String(repeating: "tmp/", count: 4_000),
    "a" + String(repeating: "\u{301}", count: 8_000),
    String(repeating: "\u{202E}", count: 5_000),
    String(repeating: "😀 ", count: 3_000),
  ]

  /// Requires that no line of a text is too long.
  private func requireShortLines(_ text: String, _ place: String) {
    let longest = text.split(separator: "\n").map(\.utf8.count).max() ?? 0
    #expect(longest <= Self.longestLine, "\(place) brings a line of \(longest) bytes")
  }

  @Test(arguments: words.indices)
  func `does not grow with a word of a scenario file`(index: Int) async throws {
    for file in Self.files {
      let text = file.replacing("WORD", with: Self.words[index])
      do throws(RunError) {
        let scenario = try Scenario(text: text, id: "trial")
        let result = try? await Trial.result(scenario, .never)
        let problems = (result?.problems ?? []).flatMap { [$0.message] + $0.details }
        requireShortLines(problems.map(\.onOneLine).joined(separator: "\n"), file)
        guard let result else { continue }
        let report = SuiteReport([ScenarioReport(result, withRuns: false)])
        requireShortLines(report.diagnostics(isColored: false), file)
        requireShortLines(report.summary, file)
      } catch {
        #expect(!error.diagnostics.isEmpty)
        requireShortLines(error.description, file)
        requireShortLines(error.diagnostics.text(), file)
      }
    }
  }

  @Test func `does not grow with the number of mistakes`() {
    let mistakes = Trial.mistakes(
      in: "{ title: 'T', steps: [\n" + String(repeating: "1,\n", count: 9_000) + "] }")
    #expect(mistakes.count == ScenarioReader.maximumMistakeCount + 1)
    #expect(mistakes.last == "1002:1: 8000 more mistakes from here on; fix those above first")
  }

  @Test func `is limited by a cut in the middle, which names the full length`() {
    let long = "begin " + String(repeating: "x", count: 5_000) + " end"
    #expect(long.asMessage.hasPrefix("begin xxx") && long.asMessage.hasSuffix("xxx end"))
    #expect(long.asMessage.contains("x… (5010 characters) …x"))
    #expect("short".asMessage == "short" && "12345".cutInMiddle(to: 4) == "12… (5 characters) …45")
  }

  @Test func `does not grow with a line of a golden file`() async throws {
    let folder = try TestFolder()
    let line = "  in   " + String(repeating: "x  ", count: 100_000)
    try folder.write("# golden 2: trial\n\(line)\nbackup \(line)\n", to: "trial.golden")
    let scenario = try Trial.scenario(["{ backup: 'a' }"])
    let result = try await Trial.result(
      scenario, .never, goldens: GoldenStore(folder: folder.path))
    #expect(result.verdict == .failed)
    let text = SuiteReport([ScenarioReport(result, withRuns: false)]).diagnostics(isColored: false)
    requireShortLines(text, "a golden file")
    #expect(text.contains("… (300007 characters) …"))
  }

  @Test func `does not grow with a difference, whose hidden lines are counted`() async throws {
    let folder = try TestFolder()
    let lines = (0..<10_000).map { "  in   Documents/\($0)  1 byte\n" }.joined()
    let golden = "# golden 2: trial\nsystem newest, iCloud\nbackup \"a\": 1 file, 1 byte\n"
    try folder.write(golden + lines, to: "trial.golden")
    let scenario = try Trial.scenario(["{ backup: 'a' }"])
    let store = GoldenStore(folder: folder.path)
    let details = try await Trial.result(scenario, .never, goldens: store).problems[0].details
    let gap = try #require(details.first { $0.hasPrefix("… and ") })
    #expect(gap.hasPrefix("… and 90"))
    let advice =
      " more lines; to see all of them, record it with --record failed scenario.json5, and compare "
    #expect(gap.contains(advice) && gap.hasSuffix("trial.golden in version control"))
    #expect(details.count < 2 * ExplainedDifference.maximumLineCount + 10)
  }
}
