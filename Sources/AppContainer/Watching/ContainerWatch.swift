import Foundation

/// A look at a container before the app's own code runs in it.
package struct ContainerWatch: Sendable {
  /// The container, every item stamped.
  package let before: FileTree
  /// Whether the marks were taken off for the time being.
  let isProbing: Bool
}

/// What the app's own code did in a container.
package struct ContainerTrace: Sendable {
  /// What happened to the items.
  package var changes: [ItemChange]
  /// The container afterwards.
  package let tree: FileTree
  /// The paths on which a mark was set while nothing was there, as far as can be seen.
  package let marksOnMissing: [ContainerPath]
  /// What was made in the directories that the container had before.
  package let formerPathsUsed: [ContainerPath]
}

extension FakeContainer {
  /// Looks at the container before the app's own code runs in it.
  ///
  /// With `probing`, every mark is taken off: Apple says that certain operations reset it, so an app
  /// has to set it at each save (`apple-optimizing`), and must not pass because an operation
  /// happens to keep it. ``endWatching(_:)`` puts the marks back on what was not saved.
  ///
  /// - Parameter isProbing: Whether the marks are taken off meanwhile.
  /// - Returns: What ``endWatching(_:)`` needs.
  /// - Throws: ``FakeContainerError`` where the container cannot be read or written.
  package func beginWatching(
    probing isProbing: Bool
  ) throws(FakeContainerError) -> ContainerWatch {
    do throws(SystemError) {
      try stampItems()
      let before = try Scanner.scan(DiskPath(url))
      if isProbing { try takeMarksOff(before) }
      clearNotes()
      FileClock.waitUntilPast(before.newestModification, in: device)
      return ContainerWatch(before: before, isProbing: isProbing)
    } catch {
      throw FakeContainerError(path: url.path, reason: "the container cannot be watched: \(error)")
    }
  }

  /// Looks again and says what the code did meanwhile.
  ///
  /// - Parameter watch: What ``beginWatching(probing:)`` returned.
  /// - Returns: The changes and the container now.
  /// - Throws: ``FakeContainerError`` where the container cannot be read or written.
  package func endWatching(
    _ watch: ContainerWatch
  ) throws(FakeContainerError) -> ContainerTrace {
    do throws(SystemError) {
      let found = try Scanner.scan(DiskPath(url))
      let before = watch.isProbing ? watch.before.withoutMarks : watch.before
      var changes = ChangeDetector.changes(from: before, to: found)
      if watch.isProbing {
        changes += try putMarksBack(watch.before, found, changes)
      }
      return ContainerTrace(
        changes: changes, tree: try Scanner.scan(DiskPath(url)),
        marksOnMissing: takeNotes(), formerPathsUsed: try removeFormerDirectories())
    } catch {
      throw FakeContainerError(path: url.path, reason: "the container cannot be watched: \(error)")
    }
  }

  /// Removes what the app made at the container's former paths.
  ///
  /// - Returns: The files and empty directories that it made there.
  private func removeFormerDirectories() throws(SystemError) -> [ContainerPath] {
    var used: [ContainerPath] = []
    for former in formerURLs where try DiskPath(former).status() != nil {
      try? Scanner.scan(DiskPath(former)).walk { path, item in
        if item.children.isEmpty { used.append(path) }
        return true
      }
      try DiskPath(former).removeItem()
    }
    return used
  }
}

extension FakeContainer {
  /// Stamps every item that has no stamp, or shares another's because it is a copy.
  private func stampItems() throws(SystemError) {
    let root = DiskPath(url)
    var known: Set<UInt64> = []
    try Scanner.scan(root).walk { path, item throws(SystemError) in
      guard item.canBeStamped else { return true }
      if item.identity == 0 || !known.insert(item.identity).inserted {
        let stamp = IdentityStamp.make()
        known.insert(stamp)
        try IdentityStamp.write(stamp, at: DiskPath(path, in: root).characters)
      }
      return true
    }
  }

  /// Takes the marks off every item, leaving the probe in their place.
  private func takeMarksOff(_ tree: FileTree) throws(SystemError) {
    let root = DiskPath(url)
    try tree.walk { path, item throws(SystemError) in
      guard !item.marks.isEmpty else { return true }
      let disk = DiskPath(path, in: root)
      try MarkProbe.put(item.marks, at: disk.characters)
      for mark in ExclusionMark.all where item.marks.contains(mark) {
        try disk.setMark(mark, false)
      }
      return true
    }
  }

  /// Puts the marks back on what was not saved, and takes the probes off.
  ///
  /// - Returns: The marks that the app took off meanwhile: where the probe is gone.
  private func putMarksBack(
    _ before: FileTree, _ found: FileTree, _ changes: [ItemChange]
  ) throws(SystemError) -> [ItemChange] {
    let root = DiskPath(url)
    let saved = Set(changes.compactMap(\.savedPath))
    let marked = before.marksByIdentity
    var cleared: [ItemChange] = []
    try found.walk { path, item throws(SystemError) in
      guard let marks = marked[item.identity] else { return true }
      let disk = DiskPath(path, in: root)
      let probed = try MarkProbe.take(at: disk.characters)
      for mark in ExclusionMark.all where marks.contains(mark) && !item.marks.contains(mark) {
        if !probed.contains(mark) {
          cleared.append(.cleared(path, mark))
        } else if !saved.contains(path) {
          try disk.setMark(mark, true)
        }
      }
      return true
    }
    return cleared
  }
}

extension ItemChange {
  /// The item that was written to in place; nil for any other change.
  fileprivate var savedPath: ContainerPath? {
    if case .savedInPlace(let path) = self { path } else { nil }
  }
}

extension FileTree {
  /// The same items without marks.
  fileprivate var withoutMarks: FileTree {
    var tree = self
    walk { path, item in
      if !item.marks.isEmpty { tree.modify(path) { $0.marks = [] } }
      return true
    }
    return tree
  }

  /// The marks of the marked items, by stamp.
  fileprivate var marksByIdentity: [UInt64: ExclusionMark] {
    var marks: [UInt64: ExclusionMark] = [:]
    walk { _, item in
      if !item.marks.isEmpty, item.identity != 0 { marks[item.identity] = item.marks }
      return true
    }
    return marks
  }

  /// When the file that was saved last was saved, in nanoseconds since 1970.
  fileprivate var newestModification: Int64 {
    var newest: Int64 = 0
    walk { _, item in
      if item.size != nil { newest = max(newest, item.observation.modified) }
      return true
    }
    return newest
  }
}
