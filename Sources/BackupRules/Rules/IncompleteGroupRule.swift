import BackupDevice
import BackupFileTree
import BackupScenarios

/// Reports a marked database with unmarked siblings, and a database that the app moved or copied
/// without its log.
///
/// The siblings are the items that SQLite, Core Data or Realm keeps beside a database, such as
/// `a.sqlite-wal` for `a.sqlite`. The libraries create and remove them, so marks on siblings do not
/// last. Only a mark on the directory excludes a database and its siblings together.
///
/// The rule skips a database whose class permits no mark: `user-data-excluded`, `secret-backed-up`
/// or `misplaced-item` reports it. If the class of a sibling makes the missing mark an error,
/// `recreatable-data-backed-up` reports the sibling.
///
/// The log `a.sqlite-wal` contains the newest rows until SQLite writes them back into the database.
/// A database that is moved or copied without its log lacks these rows.
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
    let sourcePath: ContainerPath
    let logPath: ContainerPath
    let logContents: ContentsVersion
    let transfer: Transfer
  }

  enum Transfer: Hashable {
    case move
    case copy
  }

  package func memory(at start: RunStart) -> [ContainerPath: Separation] { [:] }

  /// Judges an event. `separations` has the databases that the app has separated from their logs
  /// since the system last acted, by their current paths.
  func observe(
    _ event: ObservedEvent, _ separations: inout [ContainerPath: Separation],
    _ report: inout RuleReport
  ) {
    for change in event.changes { record(change, in: event, &separations) }
    guard let checkpoint = event.checkpoint else { return }
    self.report(separations, in: checkpoint.tree, &report)
    separations = [:]
    guard checkpoint.backupLabel != nil else { return }
    for path in checkpoint.tree.children.databaseSiblingsBesideMarkedItems(in: nil) {
      let databases = event.facts.databases
      guard let (library, database) = path.markedDatabase(in: checkpoint.currentView, databases),
        checkpoint.isFaultOfApp({ path.markedDatabase(in: $0, databases) != nil }),
        event.permitsMark(on: database, in: checkpoint.tree, under: checkpoint.profile),
        let step = event.facts.ledger.origin(of: path)
      else { continue }
      // Realm marks its items itself, and they contain no data.
      guard library != .realm else { continue }
      report.add(
        self, at: step, on: path, groupedBy: .item,
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
    of source: ContainerPath, to path: ContainerPath, by transfer: Transfer,
    in event: ObservedEvent, _ separations: inout [ContainerPath: Separation]
  ) {
    let isFile = event.tree.fileInformation(at: path) != nil
    let transferredSeparations =
      isFile
      ? separations[source].map { [(path, $0)] } ?? []
      : separations.compactMap { database, separation in
        database.moved(from: source, to: path).map { ($0, separation) }
      }
    separations[path] = nil
    for (database, separation) in transferredSeparations {
      separations[database] = separation
      endSeparationIfJoined(database, in: event, &separations)
    }
    guard isFile else { return }
    if let separation = separation(of: source, by: transfer, in: event) {
      separations[path] = separation
      endSeparationIfJoined(path, in: event, &separations)
    }
    recordLog(at: path, in: event, &separations)
  }

  /// Returns the separation of a database from the log beside its former path; nil without a log.
  private func separation(
    of source: ContainerPath, by transfer: Transfer, in event: ObservedEvent
  ) -> Separation? {
    guard let database = event.treeBefore.fileInformation(at: source),
      event.facts.databases.contains(source, database)
    else { return nil }
    // SQLite's `-shm` file is an index of the log, and contains no rows.
    return source.databaseSiblings.lazy.filter { !$0.name.hasSuffix("-shm") }
      .compactMap { log in
        guard let logContents = event.treeBefore.version(at: log), logContents.size > 0,
          event.tree.hasContents(at: log)
        else { return nil }
        return Separation(
          step: event.step, sourcePath: source, logPath: log, logContents: logContents,
          transfer: transfer)
      }.first
  }

  /// Ends a separation if a new file is the log of the separated database.
  private func recordLog(
    at path: ContainerPath, in event: ObservedEvent,
    _ separations: inout [ContainerPath: Separation]
  ) {
    guard !separations.isEmpty, let name = path.name.databaseName else { return }
    endSeparationIfJoined(ContainerPath(name, in: path.parent), in: event, &separations)
  }

  /// Ends the separation of a database that is beside its log again. A log that SQLite created when
  /// it opened the database does not count, because this log lacks the rows.
  private func endSeparationIfJoined(
    _ database: ContainerPath, in event: ObservedEvent,
    _ separations: inout [ContainerPath: Separation]
  ) {
    guard let separation = separations[database],
      database.databaseSiblings.contains(where: {
        $0 == separation.logPath || event.tree.version(at: $0) == separation.logContents
      })
    else { return }
    separations[database] = nil
  }

  private func report(
    _ separations: [ContainerPath: Separation], in tree: FileTree, _ report: inout RuleReport
  ) {
    for (path, separation) in separations.sorted(by: { $0.key < $1.key })
    where tree.fileInformation(at: path) != nil {
      report.add(
        self, at: separation.step, on: path, groupedBy: .item,
        "the app \(separation.transfer == .move ? "moved" : "copied") the database "
          + "'\(separation.sourcePath)' to '\(path)', but not '\(separation.logPath)' beside it, "
          + "which contains the newest "
          + "rows",
        advice: .text(
          separation.transfer == .move
            ? "move that file first, and then the database; or close the database before, so that "
              + "SQLite writes the rows back and removes the file"
            : "copy the database with SQLite's backup interface or VACUUM INTO; or close it before, "
              + "so that SQLite writes the rows back and removes that file"),
        sources: [.sqlite])
    }
  }
}

extension FileTree {
  fileprivate func hasContents(at path: ContainerPath) -> Bool {
    fileInformation(at: path).map { $0.size > 0 } ?? false
  }
}

extension FileTree.Children {
  /// Returns the items with the name of a database's sibling, from directories that contain a
  /// marked item. The order is that of a walk through the container.
  fileprivate func databaseSiblingsBesideMarkedItems(in directory: ContainerPath?)
    -> [ContainerPath]
  {
    var siblings: [ContainerPath] = []
    let entries = entries
    let containsMarkedItem = entries.indices.contains { !entries[$0].item.attributes.marks.isEmpty }
    for index in entries.indices {
      if containsMarkedItem, DatabaseLibrary(keeping: entries[index].name) != nil {
        siblings.append(ContainerPath(entries[index].name, in: directory))
      }
      if case .directory(let children) = entries[index].item.kind {
        siblings += children.databaseSiblingsBesideMarkedItems(
          in: ContainerPath(entries[index].name, in: directory))
      }
    }
    return siblings
  }
}

extension ContainerPath {
  /// Returns the database of this unmarked sibling, and the library that keeps the sibling. Returns
  /// nil for any other item, and if the database has no own mark that excludes it.
  fileprivate func markedDatabase(
    in view: Checkpoint.View, _ databases: Databases
  ) -> (library: DatabaseLibrary, database: ContainerPath)? {
    guard let backup = view.backup, let item = view.tree[self], item.marks.isEmpty,
      let match = databases.database(beside: self, in: view.tree),
      match.library == .sqlite
        || item.firstPath(at: self, where: { !$1.isDirectory && backup.contains($0) }) != nil,
      case .ownMark = backup.decision(on: match.database)?.reason
    else { return nil }
    return match
  }
}
