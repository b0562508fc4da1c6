import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupScenarios

/// Reports an encrypted file whose keychain item is missing, was set anew, or does not move to
/// another device. Without the item, nobody can decrypt the file.
///
/// Backups contain the file, but few backups move the item to another device. A new item cannot
/// decrypt the file. A read that fails because of this is an error for a file of any class. The
/// class decides what else is an error:
///
/// * *A critical file*: A removed or new item is an error, and also an item that does not move to
///   another device.
/// * *A file without a class*: A removed or new item is an error at the end of the run, unless a
///   step that reads the file may fail.
/// * *Any other file*: Nothing else is an error, because the app can create the file again.
struct SealedFileUnreadableRule: Rule {
  let name = "sealed-file-unreadable"
  let sources: [SystemProfile.Source] = [.appleKeychain, .applePlatformSecurity]
  func codeToBlame(for severity: Scenario.Severity) -> CodeToBlame { .ofAnotherItem }
  var requirements: BrokenRequirements { .named(["restore.key-comes-with-file"]) }

  struct Memory: Hashable {
    /// The names of the items that encrypt files.
    let sealingItemNames: Set<String>
    /// The files that steps with `mayThrow` or `throws` read.
    let optionalFiles: Set<ContainerPath>
    var keychainItems: KeychainItems = [:]
    /// For each item, the last step that set or removed it since the last restore.
    var stepsByItem: [String: Scenario.StepReference] = [:]
    var deviceLock = DeviceLock.unlocked
    /// The items that the app set anew before the first unlock, because it could not read the old
    /// items.
    var itemsSetWhileLocked: Set<String> = []

    /// Returns a clause on the item that encrypted a file: the item is missing, or a step removed
    /// it or set it anew.
    func fateClause(of name: String) -> String {
      let item = "the keychain item '\(name.escapedExcerpt)', with which it encrypted the file, "
      guard let step = stepsByItem[name] else { return item + "is missing" }
      return item + "was \(keychainItems[name] == nil ? "removed" : "set anew") in \(step)"
    }
  }

  func memory(at start: RunStart) -> Memory {
    let steps = (start.scenario.launch + start.scenario.steps).filter { $0.mayThrow || $0.mustFail }
    return Memory(
      sealingItemNames: start.scenario.sealingItems,
      optionalFiles: Set(steps.compactMap(\.readPath)))
  }

  func observe(_ event: ObservedEvent, _ memory: inout Memory, _ report: inout RuleReport) {
    guard !memory.sealingItemNames.isEmpty else { return }
    if let checkpoint = event.checkpoint { judge(checkpoint, at: event, memory, &report) }
    guard let entry = event.entry else { return }
    switch entry.event {
    case .cannotDecrypt(let path, without: let name):
      return report.add(
        self, at: event.step, on: path, groupedBy: .item,
        "the app reads '\(path)', but \(memory.fateClause(of: name))",
        advice: .text(Self.advice(on: event.promisedClass(of: path), without: name, memory)))
    case .keychainItem(let name, isMissing: false) where memory.sealingItemNames.contains(name):
      if entry.keychain[name] != memory.keychainItems[name] {
        memory.stepsByItem[name] = event.step
        if memory.deviceLock == .neverUnlocked {
          memory.itemsSetWhileLocked.insert(name)
        } else {
          memory.itemsSetWhileLocked.remove(name)
        }
      }
    case .system(.lock(let change), lost: _): memory.deviceLock = change.resultingLock
    case .system(.restore, lost: _): memory.stepsByItem = [:]
    case .system: break
    default: return
    }
    memory.keychainItems = entry.keychain.filter { memory.sealingItemNames.contains($0.key) }
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
        // The app can set an item with a known value again on another device.
        guard let item = memory.keychainItems.item(of: seal), item.value == nil else {
          return false
        }
        return !event.profile.keychain.isKept(
          item.accessibility, restoringTo: .newDevice, from: event.runStart.backupKind)
      }
      let lostSeal = seals.first {
        memory.keychainItems.item(of: $0) == nil && memory.stepsByItem[$0.name] != nil
      }
      if let lostSeal {
        report.add(
          self, at: memory.stepsByItem[lostSeal.name] ?? event.step, on: path, groupedBy: .item,
          "the app cannot read '\(path)' any more: \(memory.fateClause(of: lostSeal.name))",
          advice: .text(Self.advice(on: dataClass, without: lostSeal.name, memory)))
      } else if dataClass == .critical, checkpoint.currentView.backup?.contains(path) == true,
        let seal = seals.first(where: staysBehind)
      {
        let clause =
          memory.keychainItems[seal.name]?.accessibility == .thisDeviceOnly
          ? "is for this device only: on another device, nobody can read the file"
          : "only an encrypted backup to a computer moves to another device: otherwise, nobody can "
            + "read the file there"
        report.add(
          self, at: event.facts.ledger.origin(of: path) ?? event.step, on: path,
          distinguishedBy: Self.keyStaysBehindDiscriminator,
          groupedBy: .item,
          "'\(path)' is the user's, and encrypted with the keychain item '\(seal.name.escapedExcerpt)', which "
            + clause,
          .sentence, in: checkpoint.backupLabel,
          advice: .text(Self.advice(on: .critical, without: seal.name, memory)))
      }
    }
  }

  /// Distinguishes violations on keys that stay behind from violations on keys that the app
  /// changed.
  private static let keyStaysBehindDiscriminator = 1

  private static func advice(
    on dataClass: DataClass?, without name: String, _ memory: Memory
  ) -> String {
    if memory.itemsSetWhileLocked.contains(name) {
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
