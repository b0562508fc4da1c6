import BackupContainer
import BackupScenarios
import BackupVerdicts

/// The golden files that the tests of a process compare with. By these, the kit finds two tests that run one scenario
/// with different code of the app.
struct SharedGoldenFiles: Sendable {
  /// The outcome of a scenario in the first test that ran it.
  private struct FirstRun {
    let test: String
    let outcome: String
    let isDisputed: Bool
  }

  private struct Pair: Hashable {
    let first: String
    let second: String
  }

  /// The first runs, by the path of the golden file, and the pairs of tests in complaints. Several tests change them.
  private let state = Locked<(runs: [String: FirstRun], reported: Set<Pair>)>(([:], []))

  /// Returns a complaint about two tests that have one golden file and different outcomes.
  ///
  /// - Returns: The complaint, once for two tests; nil if this is the first test that has the golden file, if
  ///   the outcome is the same, if a run stopped early, or if both tests pass and neither has recorded the
  ///   file.
  func complaint(
    about result: ScenarioResult, _ problems: [Scenario.Problem], of test: String, at path: String
  ) -> String? {
    guard result.scenario.golden.isCompared, result.verdict != .error else { return nil }
    let isDisputed =
      result.verdict == .recorded || problems.contains { $0.kind == .golden && $0.isFailure }
    let run = FirstRun(test: test, outcome: result.actualGolden, isDisputed: isDisputed)
    return state.withLock { state in
      guard let first = state.runs[path] else {
        state.runs[path] = run
        return nil
      }
      guard first.test != test, first.outcome != run.outcome, first.isDisputed || isDisputed,
        state.reported.insert(Pair(first: first.test, second: test)).inserted
      else { return nil }
      return
        "the tests '\(first.test)' and '\(test)' run '\(result.scenario.id.shown)' with different outcomes, "
        + "but have one golden file, \(path.inWorkingDirectory), which has the outcome that was recorded "
        + "last: one of the tests fails from the next run on\ndo: if they run different code, give one of "
        + "them golden files of its own: options: .init(goldenFolder: \"Golden-2\")"
    }
  }
}
