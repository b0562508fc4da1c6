package import BackupDiagnostics
package import BackupFileTree
import Foundation

/// A snapshot of a container before the app's own code runs in it, with a stamp on every file and
/// directory.
package struct ContainerWatch: Sendable {
  /// A method to find out which marks the code sets (`MarkProbe.swift`).
  enum Method: Sendable {
    /// Probes replace the marks while the code runs.
    case probes
    /// Witnesses replace the marks. If the app sets a mark again, its witness is gone.
    case witnesses
  }

  package let snapshot: ContainerSnapshot
  let method: Method
}

/// The changes, failed calls and lookups of the app's own code in a container. The kit cannot see
/// every failed call and every lookup.
package struct WatchResult: Sendable {
  package let changes: [FileTree.Change]
  /// The container after the code has run.
  package let tree: FileTree
  /// The missing items on which the code tried to set a mark.
  package let markedMissingItems: [ContainerPath]
  /// The items on which the code tried to set a mark that the iOS version does not have.
  package let unsupportedMarkItems: [ContainerPath]
  /// The items that the code tried to create or write, and that a device refuses. FileSystemTap
  /// made these calls fail.
  package let refusedItems: [ContainerPath]
  /// The items that the code created, tried to mark or looked for in former directories of the
  /// containers.
  package let usedFormerPaths: [ContainerPath]
  /// The missing items that the code looked for.
  package let soughtMissingItems: [ContainerPath]
  /// The calls that made the changes, or that failed, in order.
  package let changeCalls: [ChangeCall]
}

extension FakeContainer {
  /// Takes a snapshot of the container before the app's own code runs in it.
  ///
  /// If `isProbing` is true, every mark is replaced by a probe. Apple says that certain operations
  /// reset marks, so an app must set the mark at each save (`apple-optimizing`). The test must
  /// report an app that does not set the mark again, even if its way of saving happens to keep the
  /// mark.
  /// ``endWatching(_:known:)`` restores the marks of items that were not saved. If `isProbing` is
  /// false, a witness replaces each mark, and shows whether the app sets the mark again.
  ///
  /// A snapshot takes about as long as a scan of the container. If the container cannot have
  /// changed since the latest snapshot, pass the tree of that snapshot as `scannedTree`.
  package func beginWatching(
    probing isProbing: Bool, reusing scannedTree: FileTree? = nil
  ) throws(RunError) -> ContainerWatch {
    try requireNotRemoved()
    let roots = self.roots
    do throws(SystemError) {
      let scanStart =
        scannedTree == nil
        ? try deviceFolder.fileSystemTime() : latestSnapshot.withLock { $0?.scanStart }
      let tree =
        if let scannedTree { scannedTree } else {
          try Scanner.scan(roots, reusing: latestSnapshot.withLock { $0 })
        }
      let stampedTree = try tree.stampItems(in: roots)
      if isProbing {
        try roots.placeProbes(stampedTree)
      } else {
        try roots.placeWitnesses(stampedTree)
      }
      for noteFile in PathNotes.allCases { try deviceFolder.path(noteFile.rawValue).removeItem() }
      try deviceFolder.waitUntilPast(stampedTree.newestModificationTime)
      return ContainerWatch(
        snapshot: ContainerSnapshot(tree: stampedTree, scanStart: scanStart),
        method: isProbing ? .probes : .witnesses)
    } catch {
      throw failure(error, cannotBe: "watched")
    }
  }

  /// Scans the container after the app's code has run, and returns what the code did. `knownTree`
  /// is an earlier tree with the checksums of its files' contents.
  package func endWatching(
    _ watch: ContainerWatch, known knownTree: FileTree = FileTree()
  ) throws(RunError) -> WatchResult {
    try requireNotRemoved()
    let roots = self.roots
    do throws(SystemError) {
      let scanStart = try deviceFolder.fileSystemTime()
      var tree = try withChecksums(
        Scanner.scan(roots, reusing: watch.snapshot), known: knownTree, before: watch.snapshot.tree)
      latestSnapshot.withLock { $0 = ContainerSnapshot(tree: tree, scanStart: scanStart) }
      let formerTree = watch.snapshot.tree
      var changes = ChangeDetector.changes(
        from: watch.method == .probes ? formerTree.unmarked : formerTree, to: tree)
      switch watch.method {
      case .probes:
        changes += try roots.restoreMarks(former: formerTree, current: &tree, changes: changes)
      case .witnesses: changes += try roots.removeWitnesses(former: formerTree, current: tree)
      }
      // If an item was unreadable, `restoreMarks` has scanned again, and the new tree lacks
      // checksums.
      tree = try withChecksums(tree, known: knownTree, before: watch.snapshot.tree)
      complainAboutHome(afterChanges: !changes.isEmpty)
      let missingItemNotes = try PathNotes.marksOnMissingItems.takeNotes(from: deviceFolder)
      let unavailableMarkNotes = try PathNotes.marksUnavailable.takeNotes(from: deviceFolder)
      changes += changesOfLostMarks(try PathNotes.marksSet.takeNotes(from: deviceFolder), in: tree)
      let refusedItemNotes = try PathNotes.refusedPlaces.takeNotes(from: deviceFolder)
      let lookUpNotes = try PathNotes.formerPaths.takeNotes(from: deviceFolder)
      return WatchResult(
        changes: changes, tree: tree,
        markedMissingItems: missingItemNotes.compactMap(containerPath),
        unsupportedMarkItems: unavailableMarkNotes.compactMap(containerPath),
        refusedItems: refusedItemNotes.compactMap(containerPath),
        usedFormerPaths: try removeFormerDirectories()
          + (missingItemNotes + unavailableMarkNotes).compactMap(formerContainerPath)
          + formerPaths(soughtIn: lookUpNotes),
        soughtMissingItems: try PathNotes.missingItems.takeNotes(from: deviceFolder).compactMap(
          containerPath),
        changeCalls: ChangeCall.all(in: try PathNotes.changeCalls.takeNotes(from: deviceFolder)) {
          self.containerPath(of: $0) ?? self.formerContainerPath(of: $0)
        })
    } catch {
      throw failure(error, cannotBe: "watched")
    }
  }

