import BackupContainer
import BackupScenarios
import BackupVerdicts

/// A check for two tests that share a golden file, but run different code of the app.
///
/// If one of these tests records the golden file, the other test fails.
struct SharedGoldenFiles: Sendable {
  /// The first run of a scenario in this process.
  private struct FirstRun {
    let test: String
    let goldenText: String
    /// True if the run recorded the golden file, or failed because the file has another text.
    let hasRecordedOrFailed: Bool
  }

  private struct TestPair: Hashable {
    let first: String
    let second: String
  }

  /// The first run for each path of a golden file, and the pairs of tests that a complaint has
  /// named. Tests that run at the same time share this state.
  private let state = Locked<(runs: [String: FirstRun], reportedPairs: Set<TestPair>)>(([:], []))

  /// Returns a complaint if an earlier test compared another golden text with the same golden file.
  ///
  /// - Returns: The complaint, once for each pair of tests. It is nil in these cases:
  ///   - No earlier test used the golden file.
  ///   - The golden texts are equal.
  ///   - The run stopped early, or compared no golden text.
  ///   - Both tests passed without recording the file.
  func complaint(
    about result: ScenarioResult, _ problems: [Scenario.Problem], of test: String, at path: String
  ) -> String? {
    guard result.scenario.goldenOptions.comparesRun, result.verdict != .error else { return nil }
    let hasRecordedOrFailed =
      result.verdict == .recorded || problems.contains { $0.kind == .golden && $0.isFailure }
    let run = FirstRun(
      test: test, goldenText: result.actualGolden, hasRecordedOrFailed: hasRecordedOrFailed)
    return state.withLock { state in
      guard let firstRun = state.runs[path] else {
        state.runs[path] = run
        return nil
      }
      guard firstRun.test != test, firstRun.goldenText != run.goldenText,
        firstRun.hasRecordedOrFailed || hasRecordedOrFailed,
        state.reportedPairs.insert(TestPair(first: firstRun.test, second: test)).inserted
      else { return nil }
      return
        "the tests '\(firstRun.test)' and '\(test)' run '\(result.scenario.id.escapedExcerpt)' with different outcomes, "
        + "but have one golden file, \(path.relativeToWorkingDirectory), which has the outcome that was recorded "
        + "last: one of the tests fails from the next run on\ndo: if they run different code, give one of "
        + "them golden files of its own: options: .init(goldenFolder: \"Golden-2\")"
    }
  }
}
