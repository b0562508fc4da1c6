import BackupDevice
import BackupDiagnostics
import BackupFileTree
package import BackupScenarios

/// Every rule, those that explain the most first.
package enum RuleList {
  package static let all: [any Rule] = [
    RefusedPlaceRule(), SecretBackedUpRule(), ExistsBeforeSetRule(), MarkUnavailableRule(),
    SystemDirectoryMarkedRule(),
    DeprecatedMarkRule(), ReapplyOnSaveRule(), IncompleteGroupRule(), UserDataPurgeableRule(),
    UserDataExcludedRule(), RecreatableDataBackedUpRule(), MisplacedItemRule(),
    ExistsBeforeUseRule(), TornSaveRule(), UserDataLostRule(), ContentsChangedRule(),
    HalfDoneRule(),
    StaleContainerPathRule(), AppCheckFailedRule(), NamesMissingFileRule(),
    TemporaryLeftBehindRule(), UndeclaredItemRule(),
    DirectoryNameRule(), BackupBudgetRule(), StorageBudgetRule(),
  ]

  package static let names = all.map(\.name)

  /// The names of the rules on what the user loses by a kill, however the trace goes on.
  package static let losses: Set<String> = [TornSaveRule().name, UserDataLostRule().name]

  /// The findings in a run, each cause once.
  package static func findings(
    in transcript: Transcript, by rules: [any Rule] = all
  ) -> [Scenario.Finding] {
    var monitor = RunMonitor(transcript, by: rules)
    for entry in transcript.entries { monitor.observe(entry) }
    if transcript.failure == nil { monitor.end() }
    let violations = monitor.takeViolations()
    let findings = notingShim(monitor.findings(of: violations), transcript.stepsWithoutShim)
    return namingLosses(findings, transcript)
  }

  /// The findings, each about a missing item with what took it.
  private static func namingLosses(
    _ findings: [Scenario.Finding], _ transcript: Transcript
  ) -> [Scenario.Finding] {
    findings.map { finding in
      guard finding.rule == ExistsBeforeUseRule().name,
        let loss = finding.path.map(transcript.loss)
          ?? transcript.keychainLoss(before: finding.step)
      else { return finding }
      var named = finding
      named.message = finding.message.replacing(
        ExistsBeforeUseRule.isMissing, with: "it has been missing since \(loss)",
        maxReplacements: 1)
      return named
    }
  }

  /// The findings, with a note on the shim beside the first that is about a missing mark, if the
  /// app's own code may have set that mark without the kit seeing it.
  private static func notingShim(
    _ findings: [Scenario.Finding], _ steps: Set<Scenario.StepReference.Number>
  ) -> [Scenario.Finding] {
    let index = findings.firstIndex { finding in
      finding.missingMark.contains(.resourceValue) && steps.contains(finding.step.number)
    }
    guard let index else { return findings }
    var findings = findings
    findings[index].note =
      "on Linux, the kit does not see the marks that the app sets with Foundation unless the test "
      + "target depends on LinuxAppShim, or the app's modules contain the file that "
      + "'backup-testing linux-shim' prints; neither is in use here"
    return findings
  }
}

extension Transcript {
  /// How the system took an item that the app uses, or did not bring it back; nil if it has not.
  fileprivate func loss(of path: ContainerPath) -> String? {
    let use = entries.firstIndex { $0.event.isUse(ofMissing: path) }
    return entries[..<(use ?? 0)].reversed().lazy.compactMap { $0.loss(of: path) }.first
  }

  /// Why a keychain item is not there that a step reads; nil if it was never there.
  fileprivate func keychainLoss(before step: Scenario.StepReference) -> String? {
    let read = entries.firstIndex { $0.step == step && $0.event.missingKeychainItem != nil }
    guard let read, let name = entries[read].event.missingKeychainItem,
      let lost = (0..<read).dropFirst().last(where: { place in
        entries[place].keychain[name] == nil && entries[place - 1].keychain[name] != nil
      }),
      case .restore(let backup, missing: _) = entries[lost].event
    else { return nil }
    let taken = entries[..<lost].last { $0.event.backup?.label == backup.label }
    let reason =
      if let taken, taken.keychain[name] == nil {
        "was taken before the app set the item"
      } else if entries[lost - 1].keychain[name] == .thisDeviceOnly {
        "does not move the item, which is for one device only, to another device"
      } else {
        "does not move the item to another device; only restoring an encrypted local backup would"
      }
    let label = EscapedText.escape(backup.label)
    return "the restore in \(entries[lost].step) (the backup \"\(label)\" \(reason))"
  }
}

extension Transcript.Event {
  /// The keychain item that the app reads in vain; nil for anything else.
  fileprivate var missingKeychainItem: String? {
    if case .keychainItem(let name, isMissing: true) = self { name } else { nil }
  }

  /// Whether the app uses an item that is not there.
  fileprivate func isUse(ofMissing path: ContainerPath) -> Bool {
    switch self {
    case .readMissing(path, _), .writeToMissing(path, _): true
    default: false
    }
  }
}

extension Transcript.Entry {
  /// How the system took an item, or did not bring it back; nil for an event that has not.
  fileprivate func loss(of path: ContainerPath) -> String? {
    func took(_ items: [FileTree.LostItem]) -> Bool { items.contains { $0.path.covers(path) } }
    switch event {
    case .purge(let pressure, taken: let items) where took(items):
      return "the purge '\(pressure)' in \(step)"
    case .appUpdate(_, lost: let items) where took(items):
      return "the update of the app in \(step), which did not keep it"
    case .offload(lost: let items) where took(items):
      return "the app was offloaded in \(step)"
    case .reinstall(lost: let items) where took(items):
      return "the app was deleted in \(step)"
    case .restore(let backup, missing: let items) where took(items):
      let label = "the backup \"\(EscapedText.escape(backup.label))\""
      let reason = backup.contents.decision(on: path)?.reason
      return
        "the restore in \(step) (\(reason.map { $0.phrase(in: label) } ?? "it is not in \(label)"))"
    default: return nil
    }
  }
}

extension BackupSet.LeftOutReason {
  /// That a backup excludes an item for this reason, as a part of a sentence.
  fileprivate func phrase(in backup: String) -> String {
    switch self {
    case .location(let location): "excluded from \(backup), as is everything in \(location)"
    case .ownMark: "excluded from \(backup) by its own mark"
    case .markedDirectory(let path): "excluded from \(backup) by the mark of \(path)"
    default: "excluded from \(backup): \(phrase)"
    }
  }
}
