#if os(macOS) || os(Linux)
import BackupExplorationReports
import BackupScenarios
import BackupTesting

@testable import BackupExploration
@testable import BackupVerdicts

/// What came of exploring a scenario of a few steps with an app of its own process.
struct ExplorationTrial {
  let result: ExploredScenario

  /// Explores steps, written as in a scenario file.
  init(
    _ app: (some AppUnderTest).Type, _ steps: [String], head: String = "",
    _ settings: Scenario.ExplorationBounds = Scenario.ExplorationBounds()
  ) async throws {
    result = try await AppStory(app, steps, head: head).explored(settings)
  }

  var text: String { result.text }
}
#endif
