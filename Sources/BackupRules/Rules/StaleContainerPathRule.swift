import BackupCollections
import BackupDevice
import BackupFileTree
import BackupScenarios

/// A former container's path used after an update or a restore, or left standing in a link.
///
/// The container's path has a new UUID then. An app that stored an absolute path finds all its data
/// missing, though every file is there. A link that was made by an absolute path leads nowhere.
struct StaleContainerPathRule: Rule {
  let name = "stale-container-path"
  let severity = Scenario.Severity.error
  let summary = "a former container's path used after an update or a restore, or kept in a link"
  let subjects: [SystemProfile.Subject] = [.update]
  let sources: [SystemProfile.Source] = [.observed, .appleFSPG]

  func check(_ history: RunHistory, _ findings: inout FindingList) {
    guard history.entries.contains(where: \.event.isOfFormerContainer) else { return }
    // Of a link that both stood there and was used, the use is said.
    checkUses(history, &findings)
    checkLinks(history, inUse: true, &findings)
    checkLinks(history, inUse: false, &findings)
  }

  /// Reports the uses of paths that the app had stored.
  private func checkUses(_ history: RunHistory, _ findings: inout FindingList) {
    for entry in history.transcript.entries {
      guard case .staleURL(let path, let wrapper) = entry.event else { continue }
      findings.add(
        self, at: entry.step, on: path,
        "'\(path)' is looked for in a container that the app had before\(Self.why(wrapper))",
        advice: "store paths relative to the container, and ask for its directories at each start "
          + "and not once, as in a static")
    }
  }

  /// Reports the links that the app used, or those that it left standing.
  private func checkLinks(
    _ history: RunHistory, inUse isAboutUse: Bool, _ findings: inout FindingList
  ) {
    var ledger = ItemLedger()
    var tree = history.transcript.firstTree
    for entry in history.transcript.entries {
      ledger.follow(entry, before: tree)
      tree = entry.tree
      guard case .staleLink(let path, isUsed: isAboutUse, let wrapper) = entry.event else {
        continue
      }
      let verb = isAboutUse ? "is read through, but holds" : "still holds"
      findings.add(
        self, severity: isAboutUse ? severity : .warning,
        at: ledger.origins[path] ?? entry.step, on: path,
        "the link '\(path)' \(verb) a path in a container that the app had before"
          + Self.why(wrapper),
        advice: "make the link with a relative path, or make it again at each start")
    }
  }

  /// Why a former container's path is out of date, with the app's own error where there is one.
  private static func why(_ wrapper: String?) -> String {
    "; an update or a restore gave it another path" + quoting(wrapper)
  }
}

extension Transcript.Event {
  /// Whether it is about a path of a container that the app had before.
  fileprivate var isOfFormerContainer: Bool {
    switch self {
    case .staleURL, .staleLink: true
    default: false
    }
  }
}
