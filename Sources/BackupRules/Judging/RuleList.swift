import BackupDevice
import BackupDiagnostics
import BackupFileTree
package import BackupScenarios

/// All rules, in the order in which they judge an event. A rule comes before the rules whose
/// violations it explains.
package enum RuleList {
  package static let all: [any Rule] = [
    RefusedPlaceRule(), SecretBackedUpRule(), ExistsBeforeSetRule(), MarkUnavailableRule(),
    SystemDirectoryMarkedRule(),
    DeprecatedMarkRule(), ReapplyOnSaveRule(), IncompleteGroupRule(), UserDataPurgeableRule(),
    UserDataExcludedRule(), RecreatableDataBackedUpRule(), MisplacedItemRule(),
    ExistsBeforeUseRule(), ReadableBeforeUseRule(), SealedFileUnreadableRule(),
    ValueOfOtherDeviceRule(), UserDataLostRule(), HalfDoneRule(),
    StaleContainerPathRule(), AppCheckFailedRule(), NamesMissingFileRule(),
    TemporaryLeftBehindRule(), UndeclaredItemRule(),
    DirectoryNameRule(), BackupBudgetRule(), StorageBudgetRule(),
  ]

  package static let names = all.map(\.name)

  private static let rulesByName = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }

  /// Returns the rule with a name. Returns nil for `step-failed`, the name in findings on failed
  /// steps.
  package static func rule(named name: String) -> (any Rule)? { rulesByName[name] }

  /// Returns the names of the rules on a subject.
  package static func names(about subject: RuleSubject) -> [String] {
    all.filter { $0.subject == subject }.map(\.name)
  }

  /// The names of the rules on losses of the user's data after a kill.
  package static let lossRuleNames = Set(names(about: .lossByKill))
  /// The names of the rules on lasting data in purgeable places.
  package static let purgeablePlaceRuleNames = Set(names(about: .purgeablePlace))

  /// Returns the findings in a run, one for each cause.
  package static func findings(
    in transcript: Transcript, by rules: [any Rule] = all
  ) -> [Scenario.Finding] {
    var monitor = RunMonitor(transcript, by: rules)
    for entry in transcript.entries { monitor.observe(entry) }
    if transcript.failure == nil { monitor.end() }
    let violations = monitor.removeAllViolations()
    let findings = addingShimNote(to: monitor.findings(of: violations), transcript)
    return addingLossCauses(to: findings, transcript)
  }

  /// Adds to each finding on a missing item the event that took the item, such as a purge.
  private static func addingLossCauses(
    to findings: [Scenario.Finding], _ transcript: Transcript
  ) -> [Scenario.Finding] {
    let name = ExistsBeforeUseRule().name
    guard findings.contains(where: { $0.rule == name }) else { return findings }
    let causes = LossCauses(transcript)
    return findings.map { finding in
      guard finding.rule == name,
        let cause = finding.path.map(causes.cause) ?? causes.keychainCause(before: finding.step)
      else { return finding }
      var explainedFinding = finding
      explainedFinding.message = finding.message.replacing(
        ExistsBeforeUseRule.missingPhrase, with: "it has been missing since \(cause)",
        maxReplacements: 1)
      return explainedFinding
    }
  }

  /// Adds a note on the plugin LinuxShim to the first finding on a missing mark. On Linux, the kit
  /// does not see a mark that the app's code set without the plugin.
  private static func addingShimNote(
    to findings: [Scenario.Finding], _ transcript: Transcript
  ) -> [Scenario.Finding] {
    let index = findings.firstIndex { finding in
      finding.missingMark.contains(.resourceValue)
        && transcript.stepsWithoutShim.contains(finding.step.number)
    }
    guard let index else { return findings }
    let modules = transcript.modulesWithShim.sorted()
    var findings = findings
    findings[index].note =
      modules.isEmpty
      ? "on Linux, the kit does not see the marks that the app sets with Foundation unless the app's "
        + "modules have the plugin LinuxShim; so far, no module with the plugin has run"
      : "on Linux, the kit sees a mark only if the module that sets it has the plugin LinuxShim; "
        + "of the modules that have run, only \(modules.joinedInWords) "
        + "\(modules.count.wordForm("has", plural: "have")) it"
    return findings
  }
}

/// Finds the events by which the app lost items that it uses later. Except for `entries`, all
/// properties contain indices in `entries`.
private struct LossCauses {
  let entries: [Transcript.Entry]
  /// For each missing item, its first use.
  private var firstUses: [ContainerPath: Int] = [:]
  /// For each item, the events that took it or did not restore it, in order.
  private var losses: [ContainerPath: [Int]] = [:]
  private var restores: [Int] = []
  /// For each step, the first read of a missing keychain item.
  private var keychainReads: [Scenario.StepReference: Int] = [:]
  private var keychainLosses: [String: [Int]] = [:]

