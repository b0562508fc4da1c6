import BackupDevice
import BackupScenarios

/// A marking way that the system does not have.
struct MarkUnavailableRule: Rule {
  let name = "mark-unavailable"
  let severity = Scenario.Severity.error
  let summary = "a marking way that the system does not have"
  let sources: [SystemProfile.Source] = [.appleQA1719]

  func check(_ history: RunHistory, _ findings: inout FindingList) {
    for record in history.transcript.entries {
      guard case .markUnavailable(let path, let mark) = record.event else { continue }
      let available = record.profile.availableMarks.value
      let instead =
        record.profile.honouredMarks.value.isEmpty
        ? "keep the data in Library/Caches on this system" : "use the \(available) there"
      findings.add(
        self, at: record.step, path,
        "iOS \(record.profile.version) has no \(mark) to mark '\(path)' with",
        advice: "check for the system or catch the error, and \(instead)",
        explains: [Explanation(effect: .backedUp, path: path)])
    }
  }
}
