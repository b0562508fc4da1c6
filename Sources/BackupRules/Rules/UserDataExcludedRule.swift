import BackupCollections
import BackupContainer
import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupScenarios

/// Reports critical items that a backup leaves out because of a mark or their place.
///
/// If one marked directory excludes several items, the finding is on the first item. Nobody notices
/// the loss before a restore, when nobody can undo it.
///
/// The rule also reports a link out of the container that replaces a system directory for critical
/// items. Files that the link leads to are in no backup, and no rule sees them.
struct UserDataExcludedRule: Rule {
  let name = "user-data-excluded"
  let basis = RuleBasis.classes
  let sources: [SystemProfile.Source] = [.appleResourceValue, .appleGuidelines2011, .eidinger]
  func codeToBlame(for severity: Scenario.Severity) -> CodeToBlame { .call(.mark) }
  var consequence: String? { "'{path}' is missing after a restore" }
  var requirements: BrokenRequirements { .named(["mark.not-on-user-documents", "class.critical"]) }

  /// A name that stands for any file in a directory, to look up the class of such a file.
  private static let exampleName = ContainerPath.Component(unchecked: Array("any".utf8))

  struct Memory: Hashable {
    /// The items that kept critical files out of the last backup: marked items, or files in a wrong
    /// place.
    fileprivate var decidingItems: Set<ContainerPath> = []
    /// The reported files in a wrong place. The same mistake explains why an update of the app does
    /// not keep them.
    fileprivate var misplacedFiles: Set<ContainerPath> = []
    /// The directories that were links out of the container in the last backup.
    fileprivate var linksOutOfContainer: Set<ContainerPath> = []
  }

  package func memory(at start: RunStart) -> Memory { Memory() }

  func observe(_ event: ObservedEvent, _ memory: inout Memory, _ report: inout RuleReport) {
    guard let checkpoint = event.checkpoint else { return }
    if !memory.misplacedFiles.isEmpty {
      memory.misplacedFiles = memory.misplacedFiles.filter(checkpoint.tree.contains)
      for path in memory.misplacedFiles { report.explain(.leftOut, path) }
    }
    guard let label = checkpoint.backupLabel, checkpoint.hasAppHadControl else { return }
    let links = linksOutOfContainer(at: checkpoint, event)
    for link in links.subtracting(memory.linksOutOfContainer).sorted() {
      report.add(
        self, at: event.facts.ledger.origin(of: link) ?? event.step, on: link,
        "'\(link)' is a link that leads out of the container, so the user's files there are not "
          + "in the backup \"\(EscapedText.escape(label))\"",
        advice: "keep the directory that the system created there, and save in it")
    }
    memory.linksOutOfContainer = links
    var decidingItems: Set<ContainerPath> = []
    for file in checkpoint.filesToJudge where file.dataClass == .critical {
      guard let reason = checkpoint.currentView.reasonForLoss(of: file.path),
        checkpoint.isFaultOfApp({ $0.reasonForLoss(of: file.path) != nil })
      else { continue }
      let decidingItem = reason.isByMark ? reason.decidingItem ?? file.path : file.path
      // Each deciding item is reported once, for the first file and the first backup.
      let isReported =
        decidingItems.contains(decidingItem) || memory.decidingItems.contains(decidingItem)
        || report.isExplained(exactly: .leftOut, decidingItem)
      guard isReported || add(file.path, reason, label, event, checkpoint, &report)
      else { continue }
      decidingItems.insert(decidingItem)
      report.explain(.leftOut, file.path)
      if !reason.isByMark { memory.misplacedFiles.insert(file.path) }
    }
    memory.decidingItems = decidingItems
  }

  /// Returns the links out of the container that replace system directories for critical items.
  private func linksOutOfContainer(
    at checkpoint: Checkpoint, _ event: ObservedEvent
  ) -> Set<ContainerPath> {
    let promises = event.scenario.files?.promises.filter { $0.dataClass == .critical } ?? []
    // A pattern that begins with a wildcard has no fixed prefix. It matches items anywhere.
    let prefixes = promises.map { try? ContainerPath($0.pattern.fixedPrefix) }
    guard !prefixes.isEmpty else { return [] }
    let systemDirectories = checkpoint.tree.containerNames.flatMap { name in
      ContainerPath.StandardLocation.allCases.map { ContainerPath($0.path, inContainer: name) }
    }
    return Set(
      systemDirectories.filter { directory in
        checkpoint.isFaultOfApp { $0.tree.isLinkOutOfContainer(directory) }
          && prefixes.contains { $0.map { $0.covers(directory) || directory.covers($0) } ?? true }
          && [nil, .critical].contains(
            event.promisedClass(of: ContainerPath(Self.exampleName, in: directory)))
      })
  }

  /// Reports a critical item that a backup leaves out. Returns false if no step is to blame.
  private func add(
    _ path: ContainerPath, _ reason: BackupSet.LeftOutReason, _ label: String,
    _ event: ObservedEvent, _ checkpoint: Checkpoint, _ report: inout RuleReport
  ) -> Bool {
    guard let step = stepToBlame(for: reason, on: path, event.facts.ledger) else { return false }
    // These words suit the marks of all versions of iOS.
    let phrase = if case .ownMark = reason { "it has a mark of its own" } else { reason.phrase }
    report.add(
      self, at: step, on: path,
      "'\(path)' is the user's own, but the backup \"\(EscapedText.escape(label))\" leaves it out: "
        + phrase,
      advice: .text(
        reason.isByMark
          ? "mark neither it nor a directory above it; a restore loses marked items"
          : "\(DataClass.critical.placeAdvice(for: path, on: checkpoint.profile)), "
            + "under another name"))
    return true
  }

  private func stepToBlame(
    for reason: BackupSet.LeftOutReason, on path: ContainerPath, _ ledger: ItemLedger
  ) -> Scenario.StepReference? {
    guard reason.isByMark, let step = ledger.marks[reason.decidingItem ?? path]?.markedInStep else {
      return ledger.origin(of: path)
    }
    return step.number == .found ? ledger.initialOrigin : step
  }
}

extension FileTree {
  /// Returns true if the item is a link out of its container, except into another container of the
  /// kit.
  fileprivate func isLinkOutOfContainer(_ path: ContainerPath) -> Bool {
    guard case .link(let bytes) = self[path]?.kind else { return false }
    let target = String(decoding: bytes, as: UTF8.self)
    if target.hasPrefix("/") { return DeviceFolder.pathAbove(target) == nil }
    var depth = (path.pathWithoutContainerName?.components.count ?? 1) - 1
    return target.split(separator: "/").contains { name in
      depth += name == ".." ? -1 : name == "." ? 0 : 1
      return depth < 0
    }
  }
}

extension Checkpoint.View {
  /// Returns the reason why the backup does not contain an item's data. Returns nil for a sibling
  /// of a database, because the backup contains its data with the database. Also returns nil if the
  /// user has switched the backup off.
  fileprivate func reasonForLoss(of path: ContainerPath) -> BackupSet.LeftOutReason? {
    switch leftOutReasons[path] {
    case .databaseSibling, .switchedOff: nil
    case let reason: reason
    }
  }
}
