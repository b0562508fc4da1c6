package import BackupCollections

/// A snapshot of the items in a container, as a value.
///
/// Simulators are functions of trees. A tree defines the effect of every ``FileOperation``; a
/// `FakeContainer` does the same on disk.
///
/// ```swift
/// let before = try container.scan()
/// try Data("hello".utf8).write(to: container.documents.appending(path: "note.txt"))
/// let after = try container.scan()
/// after.paths.filter { !before.contains($0) }.map(\.description)  // ["Documents/note.txt"]
/// ```
public struct FileTree: Hashable, Sendable {
  /// The items directly in the container.
  public internal(set) var children: Children

  /// Creates a tree without items, not even the directories that iOS creates.
  public init() {
    self.children = Children()
  }

  package init(children: Children) {
    self.children = children
  }

  /// The item at a path, or nil.
  ///
  /// - Parameter path: A path relative to the container. Links on the way are not followed.
  /// - Returns: The item with all items in it, or nil if it does not exist.
  public subscript(path: ContainerPath) -> Item? {
    var (children, start) = (children, 0)
    // Reads the bytes without a list of names, because no other call is as frequent.
    while let end = path.bytes.firstByte(ContainerPath.separator, from: start) {
      let component = ContainerPath.Component(uncheckedIn: path.bytes, start..<end)
      guard case .directory(let next)? = children[component]?.kind else { return nil }
      (children, start) = (next, end + 1)
    }
    return children[ContainerPath.Component(uncheckedIn: path.bytes, start..<path.bytes.count)]
  }

  /// Returns the marked item that is nearest to a path, at it or above it; nil if none is marked.
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

  /// Returns the information about a file; nil for any other item.
  package func file(at path: ContainerPath) -> FileInformation? {
    self[path]?.information
  }

  /// Returns true if an item exists at a path.
  ///
  /// - Parameter path: A path relative to the container. Links on the way are not followed.
  /// - Returns: True for an item of any kind.
  public func contains(_ path: ContainerPath) -> Bool {
    self[path] != nil
  }

  /// Calls `visit` for every item: a directory before the items in it, names in byte order.
  ///
  /// - Parameter visit: Receives a path and its item. Returns false to skip the items in a
  ///   directory.
  /// - Throws: The error that `visit` throws, which ends the walk.
  public func walk<Failure: Error>(
    _ visit: (ContainerPath, Item) throws(Failure) -> Bool
  ) throws(Failure) {
    for entry in children.list {
      try entry.item.walk(at: ContainerPath(entry.name), visit)
    }
  }

  /// Calls `body` for the items that satisfy a condition, in the order of a walk. For few items,
  /// this is faster than a walk, which creates a path for every item.
  package func visit<Failure: Error>(
    where condition: (Item) -> Bool, _ body: (ContainerPath, Item) throws(Failure) -> Void
  ) throws(Failure) {
    try children.visit(in: nil, where: { condition($0.pointee.item) }, body)
  }

  /// Calls `body` for the items that have a mark of their own, in the order of a walk.
  package func visitMarked<Failure: Error>(
    _ body: (ContainerPath, Item) throws(Failure) -> Void
  ) throws(Failure) {
    try children.visit(in: nil, where: { !$0.pointee.item.marks.isEmpty }, body)
  }

  /// Calls `visit` for an item and all items in it, or for every item if the path is nil. `visit`
  /// returns false to skip the items in a directory.
  package func walk(from path: ContainerPath?, _ visit: (ContainerPath, Item) -> Bool) {
    guard let path else { return walk(visit) }
    self[path]?.walk(at: path, visit)
  }

  /// Calls `visit` for an item and all items in it, or for every item if the path is nil, in the
  /// order of a walk.
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

  /// Every path, in the order of a walk.
  public var paths: [ContainerPath] { paths(from: nil) }

  /// Returns the paths of an item and of all items in it, in the order of a walk.
  package func paths(from path: ContainerPath?) -> [ContainerPath] {
    var paths: [ContainerPath] = []
    forEachItem(from: path) { path, _ in
      paths.append(path)
    }
    return paths
  }

  /// The names of all containers: nil for the app's own, then those of groups, then those of
  /// extensions, each in byte order.
  package var containerNames: [ContainerPath.Component?] {
    let others = children.entries.filter { $0.item.isDirectory && $0.name.isContainer }.map(\.name)
    return [nil] + others.filter(\.isGroup) + others.filter { !$0.isGroup }
  }

  /// The directories of a container before the app has run.
  ///
  /// ```swift
  /// let tree = FileTree.Layout.newlyInstalled.tree
  /// tree.contains(try ContainerPath("Library/Caches"))  // true
  /// ```
  public struct Layout: Hashable, Sendable {
    /// The directories, a parent before those in it.
    public let directories: [ContainerPath]
    /// A tree with these directories and no other items.
    public let tree: FileTree

