import BackupContainer
import BackupDevice
import BackupFileTree
import BackupScenarios

/// Reports an item that the app writes where a device refuses it: directly in the container, or in
/// Documents/Inbox.
///
/// On a Mac and in a simulator, the call succeeds. On a device, the app has no permission, so the
/// call fails.
struct RefusedPlaceRule: Rule {
  let name = "refused-place"
  let sources: [SystemProfile.Source] = [.appleFSPG, .refusedWrites]
  func codeToBlame(for severity: Scenario.Severity) -> CodeToBlame { .call(.refusal) }

  package func memory(at start: RunStart) -> Set<ContainerPath> { [] }

  /// Judges an event. `refusedItems` has the items that would not exist on a device.
  func observe(
    _ event: ObservedEvent, _ refusedItems: inout Set<ContainerPath>, _ report: inout RuleReport
  ) {
    // A refused item would not exist on a device, so later rules need not report that a backup
    // contains or excludes it.
    if let checkpoint = event.checkpoint {
      for path in refusedItems.flatMap(checkpoint.tree.paths(from:)) {
        report.explain(.leftOut, path)
        report.explain(.backedUp, path)
      }
    }
    if case .refused(let path, let error) = event.event {
      report.add(
        self, at: event.step, on: path.withoutRandomParts, groupedBy: .item,
        "the app writes '\(path.withoutRandomParts)' \(Self.placePhrase(of: path)), which fails "
          + "here as on a device\(Self.quoting(error))",
        advice: Self.advice(on: path))
    }
    for change in event.changes where change.createsOrSavesItem {
      let path = change.path
      guard event.profile.refusesWriting(path), path.isInInbox || event.treeBefore[path] == nil
      else {
        continue
      }
      if event.treeBefore[path] == nil { refusedItems.insert(path) }
      report.add(
        self, at: event.step, on: path, groupedBy: .item,
        "the app writes '\(path)' \(Self.placePhrase(of: path)); on a device the call fails",
        advice: Self.advice(on: path))
    }
  }

  private static func placePhrase(of path: ContainerPath) -> String {
    path.isInInbox ? "in Documents/Inbox" : "directly in the container"
  }

  private static func advice(on path: ContainerPath) -> Violation.Advice {
    .text(
      path.adviceOnPlace
        ?? (path.isInInbox
          ? "save it in another folder: only the system puts files into Documents/Inbox"
          : "save it in Documents, Library/Application Support, Library/Caches or tmp"))
  }
}

extension ContainerPath {
  /// The path without random parts, so that it is the same in each run. If the result is no valid
  /// path, this is the unchanged path.
  fileprivate var withoutRandomParts: ContainerPath {
    (try? ContainerPath(NameForm.replacingRandomParts(GoldenOptions().escapedPath(of: self))))
      ?? self
  }
}
