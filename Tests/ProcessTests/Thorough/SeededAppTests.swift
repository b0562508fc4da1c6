#if os(macOS) || os(Linux)
import BackupExplorationReports
import BackupFileTree
import TestSupport
import Testing

@testable import BackupExploration
@testable import BackupRules
@testable import BackupScenarios
@testable import BackupVerdicts

/// Exploration finds mistakes that only an injected event shows, and reports nothing on right apps.
@Suite(.enabled(if: TapTrial.isTapAvailable, "nobody sees there what an app's code changes"))
struct SeededAppTests {
  @Test(arguments: Thoroughness.every(4, of: SeededApp.wrong))
  func `only exploration and its counterexample show the mistake`(
    _ seeded: SeededApp
  ) async throws {
    let mistake = try #require(seeded.mistake)
    let story = try await seeded.story()
    let run = try await story.run()
    #expect(!run.findings.contains { $0.severity == .error } && run.failure == nil)

    let result = await story.explored()
    let report = result.text
    #expect(result.obstacle == nil && result.counts.stepsWithUnseenChanges.count == 0, "\(report)")
    let example = try #require(result.counterexamples.first)
    #expect(result.counterexamples.allSatisfy { $0.finding.rule == mistake.rule }, "\(report)")
    #expect(mistake.isShown(by: example.finding) && example.finding.severity == .error, "\(report)")
    #expect(example.stepCount <= 6, "\(report)")

    let shown = try await seeded.story(example.text).run()
    #expect(shown.findings.contains(where: mistake.isShown), "\(example.text)")
    let withoutSystemSteps = seeded.withoutSystemSteps(example.text)
    #expect(withoutSystemSteps != example.text)
    let runWithoutEvents = try await seeded.story(withoutSystemSteps).run()
    #expect(!runWithoutEvents.findings.contains(where: mistake.isShown), "\(example.text)")
    #expect(runWithoutEvents.failure == nil, "\(example.text)")
  }

  @Test(arguments: Thoroughness.every(4, of: SeededApp.right))
  func `exploration reports nothing on a right app`(_ seeded: SeededApp) async throws {
    let story = try await seeded.story()
    let run = try await story.run()
    #expect(
      run.findings.compactMap(\.path).map(\.description)
        == [seeded.fileWithWarning].compactMap(\.self))
    #expect(run.findings.allSatisfy { $0.severity == .warning } && run.failure == nil)
    let result = await story.explored()
    let report = result.text
    #expect(result.obstacle == nil && result.counts.isWithinLimits, "\(report)")
    #expect(result.counts.stepsWithUnseenChanges.count == 0, "\(report)")
    #expect(result.counterexamples.isEmpty, "\(report)")
  }
}
#endif
