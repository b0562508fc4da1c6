#if os(macOS) || os(Linux)
import BackupExplorationReports
import BackupScenarios
import BackupTesting

@testable import BackupExploration
@testable import BackupVerdicts

/// The result of exploring a few steps with an app in its own process.
struct ExplorationTrial {
  let result: ExploredScenario

  /// Explores steps in the notation of a scenario file. The text `head` has further keys.
  init(
    _ app: (some AppUnderTest).Type, _ steps: [String], head: String = "",
    _ settings: Scenario.ExplorationBounds = Scenario.ExplorationBounds()
  ) async throws {
    result = try await AppStory(app, steps, head: head).explored(settings)
  }

  var text: String { result.text }
}
#endif
