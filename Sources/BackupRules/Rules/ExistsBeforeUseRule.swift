import BackupDevice
import BackupScenarios

/// A use of a missing item by an app that did not check.
///
/// A file that was there yesterday may be gone: purged, not carried over by an update, or kept out
/// of the backup that was restored. An app that takes it for granted fails just then.
struct ExistsBeforeUseRule: Rule {
  let name = "exists-before-use"
  let severity = Scenario.Severity.error
  let summary = "a use of a missing item by an app that did not check"
  let sources: [SystemProfile.Source] = [.appReview223, .appleQA1719]

  func check(_ history: RunHistory, _ findings: inout FindingList) {
    for entry in history.transcript.entries {
      switch entry.event {
      case .readMissing(let path, let wrapper):
        findings.add(
          self, at: entry.step, on: path,
          "'\(path)' is read, but it is not there: purged, not carried over or not restored"
            + Self.quoting(wrapper),
          advice: "check that the file is there, and fetch or make it again where it is not")
      case .writeToMissing(let path, let wrapper):
        findings.add(
          self, at: entry.step, on: path,
          "'\(path)' is opened or written to, but it is not there: never made, purged, not carried "
            + "over or not restored" + Self.quoting(wrapper),
          advice: "create the directory, with intermediates, before each save: where it is there, "
            + "that is no error; before a read, check that the file is there")
      default:
        continue
      }
    }
  }
}
