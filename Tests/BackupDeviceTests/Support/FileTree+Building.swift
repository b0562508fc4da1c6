import BackupFileTree

extension FileTree {
  /// A newly installed app's container.
  static let app = FileTree.Layout.newlyInstalled.tree

  /// Returns this tree with one more item and its parent directories.
  ///
  /// By default, the item is an unmarked file of 100 bytes. An existing directory keeps its
  /// contents.
  func with(
    _ text: String, _ kind: Kind = .bytes(100), marks: ExclusionMark = []
  ) throws -> FileTree {
    with(try ContainerPath(text), kind, marks: marks)
  }

  /// Returns this tree with one more item at a path that may have any bytes.
  func with(
    _ path: ContainerPath, _ kind: Kind = .bytes(100), marks: ExclusionMark = []
  ) -> FileTree {
    var tree = self
    if let parent = path.parent { tree.ensureDirectory(parent) }
    if kind == .emptyDirectory, self[path]?.isDirectory == true {
      tree.modify(path) { $0.marks = marks }
    } else {
      tree.insert(Item(kind, marks: marks), at: path)
    }
    return tree
  }

  /// Returns this tree with more unmarked files of 100 bytes each.
  func with(files: String...) throws -> FileTree {
    try files.reduce(self) { try $0.with($1) }
  }

  /// Returns this tree without the item at a path.
  func without(_ text: String) throws -> FileTree {
    var tree = self
    tree.remove(try ContainerPath(text))
    return tree
  }

  /// The item at a path.
  func item(_ text: String) throws -> Item? {
    self[try ContainerPath(text)]
  }

  /// Whether something is at a path.
  func has(_ text: String) throws -> Bool {
    contains(try ContainerPath(text))
  }

  /// The paths of all items as texts, in the order of a walk.
  var names: [String] { paths.map(\.description) }

  /// The number of marked items.
  var markedCount: Int {
    var count = 0
    walk { _, item in
      count += item.marks.isEmpty ? 0 : 1
      return true
    }
    return count
  }
}

extension FileTree.Kind {
  /// A file of a size in bytes.
  static func bytes(_ size: Int64) -> FileTree.Kind {
    .file(FileTree.FileInformation(size: size))
  }

  /// A file of 100 bytes that begins like an SQLite database.
  static let database = FileTree.Kind.file(FileTree.FileInformation(size: 100, isDatabase: true))

  /// A directory with nothing in it.
  static let emptyDirectory = FileTree.Kind.directory(FileTree.Children())

  /// A link to a file beside it.
  static let link = FileTree.Kind.link(target: Array("elsewhere".utf8))
}

extension ContainerPath {
  /// Returns a path of `count` bytes in Documents. Each name is short enough for a file system.
  static func inDocuments(bytes count: Int) throws -> ContainerPath {
    var text = "Documents"
    while text.utf8.count < count - 201 { text += "/" + String(repeating: "d", count: 99) }
    return try ContainerPath(
      text + "/" + String(repeating: "f", count: count - text.utf8.count - 1))
  }
}
