import BackupFileTree

extension FileTree {
  /// A newly installed app's container.
  static let app = FileTree.Layout.newlyInstalled.tree

  /// This tree with one more item and the directories above it.
  ///
  /// The item is an unmarked file of 100 bytes unless said; a directory that is there keeps what
  /// is in it.
  func with(
    _ text: String, _ kind: Kind = .bytes(100), marks: ExclusionMark = []
  ) throws -> FileTree {
    with(try ContainerPath(text), kind, marks: marks)
  }

  /// This tree with one more item at a path of any bytes.
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

  /// This tree with unmarked files of 100 bytes.
  func with(files: String...) throws -> FileTree {
    try files.reduce(self) { try $0.with($1) }
  }

  /// This tree without an item.
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

  /// Every path as text, in the order of a walk.
  var names: [String] { paths.map(\.description) }

  /// How many items bear a mark.
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

  /// A file of 100 bytes that begins as an SQLite database does.
  static let database = FileTree.Kind.file(FileTree.FileInformation(size: 100, isDatabase: true))

  /// A directory with nothing in it.
  static let emptyDirectory = FileTree.Kind.directory(FileTree.Children())

  /// A link to a file beside it.
  static let link = FileTree.Kind.link(target: Array("elsewhere".utf8))
}

extension ContainerPath {
  /// A path of `count` bytes in Documents, in names that fit a file system.
  static func inDocuments(bytes count: Int) throws -> ContainerPath {
    var text = "Documents"
    while text.utf8.count < count - 201 { text += "/" + String(repeating: "d", count: 99) }
    return try ContainerPath(
      text + "/" + String(repeating: "f", count: count - text.utf8.count - 1))
  }
}
