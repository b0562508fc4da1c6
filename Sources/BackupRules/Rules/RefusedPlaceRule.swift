import BackupDevice
import BackupFileTree
import BackupScenarios

/// An item made where a device refuses it: right in the container, or in Documents/Inbox.
///
/// On a Mac and in a simulator the call succeeds. On a device it fails for want of permission, and what the
/// app wanted to save is nowhere.
struct RefusedPlaceRule: Rule {
  let name = "refused-place"
  let severity = Scenario.Severity.error
  let summary = "an item that the app makes right in its container, or in Documents/Inbox"
  let subjects: [SystemProfile.Subject] = [.place]
  let sources: [SystemProfile.Source] = [.appleFSPG, .refusedWrites]

  /// What stands right in a container: its directories, and those that Apple's frameworks make.
  private static let knownNames: Set<String> = [
    "Documents", "Library", "tmp", "CloudKit", "GeoJSON", "StoreKit", "SystemData",
  ]

  /// The items that a device does not have.
  struct Memory: Hashable {
    fileprivate var refused: Set<ContainerPath> = []
  }

  package func memory(at start: RunStart) -> Memory { Memory() }

  func observe(_ event: ObservedEvent, _ memory: inout Memory, _ report: inout Report) {
    // What a device does not have is in no backup, and no later rule need say so.
    if let checkpoint = event.checkpoint {
      for path in memory.refused.flatMap(checkpoint.tree.paths(from:)) {
        report.explain(.leftOut, path)
        report.explain(.backedUp, path)
      }
    }
    for change in event.changes {
      guard let path = change.writtenPath, let place = place(of: path, change, event) else {
        continue
      }
      if event.before[path] == nil { memory.refused.insert(path) }
      report.add(
        self, at: event.step, on: path, identity: .item,
        "'\(path)' is written \(place), where a device lets no app write: the call fails there",
        advice: .text(
          Inbox.holds(path)
            ? Inbox.advice
            : "save it in Documents, Library/Application Support, Library/Caches or tmp"))
    }
  }

  /// Where an item is that a device refuses; nil for one that it does not.
  private func place(
    of path: ContainerPath, _ change: FileTree.Change, _ event: ObservedEvent
  ) -> String? {
    if Inbox.holds(path) { return "in Documents/Inbox" }
    guard event.profile.backup.roots.value != nil, path.containerName?.isGroup != true,
      let inner = path.pathInContainer, inner.parent == nil, event.before[path] == nil,
      !Self.knownNames.contains(inner.name.string)
    else { return nil }
    return "right in the container"
  }
}

extension FileTree.Change {
  /// The path at which the app makes or writes something.
  fileprivate var writtenPath: ContainerPath? {
    switch self {
    case .created(let path), .savedInPlace(let path), .replaced(let path), .moved(_, to: let path),
      .copied(_, to: let path):
      path
    case .removed, .marked, .cleared: nil
    }
  }
}