    /// Creates a layout of directories.
    ///
    /// - Parameter directories: Paths relative to the container, a parent before those in it.
    public init(directories: [ContainerPath]) {
      var tree = FileTree()
      for directory in directories { tree.ensureDirectory(directory) }
      self.directories = directories
      self.tree = tree
    }

    /// The layout of a newly installed app's container.
    ///
    /// Source: `eidinger`, class `observed`. `Library/Application Support` is not among the
    /// directories.
    public static let newlyInstalled = Layout(
      directories: ContainerPath.StandardLocation.allCases.filter { $0 != .applicationSupport }.map(
        \.path))

    /// The layout of a group's container that no app has written to. It has only `Library/Caches`.
    ///
    /// Source: `apple-group-container`, class `documented`.
    public static let newGroup = Layout(
      directories: [ContainerPath.StandardLocation.library, .caches].map(\.path))
  }

  package var hasMarks: Bool { children.hasMarks }

  /// The tree without the marks of its items.
  package var unmarked: FileTree {
    var tree = self
    tree.modify(where: { !$0.marks.isEmpty }) { _, item in item.marks = [] }
    return tree
  }

  /// An item of a container.
  public struct Item: Sendable {
    /// The kind of the item.
    public var kind: Kind
    /// The attributes that copies and backups keep.
    package var attributes: ItemAttributes
    /// The observation on disk. Comparisons ignore it.
    public var observation: Observation

    /// Creates an item.
    ///
    /// - Parameters:
    ///   - kind: The kind of the item. A directory has all items in it.
    ///   - marks: The marks on the item itself, not those on the directories above it.
    ///   - observation: The observation on disk. Comparisons ignore it.
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

  /// A kind of item, with its data.
  @nonexhaustive
  public enum Kind: Hashable, Sendable {
    case file(FileInformation)
    case directory(Children)
    /// A symbolic link with the bytes of its target. It is never followed.
    case link(target: [UInt8])
    /// A socket, pipe or device.
    case special
    /// An item that could not be read, with the platform's words for the reason.
    case unreadable(reason: String)
  }

  /// The information about a file's contents.
  public struct FileInformation: Sendable {
    /// The logical size in bytes.
    public var size: Int64
    /// The sum of the contents. Comparisons of trees ignore it.
    package var contents = ContentsSum.unknown
    /// The details of the contents. Comparisons of trees ignore them.
    package var details: ContentsDetails?
    /// True if the contents begin like an SQLite database.
    public var isDatabase: Bool

    /// Creates information about a file.
    ///
    /// - Parameters:
    ///   - size: The logical size in bytes.
    ///   - isDatabase: True if the contents begin like an SQLite database.
    public init(size: Int64, isDatabase: Bool = false) {
      self.size = size
      self.isDatabase = isDatabase
    }
  }

  /// The items directly in a directory, in the byte order of their names.
  public struct Children: Hashable, Sendable {
    /// An item of a directory, with its name.
    public struct Entry: Hashable, Sendable {
      /// The item's name in its directory.
      public let name: ContainerPath.Component
      /// The item, with all items in it.
      public var item: Item

      package init(name: ContainerPath.Component, item: Item) {
        self.name = name
        self.item = item
      }
    }

    /// The entries, sorted by name; copies share them.
    package private(set) var list: ChunkedArray<Entry>

    /// Creates the children of an empty directory.
    public init() {
      self.list = ChunkedArray()
    }

    /// Creates children from entries, which are sorted by name and have different names.
    package init(sorted entries: [Entry]) {
      self.list = ChunkedArray(entries)
    }

    /// The entries, sorted by name.
    public var entries: [Entry] { list.elements }

    /// Returns the children with transformed items, without those for which the transform is nil.
    func compactMap(_ transform: (ContainerPath.Component, Item) -> Item?) -> Children {
      Children(
        sorted: list.compactMap { entry in
          transform(entry.name, entry.item).map { Entry(name: entry.name, item: $0) }
        })
    }

    /// True if the directory is empty.
    public var isEmpty: Bool { list.isEmpty }

    /// The item with a name. Setting nil removes it.
    ///
    /// - Parameter name: The name. A binary search compares it byte by byte.
    /// - Returns: The item, or nil if no entry has the name.
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

    /// Changes the item with a name in place. Returns false if it does not exist.
    mutating func modify<Failure: Error>(
      _ name: ContainerPath.Component, _ change: (inout Item) throws(Failure) -> Void
    ) throws(Failure) -> Bool {
      guard let index = index(of: name) else { return false }
      try list.modify(at: index) { entry throws(Failure) in try change(&entry.item) }
      return true
    }

    /// Returns the index of the entry with a name, or nil if there is none.
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

