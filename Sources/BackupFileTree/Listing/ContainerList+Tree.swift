package import BackupDiagnostics

extension ContainerList {
  /// The container that the list describes.
  ///
  /// A list does not say how contents begin, so a file counts as a database if a file beside it has
  /// one of the names that SQLite gives its companion files.
  ///
  /// - Returns: The items, and the directories above them.
  /// - Throws: ``SyntaxError`` for the first line whose path or link is invalid.
  package func tree() throws(SyntaxError) -> FileTree {
    var tree = FileTree()
    for (text, line) in items.sorted(by: { $0.value.number < $1.value.number }) {
      guard let path = Self.path(text) else {
        throw SyntaxError(at: line.number, "'\(text.shown)' is not a path in a container")
      }
      guard let item = line.item else {
        throw SyntaxError(
          at: line.number, "'\(line.target.shown)' is not escaped as golden files escape text")
      }
      if let parent = path.parent { tree.ensureDirectory(parent) }
      if item.isDirectory, let found = tree[path], found.isDirectory {
        tree.modify(path) { $0.marks = item.marks }
      } else {
        tree.insert(item, at: path)
      }
    }
    tree.markDatabasesBesideSiblings()
    return tree
  }

  /// The path of an escaped text; nil for none in an app's own container.
  private static func path(_ text: String) -> ContainerPath? {
    guard let bytes = EscapedText.unescape(text), let path = try? ContainerPath(bytes: bytes),
      path.containerName == nil
    else { return nil }
    return path
  }
}

extension ContainerList.Line {
  /// The item; nil if the target of a link is not escaped as it should be.
  fileprivate var item: FileTree.Item? {
    let kind: FileTree.Kind
    switch self.kind {
    case "f": kind = .file(FileTree.FileInformation(size: size))
    case "d": kind = .directory(FileTree.Children())
    case "l":
      guard let target = EscapedText.unescape(target) else { return nil }
      kind = .link(target: target)
    default: kind = .special
    }
    return FileTree.Item(kind, marks: marks)
  }
}

extension FileTree {
  /// Takes files for databases that have a file beside them as SQLite names those.
  fileprivate mutating func markDatabasesBesideSiblings() {
    var databases: [ContainerPath] = []
    walk { path, item in
      if item.size != nil, let name = path.name.databaseName {
        databases.append(ContainerPath(name, in: path.parent))
      }
      return true
    }
    for path in databases {
      modify(path) { item in
        guard case .file(var information) = item.kind else { return }
        information.isDatabase = true
        item.kind = .file(information)
      }
    }
  }
}
