#if os(macOS) || os(Linux)
import BackupExplorationReports
import BackupTesting
import Testing

@testable import BackupExploration
@testable import BackupScenarios
@testable import BackupVerdicts

/// Exploration reports each mistake of an app's code once, and nothing else.
@Suite(.enabled(if: TapTrial.isTapAvailable, "nobody sees there what an app's code changes"))
struct BlamedAppTests {
  private let head = "files: { 'Library/**': 'offline' },"

  @Test func `an item with a random name has one name in the finding and in the list of changes`()
    async throws
  {
    let story = try await AppStory(
      StagedInDocumentsApp.self, ["{ perform: 'download' }"], head: "files: { '**': 'offline' },")
    let result = await story.explored()
    let example = try #require(result.counterexamples.first)
    #expect(example.finding.rule == "recreatable-data-backed-up" && example.reproduction == .shown)
    let part = try #require(example.finding.path)
    #expect(part.name.string.hasSuffix(".part"))
    let names = result.text.matches(of: /[-0-9A-F]{36}\.part/).map { String($0.output) }
    #expect(Set(names) == [part.name.string] && names.count > 1, "\(result.text)")
  }

  @Test func `a book whose folder is never marked is one finding, not one for each file or kill`()
    async throws
  {
    let trial = try await ExplorationTrial(
      ImportingApp.self, ["{ perform: 'unpack', with: { chapters: 2 } }"], head: head)
    #expect(trial.result.obstacle == nil)
    #expect(
      trial.result.counterexamples.map(\.finding.rule) == ["recreatable-data-backed-up"],
      "\(trial.text)")
  }

  @Test func `a scenario with 'expect' is explored, and its expected finding is no failure`()
    async throws
  {
    let trial = try await AppTrial(
      ImportingApp.self,
      ["{ perform: 'import', with: { file: 'a' } }", "{ backup: 'night' }"],
      head: "\(head) expect: [{ rule: 'recreatable-data-backed-up' }],", exploring: true)
    #expect(trial.result?.verdict == .passed)
    #expect(trial.errors.map(\.description) == [])
    #expect(!trial.seen.contains { $0.text.contains("not explored") }, "\(trial.seen)")
  }
}
#endif
