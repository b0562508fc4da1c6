import BackupDevice
import BackupScenarios

/// An index in backups that names a missing file. The system took the file or did not bring it back, and
/// the app has started since then.
///
/// The kit needs the tap to see whether the app looks for the file before it uses it. The finding is
/// therefore advice, which says when the app is right. There is no finding if the kit has seen the app
/// look for the file, or if another finding says that the app does not.
struct NamesMissingFileRule: Rule {
  let name = "names-missing-file"
  let severity = Scenario.Severity.advice
  let sources: [SystemProfile.Source] = [.appleFileSystem, .appleOptimizing]

  /// The finding is on the missing file, but the mistake is in the file that names it.
  func codeToBlame(for severity: Scenario.Severity) -> CodeToBlame { .ofAnotherItem }

  func observe(_ event: ObservedEvent, _ memory: inout NoMemory, _ report: inout RuleReport) {
    guard
      case .namedMissing(let index, key: let key, setBy: let setter, missing: let path) =
        event.event
    else { return }
    let step = setter ?? event.facts.ledger.origin(of: index) ?? event.step
    report.add(
      self, at: step, on: path, identity: .item,
      "'\(index)' is in backups and still names '\(path)'\(Self.words(forKey: key)), which the "
        + "system purged or did not restore",
      advice: .text(
        "handle the missing file, or remove the name when the app starts and does not find the "
          + "file; if the app checks that the file exists before it uses it, nothing needs to "
          + "change"),
      note: Self.note(onDefaults: index, setBy: setter, in: event.scenario),
      unless: [ExistsBeforeUseRule().name, UserDataExcludedRule().name]
        + RuleList.names(about: .purgeablePlace))
  }
}
