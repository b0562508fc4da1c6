import BackupCollections
public import BackupFileTree

/// Predicts what the system takes from an app that does not run: a pure function of a tree and a
/// profile.
///
/// The system never purges an app that runs (`apple-fspg`): end it first. Of containers that the
/// tree has beside the app's own, as `group.x:`, goes what goes of their kind; whether an
/// extension's are purged as an app's is `unverified`.
///
/// ```swift
/// let outcome = PurgeSimulator(profile: profile).purge(try container.scan(), .lowStorage)
/// outcome.taken.map(\.path.description)  // ["Library/Caches/thumbnail.png"]
/// ```
public struct PurgeSimulator: Sendable {
  /// The version of iOS that purges.
  public let profile: SystemProfile

  /// A simulator of one system.
  ///
  /// - Parameter profile: The version of iOS that purges.
  public init(profile: SystemProfile) {
    self.profile = profile
  }

  /// Takes what the pressure asks for.
  ///
  /// - Parameters:
  ///   - tree: The container of an app that does not run.
  ///   - pressure: How much is needed.
  /// - Returns: What is left, and the topmost items that went, in byte order of their paths.
  public func purge(
    _ tree: FileTree, _ pressure: Pressure
  ) -> (tree: FileTree, taken: [FileTree.LostItem]) {
    let after = remains(of: tree, pressure)
    return (after, tree.itemsMissing(in: after))
  }

  /// The container after a purge.
  package func remains(of tree: FileTree, _ pressure: Pressure) -> FileTree {
    var after = tree
    for name in tree.containerNames {
      let policy = profile.purgePolicy(for: SystemProfile.ContainerKind(name))
      func places(_ places: SystemProfile.Sourced<[ContainerPath]>) -> [ContainerPath] {
        places.value.map { ContainerPath($0, inContainer: name) }
      }
      switch pressure {
      case .idle: takeWhole(places(policy.idle), from: &after)
      case .lowStorage: take(places(policy.lowStorage), by: policy, from: &after)
      case .criticalStorage: take(places(policy.criticalStorage), by: policy, from: &after)
      case .files(let patterns):
        takeFiles(matching: patterns, in: places(policy.criticalStorage), from: &after)
      }
    }
    return after
  }

  private func takeFiles(
    matching patterns: [PathPattern], in purgeable: [ContainerPath], from tree: inout FileTree
  ) {
    let index = PatternIndex(patterns)
    take(PathPattern.places(of: patterns) ?? purgeable, from: &tree) { path, _ in
      purgeable.contains { $0.isAncestor(of: path) } && index.firstIndex(matching: path) != nil
    }
  }

  private func take(
    _ directories: [ContainerPath], by policy: SystemProfile.PurgePolicy, from tree: inout FileTree
  ) {
    switch policy.unit.value {
    case .wholeDirectory:
      takeWhole(directories, from: &tree)
    case .singleFiles:
      let spared = policy.sparesMarked.value ? profile.honouredMarks.value : []
      take(directories, from: &tree) { _, isMarked in !isMarked(spared) }
    }
  }

  /// Takes directories with all in them and puts new, empty and unmarked ones in their places.
  private func takeWhole(_ directories: [ContainerPath], from tree: inout FileTree) {
    for directory in directories where tree.contains(directory) {
      tree.remove(directory)
      tree.ensureDirectory(directory)
    }
  }

  /// Takes the files and links in some directories, or that are there, that `isWanted` names;
  /// directories stay. It is given a path and a function that tells whether such a mark is on or
  /// above it.
  private func take(
    _ directories: [ContainerPath], from tree: inout FileTree,
    where isWanted: (ContainerPath, (ExclusionMark) -> Bool) -> Bool
  ) {
    let before = tree
    for directory in directories {
      tree.removeFiles(in: directory) { path in
        isWanted(path) { marks in
          (path.ancestors + [path]).contains { before[$0]?.marks.isDisjoint(with: marks) == false }
        }
      }
    }
  }

  /// How badly the device needs storage, and so what the system takes.
  @nonexhaustive
  public enum Pressure: Hashable, Sendable {
    /// None in particular: the app does not run, and the system may empty caches and tmp at any
    /// time (`apple-file-system`).
    case idle
    /// Storage is low: caches go.
    case lowStorage
    /// Nothing else is left to take: tmp goes too.
    case criticalStorage
    /// Just the files in purgeable places that these patterns match, as older systems took single
    /// ones.
    case files([PathPattern])
  }
}

extension PurgeSimulator.Pressure: CustomStringConvertible {
  /// The word scenario files use, or the patterns.
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
  /// An item that the system took, or did not carry along, with all that was in it.
  public struct LostItem: Hashable, Sendable {
    /// Where the item was, relative to the container.
    public let path: ContainerPath
    package let item: FileTree.Item
    /// How many files went, itself included.
    public let fileCount: Int
    /// The sum of their sizes in bytes, at most `Int64.max`.
    public let bytes: Int64

    init(_ path: ContainerPath, _ item: FileTree.Item) {
      var sum = FileSum()
      item.forEachFile { sum.add($0) }
      self.path = path
      self.item = item
      self.fileCount = sum.files
      self.bytes = sum.bytes
    }

    /// Whether the item was a directory.
    public var isDirectory: Bool { item.isDirectory }
  }

  /// The topmost items of this tree that another does not have, in byte order of their paths.
  ///
  /// A file or link in whose place the other has a directory is missing there too.
  ///
  /// ```swift
  /// let after = PurgeSimulator(profile: profile).purge(before, .lowStorage).tree
  /// before.itemsMissing(in: after).map(\.path.description)  // ["Library/Caches/thumbnail.png"]
  /// ```
  ///
  /// - Parameter other: The tree they may be missing in, as a container after a purge.
  /// - Returns: The items, each with the files and bytes that go with it.
  public func itemsMissing(in other: FileTree) -> [LostItem] {
    var missing: [LostItem] = []
    other.children.addItemsMissing(from: children, in: nil, to: &missing)
    return missing.sorted { $0.path < $1.path }
  }
}

extension FileTree.Children {
  /// Adds the topmost items that were in a directory and are not in this one.
  fileprivate func addItemsMissing(
    from before: FileTree.Children, in directory: ContainerPath?,
    to missing: inout [FileTree.LostItem]
  ) {
    forEachDifference(from: before) { name, former, now in
      guard let former else { return }
      let path = ContainerPath(name, in: directory)
      if let now, former.isDirectory || !now.isDirectory {
        now.children.addItemsMissing(from: former.children, in: path, to: &missing)
      } else {
        missing.append(FileTree.LostItem(path, former))
      }
    }
  }
}

extension [FileTree.LostItem] {
  /// Calls `visit` for the items and all in them.
  package func forEachItem(_ visit: (ContainerPath, FileTree.Item) -> Void) {
    for lost in self { lost.item.forEachItem(at: lost.path, visit) }
  }

  /// The bytes of all of them together, at most `Int64.max`.
  package var sumOfBytes: Int64 {
    reduce(0) { sum, item in
      sum.addingReportingOverflow(item.bytes).overflow ? .max : sum + item.bytes
    }
  }
}

extension FileTree.Item {
  fileprivate func forEachFile(_ visit: (Int64) -> Void) {
    if let size { visit(size) }
    for entry in children.list { entry.item.forEachFile(visit) }
  }
}