  /// Returns two changes for each item that the code marked and then replaced: a mark, and a
  /// replacement, which removed the mark.
  private func changesOfLostMarks(_ notes: [String], in tree: FileTree) -> [FileTree.Change] {
    var markedPaths: [ContainerPath] = []
    for note in notes {
      let isSet = !note.hasPrefix("-")
      guard let path = containerPath(of: isSet ? note : String(note.dropFirst())) else { continue }
      markedPaths.removeAll { $0 == path }
      if isSet, tree[path]?.marks.isEmpty == true { markedPaths.append(path) }
    }
    return markedPaths.flatMap { [.marked($0, .resourceValue), .replaced($0)] }
  }

  /// Returns the items that the code looked for in a former container. Leaves out an item if the
  /// code later looked for the same name in the present container. Such code repairs a stored path.
  private func formerPaths(soughtIn notes: [String]) -> [ContainerPath] {
    var soughtPaths: [ContainerPath] = []
    for note in notes {
      if let path = formerContainerPath(of: note) {
        if !soughtPaths.contains(path) { soughtPaths.append(path) }
      } else if let path = containerPath(of: note) {
        soughtPaths.removeAll { $0.name == path.name }
      }
    }
    return soughtPaths
  }

  /// Removes the directories that the app created at former paths of the containers.
  ///
  /// - Returns: The files and empty directories in them.
  private func removeFormerDirectories() throws(SystemError) -> [ContainerPath] {
    guard !formerURLs.isEmpty else { return [] }
    var createdPaths: [ContainerPath] = []
    let names = try deviceFolder.ownPath.names().map { String(decoding: $0, as: UTF8.self) }
    for formerPlace in formerPlaces(named: names) {
      let diskPath = DiskPath(formerPlace.url, in: deviceFolder)
      try Scanner.scan(ContainerRoots(diskPath)).forEachItem { path, item in
        if item.children.isEmpty {
          createdPaths.append(ContainerPath(path, inContainer: formerPlace.name))
        }
      }
      try diskPath.removeItem()
    }
    return createdPaths
  }
}

/// Files with notes about actions of the app's code that no later scan can show. Examples are
/// failed attempts whose errors the code ignores, and marks that a later save removes.
///
/// The files are in the device's folder, beside the container.
/// ``Foundation/URL/excludeFromBackup()`` and the shim for Linux write the notes about marks. On
/// Apple platforms, Foundation's own property writes none. FileSystemTap writes the other notes.
///
/// The raw value is the name of the file. The file has absolute paths or other texts, each ended by
/// a NUL.
enum PathNotes: String, CaseIterable {
  case marksOnMissingItems = "marks-on-missing-items"
  case marksUnavailable = "marks-unavailable"
  /// The items on which marks were set or cleared. If a mark was cleared, a `-` precedes the path.
  case marksSet = "marks-set"
  case refusedPlaces = "refused-places"
  /// The items that the code looked for in a former container. Also the items of the same names
  /// that the code later looked for in the present container.
  case formerPaths = "former-paths"
  /// The missing items that the code looked for, except by opening them.
  case missingItems = "missing-items"
  /// The calls that changed items, as `FileSystemTap.h` describes them.
  case changeCalls = "change-calls"

  /// Adds a path to the file, with a prefix. Does nothing if the path is in no fake container.
  func add(_ path: String, prefix: String = "") throws(SystemError) {
    guard let device = DeviceFolder.pathAbove(path) else { return }
    let file = DiskPath(URL(fileURLWithPath: String(device))).appending(Array(rawValue.utf8))
    let note = Array((prefix + path).utf8) + [0]
    try file.withFile(O_WRONLY | O_APPEND | O_CREAT) { file throws(SystemError) in
      let count = note.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
      guard count == note.count else { throw count < 0 ? SystemError() : SystemError(ENOSPC) }
    }
  }

  /// Returns the notes in a device's folder and removes them. Most notes are absolute paths.
  func takeNotes(from device: DeviceFolder) throws(SystemError) -> [String] {
    let file = device.path(rawValue)
    guard let bytes = try file.bytesIfPresent() else { return [] }
    try file.removeItem()
    return bytes.ranges(between: 0).filter { !$0.isEmpty }
      .map { String(decoding: bytes[$0], as: UTF8.self) }
  }
}
