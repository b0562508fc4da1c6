import BackupCollections
import BackupContainer
import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupScenarios

/// A critical item that a backup leaves out, by mark or by place; of those that one marked
/// directory keeps out, the first. And a link in the place of a directory for such items that leads
/// out of the container: what is saved by way of it is in no backup, and no rule sees it.
///
/// This loss cannot be undone: what the user made is gone with the device, and the loss goes
/// unnoticed until the restore.
struct UserDataExcludedRule: Rule {
  let name = "user-data-excluded"
  let basis = RuleBasis.classes
  let sources: [SystemProfile.Source] = [.appleResourceValue, .appleGuidelines2011, .eidinger]
  func codeToBlame(for severity: Scenario.Severity) -> CodeToBlame { .call(.mark) }
  var consequence: String? { "'{path}' is missing after a restore" }
  var requirements: BrokenRequirements { .named(["mark.not-on-user-documents", "class.critical"]) }

  /// What a file may be called that some pattern names.
  private static let anyName = ContainerPath.Component(unchecked: Array("any".utf8))

  struct Memory: Hashable {
    /// The items that kept critical files out of the last backup: marked ones, or files in a wrong
    /// place.
    fileprivate var decidingItems: Set<ContainerPath> = []
    /// The files in a wrong place that were reported: no update keeps them either.
    fileprivate var misplaced: Set<ContainerPath> = []
    /// The directories that were links out of the container in the last backup.
    fileprivate var links: Set<ContainerPath> = []
  }

  package func memory(at start: RunStart) -> Memory { Memory() }

  func observe(_ event: ObservedEvent, _ memory: inout Memory, _ report: inout RuleReport) {
    guard let checkpoint = event.checkpoint else { return }
    if !memory.misplaced.isEmpty {
      memory.misplaced = memory.misplaced.filter(checkpoint.tree.contains)
      for path in memory.misplaced { report.explain(.leftOut, path) }
    }
    guard let label = checkpoint.label, checkpoint.hasAppHadControl else { return }
    let links = linksOut(at: checkpoint, event)
    for link in links.subtracting(memory.links).sorted() {
      report.add(
        self, at: event.facts.ledger.origin(of: link) ?? event.step, on: link,
        "'\(link)' is a link that leads out of the container, so the user's files there are not "
          + "in the backup \"\(EscapedText.escape(label))\"",
        advice: "keep the directory that the system created there, and save in it")
    }
    memory.links = links
    var decidingItems: Set<ContainerPath> = []
    for file in checkpoint.files where file.dataClass == .critical {
      guard let reason = checkpoint.now.loss(of: file.path),
        checkpoint.isFault({ $0.loss(of: file.path) != nil })
      else { continue }
      let item = reason.isByMark ? reason.decidingItem ?? file.path : file.path
      // What keeps it out since the backup before, or keeps others out too, is said already.
      let isKnown =
        decidingItems.contains(item) || memory.decidingItems.contains(item)
        || report.isExplained(exactly: .leftOut, item)
      guard isKnown || add(file.path, reason, label, event, checkpoint, &report) else { continue }
      decidingItems.insert(item)
      report.explain(.leftOut, file.path)
      if !reason.isByMark { memory.misplaced.insert(file.path) }
    }
    memory.decidingItems = decidingItems
  }

  /// The system's directories, promised to hold critical items, that are links out of the container.
  private func linksOut(at checkpoint: Checkpoint, _ event: ObservedEvent) -> Set<ContainerPath> {
    let promises = event.scenario.files?.promises.filter { $0.dataClass == .critical } ?? []
    // A pattern that begins with a wildcard names items anywhere.
    let prefixes = promises.map { try? ContainerPath($0.pattern.fixedPrefix) }
    guard !prefixes.isEmpty else { return [] }
    let places = checkpoint.tree.containerNames.flatMap { name in
      ContainerPath.StandardLocation.allCases.map { ContainerPath($0.path, inContainer: name) }
    }
    return Set(
      places.filter { place in
        checkpoint.isFault { $0.tree.isLinkOut(place) }
          && prefixes.contains { $0.map { $0.covers(place) || place.covers($0) } ?? true }
          && [nil, .critical].contains(
            event.promisedClass(of: ContainerPath(Self.anyName, in: place)))
      })
  }

  /// Reports a critical item that a backup leaves out; false if no step is to blame.
  private func add(
    _ path: ContainerPath, _ reason: BackupSet.LeftOutReason, _ label: String,
    _ event: ObservedEvent, _ checkpoint: Checkpoint, _ report: inout RuleReport
  ) -> Bool {
    guard let step = cause(of: reason, on: path, event.facts.ledger) else { return false }
    // In words that hold under every system.
    let words = if case .ownMark = reason { "it has a mark of its own" } else { reason.phrase }
    report.add(
      self, at: step, on: path,
      "'\(path)' is the user's own, but the backup \"\(EscapedText.escape(label))\" leaves it out: "
        + words,
      advice: .text(
        reason.isByMark
          ? "mark neither it nor a directory above it; a restore loses marked items"
          : "\(DataClass.critical.placeAdvice(for: path, on: checkpoint.profile)), "
            + "under another name"))
    return true
  }

  private func cause(
    of reason: BackupSet.LeftOutReason, on path: ContainerPath, _ ledger: ItemLedger
  ) -> Scenario.StepReference? {
    guard reason.isByMark, let step = ledger.marks[reason.decidingItem ?? path]?.markedBy else {
      return ledger.origin(of: path)
    }
    return step.number == .found ? ledger.beginning : step
  }
}

extension FileTree {
  /// Whether the item is a link that leads out of its container, and into no other of the kit's.
  fileprivate func isLinkOut(_ path: ContainerPath) -> Bool {
    guard case .link(let bytes) = self[path]?.kind else { return false }
    let target = String(decoding: bytes, as: UTF8.self)
    if target.hasPrefix("/") { return DeviceFolder.above(target) == nil }
    var depth = (path.pathInContainer?.components.count ?? 1) - 1
    return target.split(separator: "/").contains { name in
      depth += name == ".." ? -1 : name == "." ? 0 : 1
      return depth < 0
    }
  }
}

extension Checkpoint.View {
  /// Why the backup does not hold what the user made; nil if it does: a database holds its siblings'
  /// contents, and what the user has switched off is not the app's doing.
  fileprivate func loss(of path: ContainerPath) -> BackupSet.LeftOutReason? {
    switch leftOutReasons[path] {
    case .databaseSibling, .switchedOff: nil
    case let reason: reason
    }
  }
}
