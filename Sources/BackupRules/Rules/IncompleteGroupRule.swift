import BackupDevice
import BackupFileTree
import BackupScenarios

/// A database without what SQLite, Core Data or Realm keeps beside it: marked, and that not; or moved or
/// copied, and its log not.
///
/// It comes and goes without the app's doing, so marks on it do not last. Only a marked directory
/// keeps a database and its siblings out together. A database that a mark does not help is passed
/// over, since it has no mark to share: `user-data-excluded`, `secret-backed-up` and
/// `misplaced-item` say that. Where the class of what is beside it makes that an error,
/// `recreatable-data-backed-up` says so.
///
/// A log holds the newest rows, until SQLite has written them back into the database and removed it. A
/// database that is moved or copied without it is without them, wherever it goes from there.
struct IncompleteGroupRule: Rule {
  let name = "incomplete-group"
  let severity = Scenario.Severity.warning
  let basis = RuleBasis.container
  let sources: [SystemProfile.Source] = [
    .appleOptimizing, .appleQA1719, .observed, .realmSwift, .sqlite,
  ]
  var requirements: BrokenRequirements { .named(["class.only-critical-backed-up"]) }

  static let advice = "put the database into its own directory, and mark the directory"

  /// A database that the app has moved or copied, and left its log behind.
  struct Separation: Hashable {
    let step: Scenario.StepReference
    let source: ContainerPath
    let log: ContainerPath
    /// What the log holds.
    let rows: ContentsVersion
    let manner: Manner
  }

  /// How a database came to another place.
  enum Manner: Hashable {
    case move
    case copy
  }

  package func memory(at start: RunStart) -> [ContainerPath: Separation] { [:] }

  /// Remembers the databases that were separated from their logs, by where they are now, until the system
  /// acts.
  func observe(
    _ event: ObservedEvent, _ separations: inout [ContainerPath: Separation],
    _ report: inout RuleReport
  ) {
    for change in event.changes { follow(change, in: event, &separations) }
    guard let checkpoint = event.checkpoint else { return }
    self.report(separations, in: checkpoint.tree, &report)
    separations = [:]
    guard checkpoint.label != nil else { return }
    for path in checkpoint.tree.children.databaseSiblingsOfMarked(in: nil) {
      let databases = event.facts.databases
      guard let (library, database) = path.markedDatabase(in: checkpoint.now, databases),
        checkpoint.isFault({ path.markedDatabase(in: $0, databases) != nil }),
        event.canBeHelpedByMark(database, in: checkpoint.tree, on: checkpoint.profile),
        let step = event.facts.ledger.origin(of: path)
      else { continue }
      // What Realm itself marks holds nothing that lasts.
      guard library != .realm else { continue }
      report.add(
        self, at: step, on: path, identity: .item,
        "'\(path)' is not marked, but the database that it belongs to is; \(library.habit)",
        advice: .text(Self.advice),
        unless: [RecreatableDataBackedUpRule().name, ReapplyOnSaveRule().name])
    }
  }

  private func follow(
    _ change: FileTree.Change, in event: ObservedEvent,
    _ separations: inout [ContainerPath: Separation]
  ) {
    switch change {
    case .moved(let source, to: let path):
      take(source, to: path, by: .move, in: event, &separations)
    case .copied(let source, to: let path):
      take(source, to: path, by: .copy, in: event, &separations)
    case .created(let path), .replaced(let path):
      separations[path] = nil
      joinLog(path, in: event, &separations)
    case .savedInPlace, .removed, .marked, .cleared: break
    }
  }

  /// Follows what is moved or copied: a database, a log that joins one, or a directory with both.
  private func take(
    _ source: ContainerPath, to path: ContainerPath, by manner: Manner, in event: ObservedEvent,
    _ separations: inout [ContainerPath: Separation]
  ) {
    let isFile = event.tree.file(at: path) != nil
    let former =
      isFile
      ? separations[source].map { [(path, $0)] } ?? []
      : separations.compactMap { place, separation in
        place.moved(from: source, to: path).map { ($0, separation) }
      }
    separations[path] = nil
    for (place, separation) in former {
      separations[place] = separation
      join(place, in: event, &separations)
    }
    guard isFile else { return }
    if let separation = separation(of: source, by: manner, in: event) {
      separations[path] = separation
      join(path, in: event, &separations)
    }
    joinLog(path, in: event, &separations)
  }

