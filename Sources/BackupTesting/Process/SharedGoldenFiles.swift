import BackupContainer
import BackupScenarios
import BackupVerdicts

/// The golden files that tests of a process compare with, by which the kit finds two tests that run the
/// same scenario, each with other code of the app.
struct SharedGoldenFiles: Sendable {
  /// What came of the scenario in the first test that ran it.
  private struct FirstRun {
    let test: String
    let outcome: String
    let isDisputed: Bool
  }

  private struct Pair: Hashable {
    let first: String
    let second: String
  }

  /// The first runs, by the path of the golden file; and the pairs of tests that were named. Several tests
  /// change them.
  private let known = Locked<(runs: [String: FirstRun], named: Set<Pair>)>(([:], []))

  /// Returns a complaint about two tests that have one golden file and do not agree on it.
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
    return known.withLock { known in
      guard let first = known.runs[path] else {
        known.runs[path] = run
        return nil
      }
      guard first.test != test, first.outcome != run.outcome, first.isDisputed || isDisputed,
        known.named.insert(Pair(first: first.test, second: test)).inserted
      else { return nil }
      return
        "the tests '\(first.test)' and '\(test)' run '\(result.scenario.id.shown)' with different outcomes, "
        + "but have one golden file, \(path.inWorkingDirectory), which has the outcome that was recorded "
        + "last: one of the tests fails from the next run on\ndo: if they run different code, give one of "
        + "them golden files of its own: options: .init(goldenFolder: \"Golden-2\")"
    }
  }
}
