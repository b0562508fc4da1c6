import BackupDevice
import BackupFileTree
import BackupScenarios

/// A database that was marked without the items that SQLite, Core Data or Realm keeps beside it, or that
/// was moved or copied without its log.
///
/// The libraries create and remove these items, so marks on them do not last. Only a marked directory
/// keeps a database and its siblings out together. The rule skips a database whose class permits no mark:
/// `user-data-excluded`, `secret-backed-up` and `misplaced-item` report it. If the class of a sibling
/// makes the missing mark an error, `recreatable-data-backed-up` reports it.
///
/// A log contains the newest rows, until SQLite has written them back into the database and removed the log.
/// A database that is moved or copied without its log does not have these rows.
struct IncompleteGroupRule: Rule {
  let name = "incomplete-group"
  let severity = Scenario.Severity.warning
  let basis = RuleBasis.container
  let sources: [SystemProfile.Source] = [
    .appleOptimizing, .appleQA1719, .observed, .realmSwift, .sqlite,
  ]
  var requirements: BrokenRequirements { .named(["class.only-critical-backed-up"]) }

  static let advice = "put the database into its own directory, and mark the directory"

  /// A move or a copy of a database without its log.
  struct Separation: Hashable {
    let step: Scenario.StepReference
    let source: ContainerPath
    let log: ContainerPath
    /// The contents of the log.
    let rows: ContentsVersion
    let manner: Manner
  }

  enum Manner: Hashable {
    case move
    case copy
  }

  package func memory(at start: RunStart) -> [ContainerPath: Separation] { [:] }

  /// Remembers the databases that were separated from their logs, by their current paths, until the system
  /// acts.
  func observe(
    _ event: ObservedEvent, _ separations: inout [ContainerPath: Separation],
    _ report: inout RuleReport
  ) {
    for change in event.changes { record(change, in: event, &separations) }
    guard let checkpoint = event.checkpoint else { return }
    self.report(separations, in: checkpoint.tree, &report)
    separations = [:]
    guard checkpoint.label != nil else { return }
    for path in checkpoint.tree.children.databaseSiblingsOfMarked(in: nil) {
      let databases = event.facts.databases
      guard let (library, database) = path.markedDatabase(in: checkpoint.now, databases),
        checkpoint.isFault({ path.markedDatabase(in: $0, databases) != nil }),
        event.permitsMark(on: database, in: checkpoint.tree, under: checkpoint.profile),
        let step = event.facts.ledger.origin(of: path)
      else { continue }
      // Realm marks its items itself, and they hold nothing that lasts.
      guard library != .realm else { continue }
      report.add(
        self, at: step, on: path, identity: .item,
        "'\(path)' is not marked, but the database that it belongs to is; \(library.behavior)",
        advice: .text(Self.advice),
        unless: [RecreatableDataBackedUpRule().name, ReapplyOnSaveRule().name])
    }
  }

  private func record(
    _ change: FileTree.Change, in event: ObservedEvent,
    _ separations: inout [ContainerPath: Separation]
  ) {
    switch change {
    case .moved(let source, to: let path):
      recordTransfer(of: source, to: path, by: .move, in: event, &separations)
    case .copied(let source, to: let path):
      recordTransfer(of: source, to: path, by: .copy, in: event, &separations)
    case .created(let path), .replaced(let path):
      separations[path] = nil
      recordLog(at: path, in: event, &separations)
    case .savedInPlace, .removed, .marked, .cleared: break
    }
  }

  /// Records a move or a copy of a database, of a log, or of a directory with them.
  private func recordTransfer(
    of source: ContainerPath, to path: ContainerPath, by manner: Manner, in event: ObservedEvent,
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
      endSeparationIfJoined(place, in: event, &separations)
    }
    guard isFile else { return }
    if let separation = separation(of: source, by: manner, in: event) {
      separations[path] = separation
      endSeparationIfJoined(path, in: event, &separations)
    }
    recordLog(at: path, in: event, &separations)
  }

  /// Returns the separation of a database from the log beside its former path; nil if there is no such log.
  private func separation(
    of source: ContainerPath, by manner: Manner, in event: ObservedEvent
  ) -> Separation? {
    guard let database = event.before.file(at: source),
      event.facts.databases.contains(source, database)
    else { return nil }
    // SQLite's `-shm` file is an index of the log, and contains no rows.
    return source.databaseSiblings.lazy.filter { !$0.name.hasSuffix("-shm") }
      .compactMap { log in
        guard let rows = event.before.version(at: log), rows.size > 0,
          event.tree.hasRows(at: log)
        else { return nil }
        return Separation(step: event.step, source: source, log: log, rows: rows, manner: manner)
      }.first
  }

  /// Ends the separation of the database beside a new file if the file is the database's log.
  private func recordLog(
    at path: ContainerPath, in event: ObservedEvent,
    _ separations: inout [ContainerPath: Separation]
  ) {
    guard !separations.isEmpty, let name = path.name.databaseName else { return }
    endSeparationIfJoined(ContainerPath(name, in: path.parent), in: event, &separations)
  }

  /// Ends the separation of a database if its log is beside it again. A new log, which SQLite creates when it opens
  /// the database, does not contain the rows.
  private func endSeparationIfJoined(
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
  fileprivate func hasRows(at path: ContainerPath) -> Bool {
    file(at: path).map { $0.size > 0 } ?? false
  }
}

extension FileTree.Children {
  /// Returns the items that are named like siblings of a database, in directories that have a marked item; in the
  /// order of a walk.
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
  /// Returns the database of this unmarked item if a mark of its own keeps the database out, and the library that
  /// keeps the item; nil for any other item.
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
