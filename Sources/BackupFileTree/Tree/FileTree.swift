package import BackupCollections

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
    while let end = path.bytes.firstByte(ContainerPath.separator, from: start) {
      let component = ContainerPath.Component(uncheckedIn: path.bytes, start..<end)
      guard case .directory(let next)? = children[component]?.kind else { return nil }
      (children, start) = (next, end + 1)
    }
    return children[ContainerPath.Component(uncheckedIn: path.bytes, start..<path.bytes.count)]
  }

  /// The marked item that is nearest above what is at a path, or that itself; nil if none is marked.
  package func nearestMarked(to path: ContainerPath) -> (path: ContainerPath, item: Item)? {
    var nearest: (path: ContainerPath, item: Item)?
    var (children, start) = (children, 0)
    while start <= path.bytes.count {
      let end = path.bytes.firstByte(ContainerPath.separator, from: start) ?? path.bytes.count
      let name = ContainerPath.Component(uncheckedIn: path.bytes, start..<end)
      guard let item = children[name] else { break }
      if !item.marks.isEmpty {
        nearest = (ContainerPath(unchecked: Array(path.bytes[..<end])), item)
      }
      (children, start) = (item.children, end + 1)
    }
    return nearest
  }

  /// What is known of a file; nil for anything else.
  package func file(at path: ContainerPath) -> FileInformation? {
    self[path]?.information
  }

  /// Whether something is at a path.
  ///
  /// - Parameter path: Relative to the container; links on the way are not followed.
  /// - Returns: True for an item of any kind.
  public func contains(_ path: ContainerPath) -> Bool {
    self[path] != nil
  }

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
    try children.visit(in: nil, where: { isWanted($0.pointee.item) }, body)
  }

  /// Calls `body` for the items that have a mark of their own, in the order of a walk.
  package func visitMarked<Failure: Error>(
    _ body: (ContainerPath, Item) throws(Failure) -> Void
  ) throws(Failure) {
    try children.visit(in: nil, where: { !$0.pointee.item.marks.isEmpty }, body)
  }

  /// Calls `visit` for an item and all in it, or for every item with nil; false leaves out what is
  /// inside a directory.
  package func walk(from path: ContainerPath?, _ visit: (ContainerPath, Item) -> Bool) {
    guard let path else { return walk(visit) }
    self[path]?.walk(at: path, visit)
  }

  /// Calls `visit` for an item and all in it, or for every item with nil, in the order of a walk.
  package func forEachItem<Failure: Error>(
    from path: ContainerPath? = nil, _ visit: (ContainerPath, Item) throws(Failure) -> Void
  ) throws(Failure) {
    if let path {
      try self[path]?.forEachItem(at: path, visit)
    } else {
      for entry in children.list {
        try entry.item.forEachItem(at: ContainerPath(entry.name), visit)
      }
    }
  }

  /// Every path, a directory before what is in it.
  public var paths: [ContainerPath] { paths(from: nil) }

  /// The paths of an item and of all in it, a directory before what is in it.
  package func paths(from path: ContainerPath?) -> [ContainerPath] {
    var paths: [ContainerPath] = []
    forEachItem(from: path) { path, _ in
      paths.append(path)
    }
    return paths
  }

  /// The names of the containers that the tree holds: nil for the app's own, then those of groups,
  /// then those of extensions, each in the order of their bytes.
  package var containerNames: [ContainerPath.Component?] {
    let beside = children.entries.filter { $0.item.isDirectory && $0.name.isContainer }.map(\.name)
    return [nil] + beside.filter(\.isGroup) + beside.filter { !$0.isGroup }
  }

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

  package var hasMarks: Bool { children.hasMarks }

  /// The tree with the marks taken off every item.
  package var unmarked: FileTree {
    var tree = self
    tree.modify(where: { !$0.marks.isEmpty }) { _, item in item.marks = [] }
    return tree
  }

  /// One item of a container.
  public struct Item: Sendable {
    /// What it is, with what belongs to that.
    public var kind: Kind
    /// The attributes that copies and backups keep.
    package var attributes: ItemAttributes
    /// How the scanner found it on disk; not part of what two trees compare.
    public var observation: Observation

    /// An item, unmarked and not from disk unless said.
    ///
    /// - Parameters:
    ///   - kind: What it is, a directory with all in it.
    ///   - marks: The marks on the item itself, not those above it.
    ///   - observation: How it was found on disk, which comparisons leave out.
    public init(_ kind: Kind, marks: ExclusionMark = [], observation: Observation = Observation()) {
      self.kind = kind
      self.attributes = ItemAttributes(marks: marks)
      self.observation = observation
    }

    package init(_ kind: Kind, attributes: ItemAttributes) {
      self.init(kind)
      self.attributes = attributes
    }

    /// The exclusion marks on the item itself.
    public var marks: ExclusionMark {
      get { attributes.marks }
      set { attributes.marks = newValue }
    }
  }

  /// The kinds of items that a file system has, each with what belongs to it.
  @nonexhaustive
  public enum Kind: Hashable, Sendable {
    case file(FileInformation)
    case directory(Children)
    /// A symbolic link and the bytes it points to; never followed.
    case link(target: [UInt8])
    /// A socket, pipe or device.
    case special
    /// Something that could not be read, with the platform's words for why.
    case unreadable(reason: String)
  }

  /// What a tree knows of a file's contents.
  public struct FileInformation: Sendable {
    /// Its logical size in bytes.
    public var size: Int64
    /// What tells its contents from others; not part of what two trees compare.
    package var contents = ContentsSum.unknown
    /// The details of the contents; not compared either.
    package var details: ContentsDetails?
    /// Whether its contents begin as an SQLite database's do.
    public var isDatabase: Bool

    /// A file of a size in bytes.
    ///
    /// - Parameters:
    ///   - size: The logical size in bytes.
    ///   - isDatabase: Whether the contents begin as an SQLite database's do.
    public init(size: Int64, isDatabase: Bool = false) {
      self.size = size
      self.isDatabase = isDatabase
    }
  }

  /// What is right in one directory, in the byte order of the names.
  public struct Children: Hashable, Sendable {
    /// One item of a directory and its name there.
    public struct Entry: Hashable, Sendable {
      /// The item's name in its directory.
      public let name: ContainerPath.Component
      /// What bears the name, with all in it.
      public var item: Item

      package init(name: ContainerPath.Component, item: Item) {
        self.name = name
        self.item = item
      }
    }

    /// The entries, sorted by name; copies share them.
    package private(set) var list: ChunkedArray<Entry>

    /// What is in an empty directory.
    public init() {
      self.list = ChunkedArray()
    }

    /// Takes entries that are in the order of their names, which differ.
    package init(sorted entries: [Entry]) {
      self.list = ChunkedArray(entries)
    }

    /// The entries, sorted by name.
    public var entries: [Entry] { list.elements }

    /// The entries with their items changed, without those for which `change` has none.
    func filtered(_ change: (ContainerPath.Component, Item) -> Item?) -> Children {
      Children(
        sorted: list.compactMap { entry in
          change(entry.name, entry.item).map { Entry(name: entry.name, item: $0) }
        })
    }

    /// Whether nothing is in the directory.
    public var isEmpty: Bool { list.isEmpty }

    /// The item of a name; setting nil removes it.
    ///
    /// - Parameter name: Compared byte by byte; found by a binary search.
    /// - Returns: The item right in this directory, or nil if no entry has the name.
    public subscript(name: ContainerPath.Component) -> Item? {
      get {
        guard let entry = list.first(from: { !($0.pointee.name < name) }), entry.name == name else {
          return nil
        }
        return entry.item
      }
      set {
        switch (index(of: name), newValue) {
        case (let index?, let item?): list.modify(at: index) { $0.item = item }
        case (let index?, nil): list.remove(at: index)
        case (nil, let item?):
          list.insert(Entry(name: name, item: item), at: insertionIndex(of: name))
        case (nil, nil): break
        }
      }
    }

    /// Changes the item with a name in place; false if it does not exist.
    mutating func modify<Failure: Error>(
      _ name: ContainerPath.Component, _ change: (inout Item) throws(Failure) -> Void
    ) throws(Failure) -> Bool {
      guard let index = index(of: name) else { return false }
      try list.modify(at: index) { entry throws(Failure) in try change(&entry.item) }
      return true
    }

    /// Which of the entries has a name, from 0; nil for none.
    package func index(of name: ContainerPath.Component) -> Int? {
      let index = insertionIndex(of: name)
      return index < list.endIndex && list[index].name == name ? index : nil
    }

    private func insertionIndex(of name: ContainerPath.Component) -> Int {
      list.firstIndex(from: { !($0.pointee.name < name) })
    }

    fileprivate var hasMarks: Bool {
      list.contains { !$0.item.marks.isEmpty || $0.item.children.hasMarks }
    }
  }

  /// What tells one look at the disk from the next.
  public struct Observation: Sendable {
    /// The kit's stamp on the item, or 0; it stays with the item through moves and writes in place.
    public var identity: UInt64 = 0
    /// The inode number, by which an in-place save differs from a new file; 0 if it is unknown.
    public var inode: UInt64 = 0
    /// When the contents last changed, in nanoseconds since 1970.
    public var modified: Int64 = 0
    /// When anything of the item last changed, its attributes too, in nanoseconds since 1970.
    package var changed: Int64 = 0

    /// An item that was never on disk.
    public init() {}
  }

  /// When the file that was saved last was saved, in nanoseconds since 1970.
  package var newestModification: Int64 {
    var newest: Int64 = 0
    visit { item in
      if item.size != nil { newest = max(newest, item.observation.modified) }
      return false
    } _: { _, _ in
    }
    return newest
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

  /// Calls `visit` for this item, which is at a path, and for all inside it, in the order of a walk.
  package func forEachItem<Failure: Error>(
    at path: ContainerPath, _ visit: (ContainerPath, FileTree.Item) throws(Failure) -> Void
  ) throws(Failure) {
    try walk(at: path) { path, item throws(Failure) in
      try visit(path, item)
      return true
    }
  }

  /// The path of the first item that a predicate accepts: of this one, which is at `path`, and all
  /// inside it. Nil if it accepts none.
  package func firstPath(
    at path: ContainerPath, where isWanted: (ContainerPath, FileTree.Item) -> Bool
  ) -> ContainerPath? {
    if isWanted(path, self) { return path }
    for entry in children.list {
      let found = entry.item.firstPath(at: path.appending(entry.name), where: isWanted)
      if found != nil { return found }
    }
    return nil
  }

  /// Whether the item is a directory; a link to one is not.
  public var isDirectory: Bool {
    if case .directory = kind { true } else { false }
  }

  /// The size in bytes of a regular file, nil for anything else.
  public var size: Int64? {
    if case .file(let information) = kind { information.size } else { nil }
  }

  /// What is known of a file, which can be changed; nil for anything else.
  package var information: FileTree.FileInformation? {
    get { if case .file(let information) = kind { information } else { nil } }
    set { if let newValue, case .file = kind { kind = .file(newValue) } }
  }

  /// What is right in the item; empty for anything but a directory.
  public var children: FileTree.Children {
    if case .directory(let children) = kind { children } else { FileTree.Children() }
  }

  /// Whether both are directories that share what is in them, so that nothing there differs; false
  /// says nothing.
  package func sharesChildren(with other: FileTree.Item?) -> Bool {
    guard case .directory(let mine) = kind, case .directory(let theirs) = other?.kind else {
      return false
    }
    return mine.list.isIdentical(to: theirs.list)
  }

  static let emptyDirectory = FileTree.Item(.directory(FileTree.Children()))

  /// The kit's stamp, 0 for none.
  package var identity: UInt64 { observation.identity }

  package var isUnreadable: Bool {
    if case .unreadable = kind { true } else { false }
  }

  /// Whether a stamp can be stored on such an item everywhere.
  package var canBeStamped: Bool {
    switch kind {
    case .file, .directory: true
    case .link, .special, .unreadable: false
    }
  }
}

extension FileTree.Children {
  fileprivate func visit<Failure: Error>(
    in directory: ContainerPath?, where isWanted: (UnsafePointer<Entry>) -> Bool,
    _ body: (ContainerPath, FileTree.Item) throws(Failure) -> Void
  ) throws(Failure) {
    try list.forEachChunk { entries throws(Failure) in
      // In place, for what is not wanted is not copied then.
      try entries.withUnsafeBufferPointer { entries throws(Failure) in
        guard let first = entries.baseAddress else { return }
        for place in first..<first + entries.count {
          let isOne = isWanted(place)
          guard isOne || place.pointee.item.isDirectory else { continue }
          let entry = place.pointee
          let path = ContainerPath(entry.name, in: directory)
          if isOne { try body(path, entry.item) }
          if case .directory(let children) = entry.item.kind {
            try children.visit(in: path, where: isWanted, body)
          }
        }
      }
    }
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

extension FileTree.Item: Hashable {
  /// True if an app sees the same item: kind, size and attributes are equal. The observation does
  /// not count.
  public static func == (left: FileTree.Item, right: FileTree.Item) -> Bool {
    left.attributes == right.attributes && left.kind == right.kind
  }

  /// Hashes what `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(attributes)
    hasher.combine(kind)
  }
}
