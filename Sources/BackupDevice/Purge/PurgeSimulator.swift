import BackupCollections
public import BackupDiagnostics
public import BackupFileTree

/// Predicts the items that a purge deletes from an app's container: a pure function of a tree and a
/// profile.
///
/// The system never purges an app that runs (`apple-fspg`), so end the app first. If the tree has
/// containers of groups and extensions, such as `group.x:`, each follows the policy for its kind.
/// The kit assumes that iOS purges an extension's container like an app's (`unverified`).
///
/// ```swift
/// let outcome = PurgeSimulator(profile: profile).purge(try container.scan(), .lowStorage)
/// outcome.taken.map(\.path.description)  // ["Library/Caches/thumbnail.png"]
/// ```
public struct PurgeSimulator: Sendable {
  /// The profile of the version of iOS that is simulated.
  public let profile: SystemProfile

  /// Creates a simulator of purges under one version of iOS.
  ///
  /// - Parameter profile: The profile of the version of iOS that is simulated.
  public init(profile: SystemProfile) {
    self.profile = profile
  }

  /// Removes the items that the system deletes at a shortage of storage.
  ///
  /// - Parameters:
  ///   - tree: The container of an app that does not run.
  ///   - pressure: The shortage of storage.
  /// - Returns: The remaining tree, and the topmost deleted items in byte order of their paths.
  public func purge(
    _ tree: FileTree, _ pressure: Pressure
  ) -> (tree: FileTree, taken: [FileTree.LostItem]) {
    let treeAfterPurge = containerAfterPurge(of: tree, pressure)
    return (treeAfterPurge, tree.itemsMissing(in: treeAfterPurge))
  }

  /// Returns the container after a purge.
  package func containerAfterPurge(of tree: FileTree, _ pressure: Pressure) -> FileTree {
    var treeAfterPurge = tree
    for name in tree.containerNames {
      let policy = profile.purgePolicy(for: SystemProfile.ContainerKind(name))
      func paths(_ directories: SystemProfile.Sourced<[ContainerPath]>) -> [ContainerPath] {
        directories.value.map { ContainerPath($0, inContainer: name) }
      }
      switch pressure {
      case .idle: emptyDirectories(paths(policy.idle), in: &treeAfterPurge)
      case .lowStorage: purge(paths(policy.lowStorage), by: policy, in: &treeAfterPurge)
      case .criticalStorage: purge(paths(policy.criticalStorage), by: policy, in: &treeAfterPurge)
      case .files(let patterns):
        removeFiles(matching: patterns, in: paths(policy.criticalStorage), from: &treeAfterPurge)
      }
    }
    return treeAfterPurge
  }

  private func removeFiles(
    matching patterns: [PathPattern], in purgeableDirectories: [ContainerPath],
    from tree: inout FileTree
  ) {
    let index = PatternIndex(patterns)
    removeFiles(in: PathPattern.coveringPaths(of: patterns) ?? purgeableDirectories, from: &tree) {
      path, _ in
      purgeableDirectories.contains { $0.isAncestor(of: path) }
        && index.firstIndex(matching: path) != nil
    }
  }

  private func purge(
    _ directories: [ContainerPath], by policy: SystemProfile.PurgePolicy, in tree: inout FileTree
  ) {
    switch policy.unit.value {
    case .wholeDirectory:
      emptyDirectories(directories, in: &tree)
    case .singleFiles:
      let sparedMarks = policy.sparesMarked.value ? profile.honouredMarks.value : []
      removeFiles(in: directories, from: &tree) { _, isMarked in !isMarked(sparedMarks) }
    }
  }

  /// Replaces each directory with an empty directory that has no mark.
  private func emptyDirectories(_ directories: [ContainerPath], in tree: inout FileTree) {
    for directory in directories where tree.contains(directory) {
      tree.remove(directory)
      tree.ensureDirectory(directory)
    }
  }

  /// Removes files and links, but no directories, at `directories` and below if `shouldRemove`
  /// returns true.
  ///
  /// `shouldRemove` receives a path and a function. The function returns whether the item or a
  /// directory above it has one of the given marks.
  private func removeFiles(
    in directories: [ContainerPath], from tree: inout FileTree,
    where shouldRemove: (ContainerPath, (ExclusionMark) -> Bool) -> Bool
  ) {
    let before = tree
    for directory in directories {
      tree.removeFiles(in: directory) { path in
        shouldRemove(path) { marks in
          (path.ancestors + [path]).contains { before[$0]?.marks.isDisjoint(with: marks) == false }
        }
      }
    }
  }

