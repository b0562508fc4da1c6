import BackupDevice
import BackupFileTree
import BackupScenarios

/// Reports a directory of the app directly in Library, without the bundle identifier in its name.
///
/// The system also keeps directories in Library. A name with the identifier cannot clash with their
/// names, and shows that the directory belongs to the app.
struct DirectoryNameRule: Rule {
  let name = "directory-name"
  let severity = Scenario.Severity.advice
  let basis = RuleBasis.identifier
  let sources: [SystemProfile.Source] = [.appleOptimizing, .eidinger]

  /// The names of directories directly in Library that Apple intends for apps
  /// (`apple-guidelines-2011`: Private Documents).
  private static let namesFromApple: Set<String> = [
    "Application Support", "Caches", "Logs", "Preferences", "Private Documents",
  ]

  func observe(_ event: ObservedEvent, _ memory: inout NoMemory, _ report: inout RuleReport) {
    let identifier = event.scenario.app.bundleIdentifier
    for change in event.changes where lacksIdentifier(change.path, identifier) {
      switch change {
      case .created, .moved, .copied: break
      case .savedInPlace, .replaced, .removed, .marked, .cleared: continue
      }
      let path = change.path
      guard event.tree[path]?.isDirectory == true else { continue }
      report.add(
        self, at: event.step, on: path, groupedBy: .item,
        "'\(path)' is a directory of the app, but its name does not contain the bundle identifier",
        advice: .text(
          "rename it to 'Library/\(identifier)', or move it to Library/Application Support"))
    }
  }

  /// Returns true if a path is directly in Library, its name is not from Apple, and the name lacks
  /// the identifier.
  private func lacksIdentifier(_ path: ContainerPath, _ identifier: String) -> Bool {
    path.containerName?.isGroup != true
      && path.pathWithoutContainerName?.parent == ContainerPath.StandardLocation.library.path
      && !Self.namesFromApple.contains(path.name.string) && !path.isInSystemDirectory
      && !path.name.string.contains(identifier)
  }
}
