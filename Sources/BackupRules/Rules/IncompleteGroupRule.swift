import BackupDevice
import BackupFileTree
import BackupScenarios

/// A database marked, and what SQLite, Core Data or Realm keeps beside it not.
///
/// It comes and goes without the app's doing, so marks on it do not last. Only a marked directory
/// keeps a database and its siblings out together. A database that a mark does not help is passed
/// over, since it has no mark to share: `user-data-excluded`, `secret-backed-up` and
/// `misplaced-item` say that.
struct IncompleteGroupRule: Rule {
  let name = "incomplete-group"
  let severity = Scenario.Severity.warning
  let basis = RuleBasis.container
  let sources: [SystemProfile.Source] = [.appleOptimizing, .appleQA1719, .observed, .realmSwift]

  func observe(_ event: ObservedEvent, _ memory: inout NoMemory, _ report: inout RuleReport) {
    guard let checkpoint = event.checkpoint, checkpoint.label != nil else { return }
    for path in checkpoint.tree.children.databaseSiblingsOfMarked(in: nil) {
      guard let (library, database) = path.markedDatabase(in: checkpoint.now),
        checkpoint.isFault({ path.markedDatabase(in: $0) != nil }),
        event.canBeHelpedByMark(database, in: checkpoint.tree, on: checkpoint.profile),
        let step = event.facts.ledger.origin(of: path)
      else { continue }
      report.explain(.backedUp, path)
      // What Realm itself marks holds nothing that lasts.
      guard library != .realm else { continue }
      report.add(
        self, at: step, on: path, identity: .item,
        "'\(path)' is not marked, but the database that it belongs to is; \(library.habit)",
        advice: "put the database into its own directory, and mark the directory")
    }
  }
}

extension FileTree.Children {
  /// The items named as a library names what it keeps beside a database, of directories in which
  /// anything is marked; in the order of a walk.
  fileprivate func databaseSiblingsOfMarked(in directory: ContainerPath?) -> [ContainerPath] {
    var siblings: [ContainerPath] = []
    let entries = entries
    let holdsMarked = entries.indices.contains { !entries[$0].item.marks.isEmpty }
    for index in entries.indices {
      if holdsMarked, DatabaseLibrary(keeping: entries[index].name) != nil {
        siblings.append(ContainerPath(entries[index].name, in: directory))
      }
      if case .directory(let children) = entries[index].item.kind {
        siblings += children.databaseSiblingsOfMarked(
          in: ContainerPath(entries[index].name, in: directory))
      }
    }
    return siblings
  }
}

extension ContainerPath {
  /// The database beside this unmarked item that it belongs to and that is left out by its own mark,
  /// and whose item it is; nil for any other item.
  fileprivate func markedDatabase(
    in view: Checkpoint.View
  ) -> (library: DatabaseLibrary, database: ContainerPath)? {
    guard let set = view.backup, let item = view.tree[self], item.marks.isEmpty,
      let found = view.tree.databaseKeeping(self),
      found.library == .sqlite
        || item.firstPath(at: self, where: { !$1.isDirectory && set.contains($0) }) != nil,
      case .ownMark = set.decision(on: found.database)?.reason
    else { return nil }
    return found
  }
}
