import BackupCollections
import BackupContainer
import BackupDevice
import BackupScenarios

/// A former container's path used after an update or a restore, or the container's path kept in a link
/// or a file.
///
/// The container's path has a new UUID then. An app that stored an absolute path finds all its data
/// missing, though every file is there. A link that was made by an absolute path leads nowhere. What is
/// only stored is a warning: the app may repair it when it reads it.
struct StaleContainerPathRule: Rule {
  let name = "stale-container-path"
  let sources: [SystemProfile.Source] = [.observed, .appleFSPG]
  var requirements: BrokenRequirements { .onEvent([.takesItem, .movesContainer]) }

  /// What is only stored was not looked for.
  func codeToBlame(for severity: Scenario.Severity) -> CodeToBlame {
    severity == .error ? .call(.look) : .change
  }

  func observe(_ event: ObservedEvent, _ memory: inout NoMemory, _ report: inout RuleReport) {
    switch event.event {
    case .staleURL(let path, let wrapper):
      report.add(
        self, at: event.step, on: path,
        "the app uses '\(path)' at its container's former path\(Self.why(wrapper))",
        advice: .text(
          "store paths relative to the container, and ask for its directories at each start "
            + "instead of storing them, for example in a static variable"))
    case .staleLink(let path, isUsed: let isUsed, let wrapper):
      // Of a link that both stood there and was used, the use is said: it is worse.
      report.add(
        self, severity: isUsed ? severity : .warning,
        at: event.facts.ledger.origins[path] ?? event.step, on: path,
        "the link '\(path)' \(isUsed ? "is followed, but contains" : "still contains") the "
          + "container's former path" + Self.why(wrapper),
        advice: "create the link with a relative path, or create it again at each start")
    case .storedPath(let path, let key, setBy: let setter):
      guard let origin = event.facts.ledger.origin(of: path) else { return }
      report.add(
        self, severity: .warning, at: setter ?? origin, on: path, by: Self.stored, identity: .item,
        "'\(path)' contains the container's path\(Self.words(forKey: key)), which an update or a "
          + "restore changes",
        advice: .text(
          "store a path relative to the container, or a bookmark; if the app corrects the stored "
            + "path at each start, nothing needs to change"),
        note: Self.note(onDefaults: path, setBy: setter, in: event.scenario))
    default: return
    }
  }

  /// Tells a path that is only stored from one that is used.
  private static let stored = 1

  private static func why(_ wrapper: String?) -> String {
    "; an update or a restore has changed it" + quoting(wrapper)
  }
}
