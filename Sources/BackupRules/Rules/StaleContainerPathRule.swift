import BackupCollections
import BackupContainer
import BackupDevice
import BackupScenarios

/// Reports an app that uses its container's former path after an update or a restore. The rule also
/// warns of a link or a file that contains the container's path.
///
/// An update or a restore changes the UUID in the container's path. An app that stored an absolute
/// path then finds none of its files, and a link with an absolute path leads nowhere. A stored path
/// is only a warning, because the app may correct the path when it reads it.
struct StaleContainerPathRule: Rule {
  let name = "stale-container-path"
  let sources: [SystemProfile.Source] = [.observed, .appleFSPG]
  var requirements: BrokenRequirements { .onEvent([.takesItem, .movesContainer]) }

  /// The app has looked for the path only if the finding is an error.
  func codeToBlame(for severity: Scenario.Severity) -> CodeToBlame {
    severity == .error ? .call(.look) : .change
  }

  func observe(_ event: ObservedEvent, _ memory: inout NoMemory, _ report: inout RuleReport) {
    switch event.event {
    case .staleURL(let path, let error):
      report.add(
        self, at: event.step, on: path,
        "the app uses '\(path)' at its container's former path\(Self.cause(quoting: error))",
        advice: .text(
          "store paths relative to the container, and ask for its directories at each start "
            + "instead of storing them, for example in a static variable"))
    case .staleLink(let path, isUsed: let isUsed, let error):
      // If the kit finds a link that the app also uses, the finding is on the use, which is worse.
      report.add(
        self, severity: isUsed ? severity : .warning,
        at: event.facts.ledger.origins[path] ?? event.step, on: path,
        "the link '\(path)' \(isUsed ? "is followed, but contains" : "still contains") the "
          + "container's former path" + Self.cause(quoting: error),
        advice: "create the link with a relative path, or create it again at each start")
    case .storedPath(let path, let key, setBy: let setter):
      guard let origin = event.facts.ledger.origin(of: path) else { return }
      report.add(
        self, severity: .warning, at: setter ?? origin, on: path,
        distinguishedBy: Self.storedPathDiscriminator,
        groupedBy: .item,
        "'\(path)' contains the container's path\(Self.words(forKey: key)), which an update or a "
          + "restore changes",
        advice: .text(
          "store a path relative to the container, or a bookmark; if the app corrects the stored "
            + "path at each start, nothing needs to change"),
        note: Self.note(onDefaults: path, setBy: setter, in: event.scenario))
    default: return
    }
  }

  /// Distinguishes violations on stored paths from violations on paths in use.
  private static let storedPathDiscriminator = 1

  private static func cause(quoting error: String?) -> String {
    "; an update or a restore has changed it" + quoting(error)
  }
}
