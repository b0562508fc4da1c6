import BackupCollections
import BackupDiagnostics

/// What is in a container, as a value: a snapshot that copies, compares and never changes by
/// itself.
///
/// The simulators are functions on it. The meaning of every ``FileOperation`` is defined here once;
/// a `FakeContainer` does the same on disk.
///
/// ```swift
/// let before = try container.scan()
/// try Data("hello".utf8).write(to: container.documents.appending(path: "note.txt"))
/// let after = try container.scan()
/// after.paths.filter { !before.contains($0) }.map(\.description)  // ["Documents/note.txt"]
/// ```
public struct FileTree: Hashable, Sendable {
  /// What is right in the container.
  public internal(set) var children: Children

  /// A tree without any item, not even the directories that iOS creates.
  public init() {
    self.children = Children()
  }

  /// A container with these items at its top.
  package init(children: Children) {
    self.children = children
  }

  /// The item at a path, or nil.
  ///
  /// - Parameter path: Relative to the container; links on the way are not followed.
  /// - Returns: The item with all in it, or nil if it does not exist.
  public subscript(path: ContainerPath) -> Item? {
    var (children, start) = (children, 0)
    // Without a list of the names, for this is asked more often than anything else.
    while let end = path.bytes[start...].firstIndex(of: ContainerPath.separator) {
      let component = ContainerPath.Component(uncheckedIn: path.bytes, start..<end)
      guard case .directory(let next)? = children[component]?.kind else { return nil }
      (children, start) = (next, end + 1)
    }
    return children[ContainerPath.Component(uncheckedIn: path.bytes, start..<path.bytes.count)]
  }

  /// What is known of a file; nil for anything else.
  package func file(at path: ContainerPath) -> FileInformation? {
    guard case .file(let information) = self[path]?.kind else { return nil }
    return information
  }

  /// Whether something is at a path.
  ///
  /// - Parameter path: Relative to the container; links on the way are not followed.
  /// - Returns: True for an item of any kind.
  public func contains(_ path: ContainerPath) -> Bool {
    self[path] != nil
  }
}

extension FileTree {
  /// Calls `visit` for every item, a directory before what is in it, names in byte order.
  ///
  /// - Parameter visit: Takes a path and its item; false leaves out what is inside a directory.
  /// - Throws: What `visit` throws, which ends the walk.
  public func walk<Failure: Error>(
    _ visit: (ContainerPath, Item) throws(Failure) -> Bool
  ) throws(Failure) {
    for entry in children.list {
      try entry.item.walk(at: ContainerPath(entry.name), visit)
    }
  }

  /// Calls `body` for the items that are wanted, in the order of a walk; where few are, this is
  /// quicker than a walk, which makes a path for every item.
  package func visit<Failure: Error>(
    where isWanted: (Item) -> Bool, _ body: (ContainerPath, Item) throws(Failure) -> Void
  ) throws(Failure) {
    try children.visit(in: nil, where: isWanted, body)
  }

  /// Calls `visit` for an item and all in it, or for every item with nil; false leaves out what is
  /// inside a directory.
  package func walk(
    from path: ContainerPath?, _ visit: (ContainerPath, Item) -> Bool
  ) {
    guard let path else { return walk(visit) }
    self[path]?.walk(at: path, visit)
  }

  /// Every path, a directory before what is in it.
  public var paths: [ContainerPath] { paths(from: nil) }

  /// The paths of an item and of all in it, a directory before what is in it.
  package func paths(from path: ContainerPath?) -> [ContainerPath] {
    var paths: [ContainerPath] = []
    walk(from: path) { path, _ in
      paths.append(path)
      return true
    }
    return paths
  }
}

extension FileTree.Item {
  /// Calls `visit` for this item, which is at a path, and for all inside it.
  ///
  /// - Parameters:
  ///   - path: Where the item is.
  ///   - visit: Takes a path and its item; false leaves out what is inside a directory.
  /// - Throws: What `visit` throws, which ends the walk.
  public func walk<Failure: Error>(
    at path: ContainerPath, _ visit: (ContainerPath, FileTree.Item) throws(Failure) -> Bool
  ) throws(Failure) {
    guard try visit(path, self), case .directory(let children) = kind else { return }
    for entry in children.list {
      try entry.item.walk(at: path.appending(entry.name), visit)
    }
  }
}

extension FileTree.Children {
  fileprivate func visit<Failure: Error>(
    in directory: ContainerPath?, where isWanted: (FileTree.Item) -> Bool,
    _ body: (ContainerPath, FileTree.Item) throws(Failure) -> Void
  ) throws(Failure) {
    try list.forEachChunk { entries throws(Failure) in
      for index in entries.indices {
        let isOne = isWanted(entries[index].item)
        guard isOne || entries[index].item.isDirectory else { continue }
        let entry = entries[index]
        let path = ContainerPath(entry.name, in: directory)
        if isOne { try body(path, entry.item) }
        if case .directory(let children) = entry.item.kind {
          try children.visit(in: path, where: isWanted, body)
        }
      }
    }
  }
}

extension FileTree {
  /// The names of the containers that the tree holds: nil for the app's own, then those of groups,
  /// then those of extensions, each in the order of their bytes.
  package var containerNames: [ContainerPath.Component?] {
    let beside = children.entries.filter { $0.item.isDirectory && $0.name.isContainer }.map(\.name)
    return [nil] + beside.filter(\.isGroup) + beside.filter { !$0.isGroup }
  }
}

extension FileTree.Layout {
  /// This layout of an app's container, with new containers of groups and extensions beside it, in
  /// one tree.
  package func beside(groups: [String], extensions: [String]) -> FileTree.Layout {
    let beside =
      groups.map { ($0, FileTree.Layout.newGroup) }
      + extensions.map { ($0, FileTree.Layout.newlyInstalled) }
    return FileTree.Layout(
      directories: directories
        + beside.flatMap { identifier, layout in
          let name = ContainerPath.Component(containerOf: identifier)
          return [ContainerPath(name)]
            + layout.directories.map { ContainerPath($0, inContainer: name) }
        })
  }
}

extension FileTree {
  /// What stands in a container before the app has run.
  ///
  /// ```swift
  /// let tree = FileTree.Layout.newlyInstalled.tree
  /// tree.contains(try ContainerPath("Library/Caches"))  // true
  /// ```
  public struct Layout: Hashable, Sendable {
    /// The directories, a parent before what is in it.
    public let directories: [ContainerPath]
    /// A container with these directories and nothing else, as a value.
    public let tree: FileTree

    /// A layout of these directories, each with its parents before it.
    ///
    /// - Parameter directories: Paths relative to the container, a parent before what is in it.
    public init(directories: [ContainerPath]) {
      var tree = FileTree()
      for directory in directories { tree.ensureDirectory(directory) }
      self.directories = directories
      self.tree = tree
    }

    /// A newly installed app's container.
    ///
    /// Source: `eidinger`, class `observed`. `Library/Application Support` is not among the
    /// directories.
    public static let newlyInstalled = Layout(
      directories: ContainerPath.StandardLocation.allCases.filter { $0 != .applicationSupport }.map(
        \.path))

    /// A group's container that no app has written to: `Library/Caches` is all there is.
    ///
    /// Source: `apple-group-container`, class `documented`.
    public static let newGroup = Layout(
      directories: [ContainerPath.StandardLocation.library, .caches].map(\.path))
  }
}

extension FileTree {
  package var hasMarks: Bool {
    var hasMarks = false
    visit {
      !$0.marks.isEmpty
    } _: { _, _ in
      hasMarks = true
    }
    return hasMarks
  }
}
