import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupScenarios

/// A file that the app encrypted with a keychain item, and that nobody can decrypt where the item is missing.
///
/// Backups contain the file, but few bring the item to another device, and one made anew decrypts nothing. Of a file
/// of the user's, it is an error already that its key stays behind. Any other can be made again, so only a read is
/// one. A file without a class may be either: a new key is an error at the end, if no step copes with the read.
struct SealedFileUnreadableRule: Rule {
  let name = "sealed-file-unreadable"
  let sources: [SystemProfile.Source] = [.appleKeychain, .applePlatformSecurity]
  func codeToBlame(for severity: Scenario.Severity) -> CodeToBlame { .ofAnotherItem }
  var requirements: BrokenRequirements { .named(["restore.key-comes-with-file"]) }

  struct Memory: Hashable {
    /// The names of the items with which files are encrypted: nothing is known of others.
    let names: Set<String>
    /// The files that a step reads which may fail.
    let optionalFiles: Set<ContainerPath>
    var items: KeychainItems = [:]
    /// The step in which the app has set or removed an item last, since a restore.
    var changes: [String: Scenario.StepReference] = [:]
    var lock = DeviceLock.unlocked
    /// The items that the app has set anew before the first unlock, when it found none.
    var setWhileLocked: Set<String> = []

    /// What has become of the item that encrypted a file, in words.
    func fate(of name: String) -> String {
      let item = "the keychain item '\(name.shown)', with which it encrypted the file, "
      guard let step = changes[name] else { return item + "is missing" }
      return item + "was \(items[name] == nil ? "removed" : "set anew") in \(step)"
    }
  }

  func memory(at start: RunStart) -> Memory {
    let steps = (start.scenario.launch + start.scenario.steps).filter { $0.mayThrow || $0.mustFail }
    return Memory(
      names: start.scenario.sealingItems, optionalFiles: Set(steps.compactMap(\.readPath)))
  }

  func observe(_ event: ObservedEvent, _ memory: inout Memory, _ report: inout RuleReport) {
    guard !memory.names.isEmpty else { return }
    if let checkpoint = event.checkpoint { judge(checkpoint, at: event, memory, &report) }
    guard let entry = event.entry else { return }
    switch entry.event {
    case .cannotDecrypt(let path, without: let name):
      return report.add(
        self, at: event.step, on: path, identity: .item,
        "the app reads '\(path)', but \(memory.fate(of: name))",
        advice: .text(Self.advice(on: event.promisedClass(of: path), without: name, memory)))
    case .keychainItem(let name, isMissing: false) where memory.names.contains(name):
      if entry.keychain[name] != memory.items[name] {
        memory.changes[name] = event.step
        if memory.lock == .neverUnlocked {
          memory.setWhileLocked.insert(name)
        } else {
          memory.setWhileLocked.remove(name)
        }
      }
    case .system(.lock(let change), lost: _): memory.lock = change.result
    case .system(.restore, lost: _): memory.changes = [:]
    case .system: break
    default: return
    }
    memory.items = entry.keychain.filter { memory.names.contains($0.key) }
  }

  private func judge(
    _ checkpoint: Checkpoint, at event: ObservedEvent, _ memory: Memory, _ report: inout RuleReport
  ) {
    checkpoint.tree.forEachItem { path, item in
      guard let seals = item.information?.details?.seals, !event.facts.remnants.contains(path)
      else { return }
      let dataClass = event.promisedClass(of: path)
      let isJudged =
        dataClass == .critical
        || dataClass == nil && event.isEnd && !event.isAfterFailure
          && !memory.optionalFiles.contains(path)
      guard isJudged else { return }
      func staysBehind(_ seal: Seal) -> Bool {
        // An item with a value of its own can be set again on another device.
        guard let item = memory.items.item(of: seal), item.value == nil else { return false }
        return !event.profile.keychain.isKept(
          item.accessibility, restoringTo: .newDevice, from: event.start.backupKind)
      }
      let lost = seals.first { memory.items.item(of: $0) == nil && memory.changes[$0.name] != nil }
      if let lost {
        report.add(
          self, at: memory.changes[lost.name] ?? event.step, on: path, identity: .item,
          "the app cannot read '\(path)' any more: \(memory.fate(of: lost.name))",
          advice: .text(Self.advice(on: dataClass, without: lost.name, memory)))
      } else if dataClass == .critical, checkpoint.now.backup?.contains(path) == true,
        let seal = seals.first(where: staysBehind)
      {
        let reach =
          memory.items[seal.name]?.accessibility == .thisDeviceOnly
          ? "is for this device only: on another device, nobody can read the file"
          : "only an encrypted backup to a computer moves to another device: otherwise, nobody can "
            + "read the file there"
        report.add(
          self, at: event.facts.ledger.origin(of: path) ?? event.step, on: path, by: Self.keyStays,
          identity: .item,
          "'\(path)' is the user's, and encrypted with the keychain item '\(seal.name.shown)', which "
            + reach,
          .inBackups, in: checkpoint.label,
          advice: .text(Self.advice(on: .critical, without: seal.name, memory)))
      }
    }
  }

  /// Tells a key that stays behind from one that the app has removed or set anew.
  private static let keyStays = 1

  private static func advice(
    on dataClass: DataClass?, without name: String, _ memory: Memory
  ) -> String {
    if memory.setWhileLocked.contains(name) {
      return "set no new key before the first unlock: wait until 'isProtectedDataAvailable' is true"
    }
    return switch dataClass {
    case .critical, nil:
      "encrypt it with a key that the user or a server can give again on another device, and set no "
        + "new key while a file needs the old one"
    case .support, .offline, .cached, .temporary, .secret:
      "if the file cannot be decrypted, delete it and create it again; or exclude it from backups"
    }
  }
}
