import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupScenarios

/// A file that the app encrypted with a keychain item, and that nobody can decrypt without the item.
///
/// Backups contain the file, but few bring the item to another device, and a new item cannot decrypt the file. For a
/// file of the user, a key that stays behind is an error. Any other file can be created again, so only a read is an
/// error. For a file without a class, a new key is an error at the end, unless a step that reads the file may fail.
struct SealedFileUnreadableRule: Rule {
  let name = "sealed-file-unreadable"
  let sources: [SystemProfile.Source] = [.appleKeychain, .applePlatformSecurity]
  func codeToBlame(for severity: Scenario.Severity) -> CodeToBlame { .ofAnotherItem }
  var requirements: BrokenRequirements { .named(["restore.key-comes-with-file"]) }

  struct Memory: Hashable {
    /// The names of the items that encrypt files.
    let names: Set<String>
    /// The files that steps read that may fail.
    let optionalFiles: Set<ContainerPath>
    var items: KeychainItems = [:]
    /// The last step since a restore in which the app set or removed each item.
    var changes: [String: Scenario.StepReference] = [:]
    var lock = DeviceLock.unlocked
    /// The items that the app set anew before the first unlock, because it could not read the old ones.
    var setWhileLocked: Set<String> = []

    /// Returns the fate of the item that encrypted a file, in words.
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
      let mustBeReadable =
        dataClass == .critical
        || dataClass == nil && event.isEnd && !event.isAfterFailure
          && !memory.optionalFiles.contains(path)
      guard mustBeReadable else { return }
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
          self, at: event.facts.ledger.origin(of: path) ?? event.step, on: path,
          detail: Self.keyStays,
          identity: .item,
          "'\(path)' is the user's, and encrypted with the keychain item '\(seal.name.shown)', which "
            + reach,
          .inBackups, in: checkpoint.label,
          advice: .text(Self.advice(on: .critical, without: seal.name, memory)))
      }
    }
  }

  /// The detail of a violation on a key that stays behind, unlike one on a key that the app has changed.
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