  init(_ transcript: Transcript) {
    entries = transcript.entries
    for (index, entry) in entries.enumerated() {
      for item in entry.event.losses?.items ?? [] { losses[item.path, default: []].append(index) }
      if let path = entry.event.missingItem, firstUses[path] == nil { firstUses[path] = index }
      if entry.event.missingKeychainItem != nil, keychainReads[entry.step] == nil {
        keychainReads[entry.step] = index
      }
      guard index > 0 else { continue }
      let formerKeychain = entries[index - 1].keychain
      let isRestore = entry.event.systemEvent?.restoredBackup != nil
      if isRestore { restores.append(index) }
      guard isRestore || entry.keychain.count < formerKeychain.count else { continue }
      for name in formerKeychain.keys where entry.keychain[name] == nil {
        keychainLosses[name, default: []].append(index)
      }
    }
  }

  /// Returns the event by which the app lost an item before its first use, in words; nil if there
  /// is none.
  func cause(of path: ContainerPath) -> String? {
    guard let useIndex = firstUses[path] else { return nil }
    let itemAndAncestors = sequence(first: path, next: \.parent)
    let lossIndex =
      itemAndAncestors.compactMap { losses[$0]?.last { $0 < useIndex } }.max()
      ?? restore(removing: path, before: useIndex)
    return lossIndex.flatMap { entries[$0].phrase(onLossOf: path) }
  }

  /// Returns the last restore before `use` that removed an item, because the backup is older than
  /// the item.
  private func restore(removing path: ContainerPath, before useIndex: Int) -> Int? {
    restores.last { index in
      index < useIndex && entries[index - 1].tree.contains(path)
        && !entries[index].tree.contains(path)
    }
  }

  /// Returns the restore by which the app lost the keychain item that a step reads, in words; nil
  /// if there is none.
  func keychainCause(before step: Scenario.StepReference) -> String? {
    guard let readIndex = keychainReads[step],
      let name = entries[readIndex].event.missingKeychainItem,
      let restoreIndex = keychainLosses[name]?.last(where: { $0 < readIndex }),
      let backup = entries[restoreIndex].event.systemEvent?.restoredBackup
    else { return nil }
    let backupEntry = entries[..<restoreIndex].last { $0.event.backup?.label == backup.label }
    let reason =
      if let backupEntry, backupEntry.keychain[name] == nil {
        "was taken before the app set the item"
      } else if entries[restoreIndex - 1].keychain[name]?.accessibility == .thisDeviceOnly {
        "does not move the item, which is for one device only, to another device"
      } else {
        "does not move the item to another device; only restoring an encrypted local backup would"
      }
    let label = EscapedText.escape(backup.label)
    return "the restore in \(entries[restoreIndex].step) (the backup \"\(label)\" \(reason))"
  }
}

extension Transcript.Event {
  /// The missing keychain item that the app reads; nil for any other event.
  fileprivate var missingKeychainItem: String? {
    if case .keychainItem(let name, isMissing: true) = self { name } else { nil }
  }

  /// The missing item that the app uses; nil for any other event.
  fileprivate var missingItem: ContainerPath? {
    switch self {
    case .readMissing(let path, _), .writeToMissing(let path, _),
      .use(_, of: let path, isMissing: true):
      path
    default: nil
    }
  }
}

extension Transcript.Entry {
  /// Returns a phrase on the event that took an item or did not restore it; nil for any other
  /// event.
  fileprivate func phrase(onLossOf path: ContainerPath) -> String? {
    guard let event = event.systemEvent, let lossReason = event.lossReason else { return nil }
    switch lossReason {
    case .purged: return event.nounPhrase.map { "\($0) in \(step)" }
    case .notKeptByUpdate: return "the update of the app in \(step), which did not keep it"
    case .notKeptByOffload: return "the app was offloaded in \(step)"
    case .deletedWithApp: return "the app was deleted in \(step)"
    case .notRestored:
      let backupPhrase = "the backup \"\(EscapedText.escape(event.restoredBackup?.label ?? ""))\""
      let reason =
        event.leftOutReason(for: path)?.phrase(in: backupPhrase) ?? "it is not in \(backupPhrase)"
      return "the restore in \(step) (\(reason))"
    }
  }
}

extension BackupSet.LeftOutReason {
  /// Returns a phrase on the backup and this reason:
  /// `excluded from the backup "a" by its own mark`.
  fileprivate func phrase(in backupPhrase: String) -> String {
    switch self {
    case .location(let location): "excluded from \(backupPhrase), as is everything in \(location)"
    case .ownMark: "excluded from \(backupPhrase) by its own mark"
    case .markedDirectory(let path): "excluded from \(backupPhrase) by the mark of \(path)"
    default: "excluded from \(backupPhrase): \(phrase)"
    }
  }
}
