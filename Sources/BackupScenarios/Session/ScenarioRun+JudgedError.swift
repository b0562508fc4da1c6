/// An error of the app's code that a rule can judge, unless the test handles it; and what it says
/// that the app did, and nothing else.
typealias JudgedError = (error: ThrownError, transcript: Transcript)

extension ScenarioRun {
  /// Judges what the code of the latest step has thrown; nil for an error that no rule is about.
  ///
  /// The run notes it for a moment only: the test may handle it.
  mutating func judge(_ error: any Error) -> JudgedError? {
    let error = ThrownError(error)
    let count = transcript.entries.count
    let isReported = (try? failure(for: error))?.isReportedByRule == true
    let noted = Array(transcript.entries[count...])
    transcript.entries.removeLast(noted.count)
    guard isReported else { return nil }
    var judged = transcript
    judged.entries = noted.isEmpty ? transcript.marksInVain(at: currentStep) : noted
    return (error, judged)
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
