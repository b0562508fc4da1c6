package import BackupDiagnostics
package import BackupFileTree
import Foundation

/// A snapshot of a container before the app's own code runs in it, with a stamp on every item.
package struct ContainerWatch: Sendable {
  /// The way in which the kit finds out which marks the code sets.
  enum Method: Sendable {
    /// The marks are off while the code runs.
    case probes
    /// The marks stay, each with a witness that is gone once the app sets the mark again.
    case witnesses
  }

  package let look: ContainerSnapshot
  let method: Method
}

/// The traces of the app's own code in a container: changes, failed attempts and lookups.
package struct ContainerTrace: Sendable {
  package let changes: [FileTree.Change]
  package let tree: FileTree
  /// The paths on which a mark was set while nothing was there, as far as can be seen.
  package let marksOnMissing: [ContainerPath]
  /// The paths on which a mark was set that the system does not have, as far as can be seen.
  package let marksUnavailable: [ContainerPath]
  /// The items that a device refuses to create or write, and that were refused here, as far as can
  /// be seen.
  package let refusedPlaces: [ContainerPath]
  /// The items that the code created, tried to mark or looked for in former directories of the
  /// container, as far as can be seen.
  package let formerPathsUsed: [ContainerPath]
  /// The items that the code looked for and did not find, as far as can be seen.
  package let foundMissing: [ContainerPath]
  /// The calls that made the changes, in order, as far as can be seen.
  package let calls: [ChangeCall]
}

extension FakeContainer {
  /// Takes a snapshot of the container before the app's own code runs in it.
  ///
  /// With `probing`, every mark is taken off: Apple says that certain operations reset it, so an
  /// app must set it at each save (`apple-optimizing`), and must not pass because an operation
  /// happens to keep it. ``endWatching(_:known:)`` restores the marks of items that were not saved.
  /// Without `probing` the marks stay, and the kit only notes whether the app sets them again.
  ///
  /// A snapshot costs about as much as reading the container once. If nothing can have happened
  /// since the latest one, its tree is used again.
  package func beginWatching(
    probing isProbing: Bool, in scanned: FileTree? = nil
  ) throws(RunError) -> ContainerWatch {
    try requireNotRemoved()
    let roots = self.roots
    do throws(SystemError) {
      let moment =
        scanned == nil ? try folder.now() : latestSnapshot.withLock { $0?.moment }
      let tree =
        if let scanned { scanned } else {
          try Scanner.scan(roots, reusing: latestSnapshot.withLock { $0 })
        }
      let before = try tree.stampItems(in: roots)
      if isProbing {
        try roots.placeProbes(before)
      } else {
        try roots.placeWitnesses(before)
      }
      for notes in PathNotes.allCases { try folder.path(notes.rawValue).removeItem() }
      try folder.waitUntilPast(before.newestModification)
      return ContainerWatch(
        look: ContainerSnapshot(tree: before, moment: moment),
        method: isProbing ? .probes : .witnesses)
    } catch {
      throw failure(error, cannotBe: "watched")
    }
  }

  /// Scans the container again and returns what the code did meanwhile. `known` is the container
  /// before, with the sums of its files' contents.
  package func endWatching(
    _ watch: ContainerWatch, known: FileTree = FileTree()
  ) throws(RunError) -> ContainerTrace {
    try requireNotRemoved()
    let roots = self.roots
    do throws(SystemError) {
      let moment = try folder.now()
      var tree = try withSums(
        Scanner.scan(roots, reusing: watch.look), known: known, before: watch.look.tree)
      latestSnapshot.withLock { $0 = ContainerSnapshot(tree: tree, moment: moment) }
      let former = watch.look.tree
      var changes = ChangeDetector.changes(
        from: watch.method == .probes ? former.unmarked : former, to: tree)
      switch watch.method {
      case .probes:
        changes += try roots.restoreMarks(former: former, current: &tree, changes: changes)
      case .witnesses: changes += try roots.removeWitnesses(former: former, current: tree)
      }
      // Restoring the marks may have read the container once more.
      tree = try withSums(tree, known: known, before: watch.look.tree)
      judgeHome(afterChanges: !changes.isEmpty)
      let missing = try PathNotes.marksOnMissingItems.take(from: folder)
      let unavailable = try PathNotes.marksUnavailable.take(from: folder)
      changes += lostMarks(try PathNotes.marksSet.take(from: folder), in: tree)
      let refused = try PathNotes.refusedPlaces.take(from: folder)
      let sought = try PathNotes.formerPaths.take(from: folder)
      return ContainerTrace(
        changes: changes, tree: tree,
        marksOnMissing: missing.compactMap(containerPath),
        marksUnavailable: unavailable.compactMap(containerPath),
        refusedPlaces: refused.compactMap(containerPath),
        formerPathsUsed: try removeFormerDirectories()
          + (missing + unavailable).compactMap(formerContainerPath) + formerPaths(soughtIn: sought),
        foundMissing: try PathNotes.missingItems.take(from: folder).compactMap(containerPath),
        calls: ChangeCall.all(in: try PathNotes.changeCalls.take(from: folder)) {
          self.containerPath(of: $0) ?? self.formerContainerPath(of: $0)
        })
    } catch {
      throw failure(error, cannotBe: "watched")
    }
  }

