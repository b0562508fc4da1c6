package import BackupCollections

/// A snapshot of the items in a container, as a value.
///
/// A simulator, for example of a purge, takes a tree and returns another tree. ``apply(_:)``
/// defines the effect of each ``FileOperation`` on a tree. An operation of a `FakeContainer` has
/// the same effect on disk.
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

  /// Creates an empty tree. Even the directories that iOS creates are missing.
  public init() {
    self.children = Children()
  }

  package init(children: Children) {
    self.children = children
  }

  /// The item at a path, or nil.
  ///
  /// - Parameter path: A path relative to the container. Symbolic links in it are not followed.
  /// - Returns: The item with all items in it, or nil if it does not exist.
  public subscript(path: ContainerPath) -> Item? {
    var (children, start) = (children, 0)
    // Reads names directly from the path's bytes, because this is the most frequent call.
    while let end = path.bytes.firstByte(ContainerPath.separator, from: start) {
      let component = ContainerPath.Component(uncheckedIn: path.bytes, start..<end)
      guard case .directory(let nextChildren)? = children[component]?.kind else { return nil }
      (children, start) = (nextChildren, end + 1)
    }
    return children[ContainerPath.Component(uncheckedIn: path.bytes, start..<path.bytes.count)]
  }

  /// Returns the item at a path if it has a mark, or else the nearest directory above it that has a
  /// mark. Returns nil if neither the item nor a directory above it has a mark.
  package func nearestMarkedItem(to path: ContainerPath) -> (path: ContainerPath, item: Item)? {
    var nearestItem: (path: ContainerPath, item: Item)?
    var (children, start) = (children, 0)
    while start <= path.bytes.count {
      let end = path.bytes.firstByte(ContainerPath.separator, from: start) ?? path.bytes.count
      let name = ContainerPath.Component(uncheckedIn: path.bytes, start..<end)
      guard let item = children[name] else { break }
      if !item.marks.isEmpty {
        nearestItem = (ContainerPath(unchecked: Array(path.bytes[..<end])), item)
      }
      (children, start) = (item.children, end + 1)
    }
    return nearestItem
  }

  /// Returns the information about the file at a path; nil for any other item.
  package func fileInformation(at path: ContainerPath) -> FileInformation? {
    self[path]?.information
  }

  /// Returns true if an item exists at a path.
  ///
  /// - Parameter path: A path relative to the container. Symbolic links in it are not followed.
  /// - Returns: True for an item of any kind.
  public func contains(_ path: ContainerPath) -> Bool {
    self[path] != nil
  }

  /// Calls `visit` for every item. Visits a directory before the items in it, and these in the byte
  /// order of their names.
  ///
  /// - Parameter visit: Receives a path and its item. Returns false to skip the items in a
  ///   directory.
  /// - Throws: The error that `visit` throws, which ends the walk.
  public func walk<Failure: Error>(
    _ visit: (ContainerPath, Item) throws(Failure) -> Bool
  ) throws(Failure) {
    for entry in children.chunkedEntries {
      try entry.item.walk(at: ContainerPath(entry.name), visit)
    }
  }

  /// Calls `body` for the items that satisfy a condition, in the order of ``walk(_:)``. If few
  /// items satisfy the condition, this method is faster than a walk, which creates a path for every
  /// item.
  package func visit<Failure: Error>(
    where condition: (Item) -> Bool, _ body: (ContainerPath, Item) throws(Failure) -> Void
  ) throws(Failure) {
    try children.visit(in: nil, where: { condition($0.pointee.item) }, body)
  }

  /// Calls `body` for each item that itself has a mark, in the order of ``walk(_:)``.
  package func visitMarkedItems<Failure: Error>(
    _ body: (ContainerPath, Item) throws(Failure) -> Void
  ) throws(Failure) {
    try children.visit(in: nil, where: { !$0.pointee.item.marks.isEmpty }, body)
  }

  /// Calls `visit` for the item at a path and all items in it, or for every item if the path is
  /// nil. `visit` returns false to skip the items in a directory.
  package func walk(from path: ContainerPath?, _ visit: (ContainerPath, Item) -> Bool) {
    guard let path else { return walk(visit) }
    self[path]?.walk(at: path, visit)
  }

  /// Calls `visit` for the item at a path and all items in it, or for every item if the path is
  /// nil. The order is that of ``walk(_:)``.
  package func forEachItem<Failure: Error>(
    from path: ContainerPath? = nil, _ visit: (ContainerPath, Item) throws(Failure) -> Void
  ) throws(Failure) {
    if let path {
      try self[path]?.forEachItem(at: path, visit)
    } else {
      for entry in children.chunkedEntries {
        try entry.item.forEachItem(at: ContainerPath(entry.name), visit)
      }
    }
  }

  /// The paths of all items, in the order of ``walk(_:)``.
  public var paths: [ContainerPath] { paths(from: nil) }

  /// Returns the path of an item and the paths of all items in it, or the paths of all items if
  /// `path` is nil. The order is that of ``walk(_:)``.
  package func paths(from path: ContainerPath?) -> [ContainerPath] {
    var paths: [ContainerPath] = []
    forEachItem(from: path) { path, _ in
      paths.append(path)
    }
    return paths
  }

  /// The names of all containers: nil for the app's own container, then the names of the groups'
  /// containers, then those of the extensions' containers. Groups and extensions are in byte order.
  package var containerNames: [ContainerPath.Component?] {
    let groupAndExtensionNames = children.entries.filter {
      $0.item.isDirectory && $0.name.isContainer
    }.map(\.name)
    return [nil] + groupAndExtensionNames.filter(\.isGroup)
      + groupAndExtensionNames.filter { !$0.isGroup }
  }

  /// The directories of a container before the app has run.
  ///
  /// ```swift
  /// let tree = FileTree.Layout.newlyInstalled.tree
  /// tree.contains(try ContainerPath("Library/Caches"))  // true
  /// ```
  public struct Layout: Hashable, Sendable {
    /// The directories. A directory comes before the directories in it.
    public let directories: [ContainerPath]
    /// A tree with these directories and no other items.
    public let tree: FileTree

    /// Creates a layout of directories.
    ///
    /// - Parameter directories: Paths relative to the container. A directory comes before the
    ///   directories in it.
    public init(directories: [ContainerPath]) {
      var tree = FileTree()
      for directory in directories { tree.ensureDirectory(directory) }
      self.directories = directories
      self.tree = tree
    }

    /// The layout of a newly installed app's container.
    ///
    /// It has no `Library/Application Support`. Source: `eidinger`, evidence `observed`.
    public static let newlyInstalled = Layout(
      directories: ContainerPath.StandardLocation.allCases.filter { $0 != .applicationSupport }.map(
        \.path))

    /// The layout of a group's container before an app writes to it.
    ///
    /// It has only `Library/Caches`. Source: `apple-group-container`, evidence `documented`.
    public static let newGroup = Layout(
      directories: [ContainerPath.StandardLocation.library, .caches].map(\.path))
  }

  package var hasMarks: Bool { children.hasMarks }

  /// This tree, but without marks on its items.
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
    /// Facts about the item on disk, such as its inode number. Comparisons ignore them.
    public var observation: Observation

    /// Creates an item.
    ///
    /// - Parameters:
    ///   - kind: The kind of the item, for a directory with all items in it.
    ///   - marks: The marks on the item itself, not those on the directories above it.
    ///   - observation: Facts about the item on disk. Comparisons ignore them.
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
    /// An item that could not be read, with the system's error message.
    case unreadable(reason: String)
  }

  /// The information about a file's contents.
  public struct FileInformation: Sendable {
    /// The logical size in bytes.
    public var size: Int64
    /// The checksum of the contents. Comparisons of trees ignore it.
    package var checksum = ContentsChecksum.unknown
    /// Details of the contents, such as the values in a JSON file. Comparisons of trees ignore
    /// them.
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

    /// The entries, sorted by name, in chunks that copies of this value share.
    package private(set) var chunkedEntries: ChunkedArray<Entry>

    /// Creates the children of an empty directory.
    public init() {
      self.chunkedEntries = ChunkedArray()
    }

    /// Creates children from entries. These must be sorted by name, and have different names.
    package init(sorted entries: [Entry]) {
      self.chunkedEntries = ChunkedArray(entries)
    }

    /// The entries, sorted by name.
    public var entries: [Entry] { chunkedEntries.elements }

    /// Transforms each item. Leaves out the items for which `transform` returns nil.
    func compactMap(_ transform: (ContainerPath.Component, Item) -> Item?) -> Children {
      Children(
        sorted: chunkedEntries.compactMap { entry in
          transform(entry.name, entry.item).map { Entry(name: entry.name, item: $0) }
        })
    }

    /// True if the directory is empty.
    public var isEmpty: Bool { chunkedEntries.isEmpty }

    /// The item with a name. Setting nil removes it.
    ///
    /// - Parameter name: The name, which is compared byte by byte.
    /// - Returns: The item, or nil if no entry has the name.
    public subscript(name: ContainerPath.Component) -> Item? {
      get {
        guard let entry = chunkedEntries.first(from: { !($0.pointee.name < name) }),
          entry.name == name
        else {
          return nil
        }
        return entry.item
      }
      set {
        switch (index(of: name), newValue) {
        case (let index?, let item?): chunkedEntries.modify(at: index) { $0.item = item }
        case (let index?, nil): chunkedEntries.remove(at: index)
        case (nil, let item?):
          chunkedEntries.insert(Entry(name: name, item: item), at: insertionIndex(of: name))
        case (nil, nil): break
        }
      }
    }

    /// Changes the item with a name in place. Returns false if no item has the name.
    mutating func modify<Failure: Error>(
      _ name: ContainerPath.Component, _ change: (inout Item) throws(Failure) -> Void
    ) throws(Failure) -> Bool {
      guard let index = index(of: name) else { return false }
      try chunkedEntries.modify(at: index) { entry throws(Failure) in try change(&entry.item) }
      return true
    }

    /// Returns the index of the entry with a name, or nil if there is none.
    package func index(of name: ContainerPath.Component) -> Int? {
      let index = insertionIndex(of: name)
      return index < chunkedEntries.endIndex && chunkedEntries[index].name == name ? index : nil
    }

    private func insertionIndex(of name: ContainerPath.Component) -> Int {
      chunkedEntries.firstIndex(from: { !($0.pointee.name < name) })
    }

    fileprivate var hasMarks: Bool {
      chunkedEntries.contains { !$0.item.marks.isEmpty || $0.item.children.hasMarks }
    }
  }

  /// Facts about an item on disk. With them, the kit recognizes the item in a later snapshot, and
  /// finds out whether it has changed.
  public struct Observation: Sendable {
    /// The number that the kit stores on the item as its stamp; 0 for an item without a stamp. The
    /// stamp stays on an item that is moved or saved in place.
    public var identity: UInt64 = 0
    /// The inode number; 0 if it is unknown. A save in place keeps the number. A new file has
    /// another number.
    public var inode: UInt64 = 0
    /// The time of the last change of the contents, in nanoseconds since 1970.
    public var modified: Int64 = 0
    /// The time of the last change of the item or its attributes, in nanoseconds since 1970.
    package var changeTime: Int64 = 0

    /// Creates the observation of an item that was never on disk.
    public init() {}
  }

  /// The time of the latest save of any file, in nanoseconds since 1970; 0 if there is no file.
  package var newestModificationTime: Int64 {
    var newestTime: Int64 = 0
    // The condition looks at each item and is always false, so that no paths are created.
    visit { item in
      if item.size != nil { newestTime = max(newestTime, item.observation.modified) }
      return false
    } _: { _, _ in
    }
    return newestTime
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
    for entry in children.chunkedEntries {
      try entry.item.walk(at: path.appending(entry.name), visit)
    }
  }

  /// Calls `visit` for this item and all items in it, in the order of ``walk(at:_:)``.
  package func forEachItem<Failure: Error>(
    at path: ContainerPath, _ visit: (ContainerPath, FileTree.Item) throws(Failure) -> Void
  ) throws(Failure) {
    try walk(at: path) { path, item throws(Failure) in
      try visit(path, item)
      return true
    }
  }

  /// Returns the path of the first item that satisfies a condition, or nil. Looks at this item,
  /// whose path is `path`, and at all items in it.
  package func firstPath(
    at path: ContainerPath, where condition: (ContainerPath, FileTree.Item) -> Bool
  ) -> ContainerPath? {
    if condition(path, self) { return path }
    for entry in children.chunkedEntries {
      let matchingPath = entry.item.firstPath(at: path.appending(entry.name), where: condition)
      if matchingPath != nil { return matchingPath }
    }
    return nil
  }

  /// True if the item is a directory; false for a link to a directory.
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

  /// Returns true if both items are directories that share the storage of their entries, and so
  /// have equal contents. If false, the contents may still be equal.
  package func sharesChildren(with other: FileTree.Item?) -> Bool {
    guard case .directory(let ownChildren) = kind, case .directory(let otherChildren) = other?.kind
    else {
      return false
    }
    return ownChildren.chunkedEntries.isIdentical(to: otherChildren.chunkedEntries)
  }

  static let emptyDirectory = FileTree.Item(.directory(FileTree.Children()))

  /// The kit's stamp on the item, or 0.
  package var stamp: UInt64 { observation.identity }

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
    try chunkedEntries.forEachChunk { entries throws(Failure) in
      // Reads entries through pointers, so that most entries are not copied.
      try entries.withUnsafeBufferPointer { entries throws(Failure) in
        guard let base = entries.baseAddress else { return }
        for pointer in base..<base + entries.count {
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
  /// Returns this layout of an app's own container with added containers for groups and extensions.
  package func addingContainers(groups: [String], extensions: [String]) -> FileTree.Layout {
    let addedLayouts =
      groups.map { ($0, FileTree.Layout.newGroup) }
      + extensions.map { ($0, FileTree.Layout.newlyInstalled) }
    return FileTree.Layout(
      directories: directories
        + addedLayouts.flatMap { identifier, layout in
          let name = ContainerPath.Component(containerOf: identifier)
          return [ContainerPath(name)]
            + layout.directories.map { ContainerPath($0, inContainer: name) }
        })
  }
}

extension FileTree.Item: Hashable {
  /// Returns true if both items have equal attributes and equal kinds. A kind includes the size of
  /// a file, or the items in a directory. The observation is not compared.
  public static func == (left: FileTree.Item, right: FileTree.Item) -> Bool {
    left.attributes == right.attributes && left.kind == right.kind
  }

  /// Hashes the values that `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(attributes)
    hasher.combine(kind)
  }
}