  /// The facts by which the kit recognizes an item, or a change of it, in a later snapshot.
  public struct Observation: Sendable {
    /// The kit's stamp on the item, or 0. It stays with an item that is moved or saved in place.
    public var identity: UInt64 = 0
    /// The inode number, by which an in-place save differs from a new file; 0 if it is unknown.
    public var inode: UInt64 = 0
    /// The time of the last change of the contents, in nanoseconds since 1970.
    public var modified: Int64 = 0
    /// The time of the last change of the item or its attributes, in nanoseconds since 1970.
    package var changed: Int64 = 0

    /// Creates the observation of an item that was never on disk.
    public init() {}
  }

  /// The time of the latest save of a file, in nanoseconds since 1970.
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
  /// Calls `visit` for this item and all items in it.
  ///
  /// - Parameters:
  ///   - path: The path of this item.
  ///   - visit: Receives a path and its item. Returns false to skip the items in a directory.
  /// - Throws: The error that `visit` throws, which ends the walk.
  public func walk<Failure: Error>(
    at path: ContainerPath, _ visit: (ContainerPath, FileTree.Item) throws(Failure) -> Bool
  ) throws(Failure) {
    guard try visit(path, self), case .directory(let children) = kind else { return }
    for entry in children.list {
      try entry.item.walk(at: path.appending(entry.name), visit)
    }
  }

  /// Calls `visit` for this item and all items in it, in the order of a walk.
  package func forEachItem<Failure: Error>(
    at path: ContainerPath, _ visit: (ContainerPath, FileTree.Item) throws(Failure) -> Void
  ) throws(Failure) {
    try walk(at: path) { path, item throws(Failure) in
      try visit(path, item)
      return true
    }
  }

  /// Returns the path of the first item that satisfies a condition: this one, at `path`, or one in
  /// it. Returns nil if none does.
  package func firstPath(
    at path: ContainerPath, where condition: (ContainerPath, FileTree.Item) -> Bool
  ) -> ContainerPath? {
    if condition(path, self) { return path }
    for entry in children.list {
      let found = entry.item.firstPath(at: path.appending(entry.name), where: condition)
      if found != nil { return found }
    }
    return nil
  }

  /// True if the item is a directory; false for a link to one.
  public var isDirectory: Bool {
    if case .directory = kind { true } else { false }
  }

  /// The size of a regular file in bytes; nil for any other item.
  public var size: Int64? {
    if case .file(let information) = kind { information.size } else { nil }
  }

  /// The information about a file; nil for any other item.
  package var information: FileTree.FileInformation? {
    get { if case .file(let information) = kind { information } else { nil } }
    set { if let newValue, case .file = kind { kind = .file(newValue) } }
  }

  /// The items directly in a directory; empty for any other item.
  public var children: FileTree.Children {
    if case .directory(let children) = kind { children } else { FileTree.Children() }
  }

  /// Returns true if both are directories with shared entries, and so have equal contents. If
  /// false, the contents may still be equal.
  package func sharesChildren(with other: FileTree.Item?) -> Bool {
    guard case .directory(let mine) = kind, case .directory(let theirs) = other?.kind else {
      return false
    }
    return mine.list.isIdentical(to: theirs.list)
  }

  static let emptyDirectory = FileTree.Item(.directory(FileTree.Children()))

  /// The kit's stamp, or 0.
  package var identity: UInt64 { observation.identity }

  package var isUnreadable: Bool {
    if case .unreadable = kind { true } else { false }
  }

  /// True if every platform can store a stamp on the item.
  package var canBeStamped: Bool {
    switch kind {
    case .file, .directory: true
    case .link, .special, .unreadable: false
    }
  }
}

extension FileTree.Children {
  fileprivate func visit<Failure: Error>(
    in directory: ContainerPath?, where condition: (UnsafePointer<Entry>) -> Bool,
    _ body: (ContainerPath, FileTree.Item) throws(Failure) -> Void
  ) throws(Failure) {
    try list.forEachChunk { entries throws(Failure) in
      // Reads entries in place, so that only those that satisfy the condition are copied.
      try entries.withUnsafeBufferPointer { entries throws(Failure) in
        guard let first = entries.baseAddress else { return }
        for pointer in first..<first + entries.count {
          let isMatch = condition(pointer)
          guard isMatch || pointer.pointee.item.isDirectory else { continue }
          let entry = pointer.pointee
          let path = ContainerPath(entry.name, in: directory)
          if isMatch { try body(path, entry.item) }
          if case .directory(let children) = entry.item.kind {
            try children.visit(in: path, where: condition, body)
          }
        }
      }
    }
  }
}

extension FileTree.Layout {
  /// Returns this layout of an app's container, with new containers of groups and extensions.
  package func beside(groups: [String], extensions: [String]) -> FileTree.Layout {
    let others =
      groups.map { ($0, FileTree.Layout.newGroup) }
      + extensions.map { ($0, FileTree.Layout.newlyInstalled) }
    return FileTree.Layout(
      directories: directories
        + others.flatMap { identifier, layout in
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

  /// Hashes the values that `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(attributes)
    hasher.combine(kind)
  }
}
