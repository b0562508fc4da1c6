import BackupDevice
import BackupScenarios

/// Reports a file in backups, such as an index, that names a missing file. The system took the
/// missing file or did not restore it, and the app has started since then.
///
/// Only the tap (`FileSystemTap`) shows whether the app looks for a file before it uses it. The
/// finding is therefore only advice. The rule has no finding if the kit has seen the app look for
/// the file, or if another finding reports a use without a check.
struct NamesMissingFileRule: Rule {
  let name = "names-missing-file"
  let severity = Scenario.Severity.advice
  let sources: [SystemProfile.Source] = [.appleFileSystem, .appleOptimizing]

  /// The finding is on the missing file, but the mistake is in the file that names it.
  func codeToBlame(for severity: Scenario.Severity) -> CodeToBlame { .ofAnotherItem }

  func observe(_ event: ObservedEvent, _ memory: inout NoMemory, _ report: inout RuleReport) {
    guard
      case .namedMissing(let indexFile, key: let key, setBy: let setter, missing: let path) =
        event.event
    else { return }
    let step = setter ?? event.facts.ledger.origin(of: indexFile) ?? event.step
    report.add(
      self, at: step, on: path, groupedBy: .item,
      "'\(indexFile)' is in backups and still names '\(path)'\(Self.words(forKey: key)), which the "
        + "system purged or did not restore",
      advice: .text(
        "handle the missing file, or remove the name when the app starts and does not find the "
          + "file; if the app checks that the file exists before it uses it, nothing needs to "
          + "change"),
      note: Self.note(onDefaults: indexFile, setBy: setter, in: event.scenario),
      unless: [ExistsBeforeUseRule().name, UserDataExcludedRule().name]
        + RuleList.names(about: .purgeablePlace))
  }
}
