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
    ExistsBeforeUseRule(), ReadableBeforeUseRule(), SealedFileUnreadableRule(),
    ValueOfOtherDeviceRule(), UserDataLostRule(), HalfDoneRule(),
    StaleContainerPathRule(), AppCheckFailedRule(), NamesMissingFileRule(),
    TemporaryLeftBehindRule(), UndeclaredItemRule(),
    DirectoryNameRule(), BackupBudgetRule(), StorageBudgetRule(),
  ]

  package static let names = all.map(\.name)

  private static let byName = Dictionary(all.map { ($0.name, $0) }) { first, _ in first }

  /// The rule of a finding; nil for a step that failed, which is no rule's.
  package static func rule(named name: String) -> (any Rule)? { byName[name] }

  /// The names of the rules whose findings are about a subject.
  package static func names(about subject: RuleSubject) -> [String] {
    all.filter { $0.subject == subject }.map(\.name)
  }

  /// The names of the rules on what the user loses by a kill, however the trace goes on.
  package static let losses = Set(names(about: .lossByKill))
  /// The names of the rules on what a purge takes for good.
  package static let purgeablePlaces = Set(names(about: .purgeablePlace))

  /// The findings in a run, each cause once.
  package static func findings(
    in transcript: Transcript, by rules: [any Rule] = all
  ) -> [Scenario.Finding] {
    var monitor = RunMonitor(transcript, by: rules)
    for entry in transcript.entries { monitor.observe(entry) }
    if transcript.failure == nil { monitor.end() }
    let violations = monitor.takeViolations()
    let findings = notingShim(monitor.findings(of: violations), transcript)
    return namingLosses(findings, transcript)
  }

  /// The findings, each about a missing item with what took it.
  private static func namingLosses(
    _ findings: [Scenario.Finding], _ transcript: Transcript
  ) -> [Scenario.Finding] {
    let name = ExistsBeforeUseRule().name
    guard findings.contains(where: { $0.rule == name }) else { return findings }
    let losses = Losses(transcript)
    return findings.map { finding in
      guard finding.rule == name,
        let loss = finding.path.map(losses.loss) ?? losses.keychainLoss(before: finding.step)
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
    _ findings: [Scenario.Finding], _ transcript: Transcript
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
        + "\(modules.count.form("has", plural: "have")) it"
    return findings
  }
}

/// The events by which the app lost items that it uses later, indexed once for all findings.
private struct Losses {
  let entries: [Transcript.Entry]
  /// The first use of each missing item.
  private var uses: [ContainerPath: Int] = [:]
  /// The events that took an item, or did not bring it back, in order.
  private var losses: [ContainerPath: [Int]] = [:]
  private var restores: [Int] = []
  private var keychainReads: [Scenario.StepReference: Int] = [:]
  private var keychainLosses: [String: [Int]] = [:]

  init(_ transcript: Transcript) {
    entries = transcript.entries
    for (index, entry) in entries.enumerated() {
      for lost in entry.event.losses?.items ?? [] { losses[lost.path, default: []].append(index) }
      if let path = entry.event.missingItem, uses[path] == nil { uses[path] = index }
      if entry.event.missingKeychainItem != nil, keychainReads[entry.step] == nil {
        keychainReads[entry.step] = index
      }
      guard index > 0 else { continue }
      let former = entries[index - 1].keychain
      let isRestore = entry.event.system?.restoredBackup != nil
      if isRestore { restores.append(index) }
      guard isRestore || entry.keychain.count < former.count else { continue }
      for name in former.keys where entry.keychain[name] == nil {
        keychainLosses[name, default: []].append(index)
      }
    }
  }

  /// How the system took an item that the app uses, or did not bring it back; nil if it has not.
  func loss(of path: ContainerPath) -> String? {
    guard let use = uses[path] else { return nil }
    let places = sequence(first: path, next: \.parent)
    let loss =
      places.compactMap { losses[$0]?.last { $0 < use } }.max() ?? restore(without: path, use)
    return loss.flatMap { entries[$0].loss(of: path) }
  }

  /// The last restore before a use that left out an item, since its backup was taken before the item
  /// existed.
  private func restore(without path: ContainerPath, _ use: Int) -> Int? {
    restores.last { index in
      index < use && entries[index - 1].tree.contains(path) && !entries[index].tree.contains(path)
    }
  }

  /// Why a keychain item is not there that a step reads; nil if it was never there.
  func keychainLoss(before step: Scenario.StepReference) -> String? {
    guard let read = keychainReads[step], let name = entries[read].event.missingKeychainItem,
      let lost = keychainLosses[name]?.last(where: { $0 < read }),
      let backup = entries[lost].event.system?.restoredBackup
    else { return nil }
    let taken = entries[..<lost].last { $0.event.backup?.label == backup.label }
    let reason =
      if let taken, taken.keychain[name] == nil {
        "was taken before the app set the item"
      } else if entries[lost - 1].keychain[name]?.accessibility == .thisDeviceOnly {
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

  /// The item that is not there and that the app uses; nil for anything else.
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
  /// How the event took an item, or did not bring it back.
  fileprivate func loss(of path: ContainerPath) -> String? {
    guard let event = event.system, let fate = event.fate else { return nil }
    switch fate {
    case .purged: return event.phrase.map { "\($0) in \(step)" }
    case .notCarriedOver: return "the update of the app in \(step), which did not keep it"
    case .notKept: return "the app was offloaded in \(step)"
    case .deletedWithApp: return "the app was deleted in \(step)"
    case .notRestored:
      let label = "the backup \"\(EscapedText.escape(event.restoredBackup?.label ?? ""))\""
      let reason = event.reason(for: path)?.phrase(in: label) ?? "it is not in \(label)"
      return "the restore in \(step) (\(reason))"
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
