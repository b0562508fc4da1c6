/// An error of the app's code that a rule can judge, should nobody cope with it.
struct JudgedError: Sendable {
  let error: ThrownError
  /// What it says that the app did, and nothing else.
  let transcript: Transcript

  /// Judges what the code of the latest step has thrown; nil for an error that no rule is about.
  ///
  /// The run notes it for a moment only: the test may cope with it.
  init?(_ error: any Error, in run: inout ScenarioRun) {
    self.error = ThrownError(error)
    let count = run.transcript.entries.count
    let isReported = (try? run.failure(for: self.error))?.isReportedByRule == true
    let noted = Array(run.transcript.entries[count...])
    run.transcript.entries.removeLast(noted.count)
    guard isReported else { return nil }
    var transcript = run.transcript
    transcript.entries = noted.isEmpty ? run.transcript.marksInVain(at: run.currentStep) : noted
    self.transcript = transcript
  }
}

extension Transcript {
  /// The marks that the latest step set where nothing is, or that the system does not have.
  fileprivate func marksInVain(at step: Scenario.StepReference) -> [Entry] {
    let latest = entries.reversed().prefix { $0.step == step }.reversed()
    return latest.filter { entry in
      switch entry.event {
      case .markOnMissing, .markUnavailable: true
      default: false
      }
    }
  }
}