  /// The shortage of storage. It decides which items the system deletes.
  @nonexhaustive
  public enum Pressure: Hashable, Sendable {
    /// No shortage: the system may empty caches and tmp at any time while the app does not run
    /// (`apple-file-system`).
    case idle
    /// Storage is low: the system deletes caches.
    case lowStorage
    /// Storage is still too low without the caches: the system also deletes tmp.
    case criticalStorage
    /// The system deletes only the files that match these patterns, in places that it may purge.
    /// Older systems deleted single files.
    case files([PathPattern])
  }
}

extension PurgeSimulator.Pressure {
  /// Returns a purge of the files that match patterns, in places that the system may purge.
  ///
  /// ```swift
  /// try container.purge(.files(["Library/Caches/*.png"]))
  /// ```
  ///
  /// - Parameter patterns: Patterns, relative to the container.
  /// - Returns: The purge.
  /// - Throws: `RunError` with the code `.invalidPath` for an invalid pattern.
  @_disfavoredOverload
  public static func files(_ patterns: [String]) throws(RunError) -> Self {
    .files(
      try patterns.map { text throws(RunError) -> PathPattern in
        try RunError.addingSubject("the pattern") { () throws(RunError) in try PathPattern(text) }
      })
  }
}

extension PurgeSimulator.Pressure: CustomStringConvertible {
  /// The name that scenario files use, or the patterns.
  public var description: String {
    switch self {
    case .idle: "idle"
    case .lowStorage: "lowStorage"
    case .criticalStorage: "criticalStorage"
    case .files(let patterns): patterns.map(\.description).joined(separator: ", ")
    }
  }
}

extension FileTree {
  /// An item that iOS deleted or did not carry over, with all items in it.
  public struct LostItem: Hashable, Sendable {
    /// The path of the item, relative to the container.
    public let path: ContainerPath
    package let item: FileTree.Item
    /// The number of files in the item, or 1 if the item is a file.
    public let fileCount: Int
    /// The total size in bytes of the files that ``fileCount`` counts, at most `Int64.max`.
    public let bytes: Int64

    init(_ path: ContainerPath, _ item: FileTree.Item) {
      var sum = FileTotal()
      item.forEachFile { sum.addFile($0) }
      self.path = path
      self.item = item
      self.fileCount = sum.fileCount
      self.bytes = sum.byteCount
    }

    /// A Boolean value that indicates whether the item was a directory.
    public var isDirectory: Bool { item.isDirectory }
  }

  /// Returns the topmost items of this tree that another tree lacks, in byte order of their paths.
  ///
  /// A file or link is also missing if the other tree has a directory at its path.
  ///
  /// ```swift
  /// let after = PurgeSimulator(profile: profile).purge(before, .lowStorage).tree
  /// before.itemsMissing(in: after).map(\.path.description)  // ["Library/Caches/thumbnail.png"]
  /// ```
  ///
  /// - Parameter other: The tree to compare with, for example a container after a purge.
  /// - Returns: The items, each with the number and size of its files.
  public func itemsMissing(in other: FileTree) -> [LostItem] {
    var missing: [LostItem] = []
    other.children.addItemsMissing(from: children, in: nil, to: &missing)
    return missing.sorted { $0.path < $1.path }
  }
}

extension FileTree.Children {
  /// Adds the topmost items of `before` that this directory lacks.
  fileprivate func addItemsMissing(
    from before: FileTree.Children, in directory: ContainerPath?,
    to missing: inout [FileTree.LostItem]
  ) {
    forEachDifference(from: before) { name, formerItem, currentItem in
      guard let formerItem else { return }
      let path = ContainerPath(name, in: directory)
      if let currentItem, formerItem.isDirectory || !currentItem.isDirectory {
        currentItem.children.addItemsMissing(from: formerItem.children, in: path, to: &missing)
      } else {
        missing.append(FileTree.LostItem(path, formerItem))
      }
    }
  }
}

extension [FileTree.LostItem] {
  /// Calls `visit` for each item and for all items in it.
  package func forEachItem(_ visit: (ContainerPath, FileTree.Item) -> Void) {
    for lost in self { lost.item.forEachItem(at: lost.path, visit) }
  }

  /// The total size of the items in bytes, at most `Int64.max`.
  package var sumOfBytes: Int64 {
    reduce(0) { sum, item in
      sum.addingReportingOverflow(item.bytes).overflow ? .max : sum + item.bytes
    }
  }
}

extension FileTree.Item {
  fileprivate func forEachFile(_ visit: (Int64) -> Void) {
    if let size { visit(size) }
    for entry in children.chunkedEntries { entry.item.forEachFile(visit) }
  }
}
