import AppContainer
import DeviceSimulation

/// A read of a missing item by an app that did not check.
struct ExistsBeforeUseRule: Rule {
  let name = "exists-before-use"
  let severity = Finding.Severity.error
  let summary = "a read of a missing item by an app that did not check"
  let sources: [Source] = [.appReview223, .appleQA1719]

  func check(_ history: RunHistory, _ findings: inout FindingList) {
    for record in history.transcript.records {
      guard case .readMissing(let path) = record.event else { continue }
      findings.add(
        self, at: record.step, path,
        "'\(path)' is read, but it is not there: purged, not carried over or not restored",
        advice: "check that the file is there, and fetch or make it again where it is not")
    }
  }
}