  /// Returns the marks that the code set on items that have none in the end, because a later save
  /// replaced the items.
  private func lostMarks(_ notes: [String], in tree: FileTree) -> [FileTree.Change] {
    var marked: [ContainerPath] = []
    for note in notes {
      let isSet = !note.hasPrefix("-")
      guard let path = containerPath(of: isSet ? note : String(note.dropFirst())) else { continue }
      marked.removeAll { $0 == path }
      if isSet, tree[path]?.marks.isEmpty == true { marked.append(path) }
    }
    return marked.flatMap { [.marked($0, .resourceValue), .replaced($0)] }
  }

  /// Returns the items that the code looked for in a former container, and not then in the present
  /// one. An app that then looks in the present one repairs a path that it has stored.
  private func formerPaths(soughtIn notes: [String]) -> [ContainerPath] {
    var sought: [ContainerPath] = []
    for note in notes {
      if let path = formerContainerPath(of: note) {
        if !sought.contains(path) { sought.append(path) }
      } else if let path = containerPath(of: note) {
        sought.removeAll { $0.name == path.name }
      }
    }
    return sought
  }

  /// Removes the items that the app created at the containers' former paths, however many these
  /// are.
  ///
  /// - Returns: The files and empty directories that it created there.
  private func removeFormerDirectories() throws(SystemError) -> [ContainerPath] {
    guard !formerURLs.isEmpty else { return [] }
    var used: [ContainerPath] = []
    let names = try folder.itself.names().map { String(decoding: $0, as: UTF8.self) }
    for former in formerPlaces(named: names) {
      let disk = DiskPath(former.url, in: folder)
      try Scanner.scan(ContainerRoots(disk)).forEachItem { path, item in
        if item.children.isEmpty { used.append(ContainerPath(path, inContainer: former.name)) }
      }
      try disk.removeItem()
    }
    return used
  }
}

/// Notes of acts of the app's code that no later scan shows: overwritten ones, and failed attempts, whose errors
/// the code may ignore.
///
/// The notes are in the device's folder, beside the container.
/// ``Foundation/URL/excludeFromBackup()`` and the shim for Linux write those about marks; on Apple
/// platforms, Foundation's own interface writes none. FileSystemTap writes the others. The raw
/// value is the name of the file, which has absolute paths or other texts, each ended by a NUL.
enum PathNotes: String, CaseIterable {
  case marksOnMissingItems = "marks-on-missing-items"
  case marksUnavailable = "marks-unavailable"
  /// The items on which marks were set; with a `-` before the path, the items on which they were
  /// cleared.
  case marksSet = "marks-set"
  case refusedPlaces = "refused-places"
  /// The items that were looked for in a former container of the app, and items of the same names
  /// that were looked for in the present one afterwards.
  case formerPaths = "former-paths"
  /// The missing items that were looked for, other than by opening them.
  case missingItems = "missing-items"
  /// The calls that changed items, as `FileSystemTap.h` describes them.
  case changeCalls = "change-calls"

  /// Notes a path, if it is in a fake container, with a sign before it.
  func add(_ path: String, after sign: String = "") throws(SystemError) {
    guard let device = DeviceFolder.above(path) else { return }
    let file = DiskPath(URL(fileURLWithPath: String(device))).appending(Array(rawValue.utf8))
    let line = Array((sign + path).utf8) + [0]
    try file.withFile(O_WRONLY | O_APPEND | O_CREAT) { file throws(SystemError) in
      let count = line.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
      guard count == line.count else { throw count < 0 ? SystemError() : SystemError(ENOSPC) }
    }
  }

  /// Returns the notes in a device's folder, most of which are absolute paths, and removes them.
  func take(from device: DeviceFolder) throws(SystemError) -> [String] {
    let file = device.path(rawValue)
    guard let bytes = try file.bytesIfPresent() else { return [] }
    try file.removeItem()
    return bytes.ranges(between: 0).filter { !$0.isEmpty }
      .map { String(decoding: bytes[$0], as: UTF8.self) }
  }
}
