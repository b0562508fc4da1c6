extension FileTree: OperationTarget {
  /// Performs an operation, with its effect on iOS. If it fails, the tree does not change.
  ///
  /// ```swift
  /// var tree = FileTree.Layout.newlyInstalled.tree
  /// let notes = try ContainerPath("Documents/notes.txt")
  /// try tree.apply(.write(notes, .text("hello"), method: .atomically))
  /// tree[notes]?.size  // 5
  /// ```
  ///
  /// - Parameter operation: The operation, with paths relative to the container.
  /// - Throws: ``FileOperation/Failure`` that names the item at fault.
  public mutating func apply(_ operation: FileOperation) throws(FileOperation.Failure) {
    let items = try checkedItems(of: operation)
    switch operation {
    case .write(let path, let contents, method: let method):
      write(contents, to: path, method)
    case .remove(let path):
      remove(path)
    case .createDirectory, .append, .move, .copy, .link, .setMark:
      for change in changes(of: operation, on: items) { try perform(change) }
    }
  }

  /// Performs a change. If it fails, the tree does not change.
  ///
  /// A tree has only checksums of contents. So a change in the middle of a file fails, and so does
  /// a resize of a file, except to 0 bytes. A hard link, and a change that the kit cannot follow,
  /// also fail.
  package mutating func apply(_ change: FileChange) throws(FileOperation.Failure) {
    var changedTree = self
    try changedTree.perform(change)
    self = changedTree
  }

  private mutating func perform(_ change: FileChange) throws(FileOperation.Failure) {
    switch change {
    case .create(let path): try add(Item(Self.fileKind(with: .bytes([]))), at: path)
    case .resize(let path, to: 0):
      guard try item(at: path).size != nil else { throw FileOperation.Failure(.notAFile, path) }
      modify(path) { $0.kind = Self.fileKind(with: .bytes([])) }
    case .write(let path, let contents, at: let offset, _, _):
      guard case .file(let file) = try item(at: path).kind, file.size == offset else {
        throw Self.cannotPredict(change)
      }
      append(contents, to: path)
    case .clone(let source, to: let path):
      try add(item(at: source).withoutSpecialItems, at: path)
    case .rename(let source, to: let path):
      let item = try item(at: source)
      remove(source)
      if let target = self[path] { try requireReplaceable(target, at: path, by: item) }
      guard insert(item, at: path) else { throw FileOperation.Failure(.noSuchFile, path) }
    case .link(let path, target: let target): try add(Item(.link(target: target)), at: path)
    case .remove(let path, isDirectory: let isDirectory):
      let item = try item(at: path)
      guard item.isDirectory == isDirectory else {
        throw FileOperation.Failure(isDirectory ? .notADirectory : .isADirectory, path)
      }
      guard item.children.isEmpty else { throw FileOperation.Failure(.directoryNotEmpty, path) }
      remove(path)
    case .createDirectory(let path): try add(.emptyDirectory, at: path)
    case .setMark(let mark, on: let path, isSet: let isSet):
      let exists = modify(path) { item in
        if isSet { item.marks.formUnion(mark) } else { item.marks.subtract(mark) }
      }
      if !exists { throw FileOperation.Failure(.noSuchFile, path) }
    case .resize, .hardLink, .unseen: throw Self.cannotPredict(change)
    }
  }

  private static func cannotPredict(_ change: FileChange) -> FileOperation.Failure {
    FileOperation.Failure(
      .failed, change.path,
      underlying: "the kit cannot predict this change without a container on disk")
  }

  private func item(at path: ContainerPath) throws(FileOperation.Failure) -> Item {
    guard let item = self[path] else { throw FileOperation.Failure(.noSuchFile, path) }
    return item
  }

  /// Adds an item. Its path must be free, and its parent directory must exist.
  private mutating func add(_ item: Item, at path: ContainerPath) throws(FileOperation.Failure) {
    guard self[path] == nil else { throw FileOperation.Failure(.fileExists, path) }
    guard insert(item, at: path) else { throw FileOperation.Failure(.noSuchFile, path) }
  }

  private mutating func write(
    _ contents: FileOperation.Contents, to path: ContainerPath, _ method: FileOperation.WriteMethod
  ) {
    let kind = Self.fileKind(with: contents)
    guard method == .inPlace, modify(path, { $0.kind = kind }) else {
      insert(Item(kind), at: path)
      return
    }
  }

  private static func fileKind(with contents: FileOperation.Contents) -> Kind {
    var information = FileInformation(size: contents.size, isDatabase: contents.isDatabase)
    information.checksum = ContentsChecksum(contents)
    information.details = ContentsDetails(contents)
    return .file(information)
  }

  private mutating func append(_ contents: FileOperation.Contents, to path: ContainerPath) {
    modify(path) { item in
      guard case .file(var information) = item.kind else { return }
      if information.size == 0 { information.isDatabase = contents.isDatabase }
      information.details = information.details(adding: contents)
      information.size += contents.size
      information.checksum.append(contents)
      item.kind = .file(information)
    }
  }

  package func hasContainer(_ name: ContainerPath.Component) -> Bool {
    children[name]?.isDirectory == true
  }

  package func kind(of item: Item) -> OperationItemKind {
    switch item.kind {
    case .file(let information): .file(size: information.size)
    case .directory: .directory
    case .special: .special
    case .link, .unreadable: .other
    }
  }

  package func itemIfPresent(at path: ContainerPath) -> Item? { self[path] }

  package func isEmpty(_ directory: Item, at path: ContainerPath) -> Bool {
    directory.children.isEmpty
  }

  package func extent(of item: Item, at path: ContainerPath) -> PathExtent { item.extent }
}

extension FileTree.Item {
  fileprivate var extent: PathExtent {
    children.chunkedEntries.reduce(into: PathExtent()) { extent, entry in
      extent.include(nameLength: entry.name.count, entry.item.extent)
    }
  }

  /// The item without the sockets, pipes and devices in it. A copy does not have these.
  fileprivate var withoutSpecialItems: FileTree.Item {
    guard case .directory(let children) = kind else { return self }
    var copy = self
    copy.kind = .directory(
      children.compactMap { _, item in item.kind == .special ? nil : item.withoutSpecialItems })
    return copy
  }
}