  /// The separation of a database from the log that is left beside its former place; nil if there is none.
  private func separation(
    of source: ContainerPath, by manner: Manner, in event: ObservedEvent
  ) -> Separation? {
    guard let database = event.before.file(at: source),
      event.facts.databases.contains(source, database)
    else { return nil }
    // What SQLite keeps in memory beside the log holds no rows.
    return source.databaseSiblings.lazy.filter { !$0.name.hasSuffix("-shm") }
      .compactMap { log in
        guard let rows = event.before.version(at: log), rows.size > 0,
          event.tree.hasRows(at: log)
        else { return nil }
        return Separation(step: event.step, source: source, log: log, rows: rows, manner: manner)
      }.first
  }

  /// Forgets a separation if a file is its log, beside the database again.
  private func joinLog(
    _ path: ContainerPath, in event: ObservedEvent,
    _ separations: inout [ContainerPath: Separation]
  ) {
    guard !separations.isEmpty, let name = path.name.databaseName else { return }
    join(ContainerPath(name, in: path.parent), in: event, &separations)
  }

  /// Forgets the separation of a database that has its log beside it again: a new log, which SQLite makes
  /// when it opens the database, does not hold the rows.
  private func join(
    _ database: ContainerPath, in event: ObservedEvent,
    _ separations: inout [ContainerPath: Separation]
  ) {
    guard let separation = separations[database],
      database.databaseSiblings.contains(where: {
        $0 == separation.log || event.tree.version(at: $0) == separation.rows
      })
    else { return }
    separations[database] = nil
  }

  private func report(
    _ separations: [ContainerPath: Separation], in tree: FileTree, _ report: inout RuleReport
  ) {
    for (path, separation) in separations.sorted(by: { $0.key < $1.key })
    where tree.file(at: path) != nil {
      report.add(
        self, at: separation.step, on: path, identity: .item,
        "the app \(separation.manner == .move ? "moved" : "copied") the database "
          + "'\(separation.source)' to '\(path)', but not '\(separation.log)' beside it, which "
          + "contains the newest "
          + "rows",
        advice: .text(
          separation.manner == .move
            ? "move that file first, and then the database; or close the database before, so that "
              + "SQLite writes the rows back and removes the file"
            : "copy the database with SQLite's backup interface or VACUUM INTO; or close it before, "
              + "so that SQLite writes the rows back and removes that file"),
        sources: [.sqlite])
    }
  }
}

extension FileTree {
  /// Whether a file beside a database holds something.
  fileprivate func hasRows(at path: ContainerPath) -> Bool {
    file(at: path).map { $0.size > 0 } ?? false
  }
}

extension FileTree.Children {
  /// The items named as a library names what it keeps beside a database, of directories in which
  /// anything is marked; in the order of a walk.
  fileprivate func databaseSiblingsOfMarked(in directory: ContainerPath?) -> [ContainerPath] {
    var siblings: [ContainerPath] = []
    let entries = entries
    let holdsMarked = entries.indices.contains { !entries[$0].item.attributes.marks.isEmpty }
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
    in view: Checkpoint.View, _ databases: Databases
  ) -> (library: DatabaseLibrary, database: ContainerPath)? {
    guard let set = view.backup, let item = view.tree[self], item.marks.isEmpty,
      let found = databases.database(keeping: self, in: view.tree),
      found.library == .sqlite
        || item.firstPath(at: self, where: { !$1.isDirectory && set.contains($0) }) != nil,
      case .ownMark = set.decision(on: found.database)?.reason
    else { return nil }
    return found
  }
}
