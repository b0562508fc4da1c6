/// An error of the app's code that a rule can judge, should nobody cope with it.
struct JudgedError: Sendable {
  /// The error.
  let error: ThrownError
  /// What it says that the app did, and nothing else.
  let transcript: Transcript

  /// Judges what the code of the latest step has thrown; nil for an error that no rule is about.
  init?(_ error: any Error, in run: ScenarioRun) {
    var run = run
    let before = run.transcript.entries
    self.error = ThrownError(error)
    guard run.failure(for: self.error).isReportedByRule else { return nil }
    let noted = Array(run.transcript.entries.dropFirst(before.count))
    var transcript = run.transcript
    transcript.entries =
      noted.isEmpty ? before.filter { $0.marksMissing(at: run.currentStep) } : noted
    self.transcript = transcript
  }
}

extension Transcript.Entry {
  /// Whether a step set a mark where nothing is.
  fileprivate func marksMissing(at step: Scenario.StepReference) -> Bool {
    if self.step == step, case .markOnMissing = event { true } else { false }
  }
}
