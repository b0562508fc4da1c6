import BackupDevice
import BackupScenarios

/// A former container's path used after an update or a restore.
///
/// The container's path has a new UUID then. An app that stored an absolute path finds all its data
/// missing, though every file is there.
struct StaleContainerPathRule: Rule {
  let name = "stale-container-path"
  let severity = Scenario.Severity.error
  let summary = "a former container's path used after an update or a restore"
  let sources: [SystemProfile.Source] = [.observed, .appleFSPG]

  func check(_ history: RunHistory, _ findings: inout FindingList) {
    for entry in history.transcript.entries {
      guard case .staleURL(let path, let wrapper) = entry.event else { continue }
      findings.add(
        self, at: entry.step, on: path,
        "'\(path)' is looked for in a container that the app had before; an update or a restore "
          + "gave it another path" + Self.quoting(wrapper),
        advice: "store paths relative to the container, and ask for its directories at each start")
    }
  }
}
