extension FileTree: OperationTarget {
  /// Does one operation, with iOS's semantics; a failed one changes nothing.
  ///
  /// ```swift
  /// var tree = FileTree.Layout.newlyInstalled.tree
  /// let notes = try ContainerPath("Documents/notes.txt")
  /// try tree.apply(.write(notes, .text("hello"), method: .atomically))
  /// tree[notes]?.size  // 5
  /// ```
  ///
  /// - Parameter operation: What the app does, its paths relative to the container.
  /// - Throws: ``FileOperation/Failure`` that names the item at fault.
  public mutating func apply(_ operation: FileOperation) throws(FileOperation.Failure) {
    let items = try requirements(of: operation)
    switch operation {
    case .createDirectory:
      for directory in items.missingDirectories { insert(.emptyDirectory, at: directory) }
    case .write(let path, let contents, method: let method):
      write(contents, to: path, method)
    case .append(let path, let contents):
      append(contents, to: path)
    case .move(let source, to: let path, _):
      guard let item = items.source, source != path else { return }
      remove(source)
      insert(item, at: path)
    case .copy(_, to: let path):
      guard let item = items.source else { return }
      insert(item.withoutSpecialItems, at: path)
    case .remove(let path):
      remove(path)
    case .link(let path, let destination):
      insert(Item(.link(target: destination.relative(toDirectoryOf: path))), at: path)
    case .setMark(let mark, on: let path, to: let isSet):
      modify(path) { item in
        if isSet { item.marks.formUnion(mark) } else { item.marks.subtract(mark) }
      }
    }
  }

  private mutating func write(
    _ contents: FileOperation.Contents, to path: ContainerPath, _ method: FileOperation.WriteMethod
  ) {
    var information = FileInformation(size: contents.size, isDatabase: contents.isDatabase)
    information.contents = ContentsSum(contents)
    information.words = contents.words
    let kind = Kind.file(information)
    guard method == .inPlace, modify(path, { $0.kind = kind }) else {
      insert(Item(kind), at: path)
      return
    }
  }

  private mutating func append(_ contents: FileOperation.Contents, to path: ContainerPath) {
    modify(path) { item in
      guard case .file(var information) = item.kind else { return }
      if information.size == 0 { information.isDatabase = contents.isDatabase }
      information.isGrown = true
      information.size += contents.size
      information.contents.append(contents)
      information.words = contents.words.flatMap { information.words?.union($0) }
      item.kind = .file(information)
    }
  }

  package func hasContainer(_ name: ContainerPath.Component) -> Bool {
    children[name]?.isDirectory == true
  }

  package func kind(of item: Item) -> OperationKind {
    switch item.kind {
    case .file(let information): .file(size: information.size)
    case .directory: .directory
    case .special: .special
    case .link, .unreadable: .other
    }
  }

  package func found(at path: ContainerPath) -> Item? { self[path] }

  package func isEmpty(_ directory: Item, at path: ContainerPath) -> Bool {
    directory.children.isEmpty
  }

  package func extent(of item: Item, at path: ContainerPath) -> PathExtent { item.extent }
}

extension FileTree.Item {
  fileprivate var extent: PathExtent {
    children.list.reduce(into: PathExtent()) { extent, entry in
      extent.include(nameOf: entry.name.count, entry.item.extent)
    }
  }

  /// This item without the sockets, pipes and devices in it, which no copy has.
  fileprivate var withoutSpecialItems: FileTree.Item {
    guard case .directory(let children) = kind else { return self }
    var copy = self
    copy.kind = .directory(
      children.filtered { _, item in item.kind == .special ? nil : item.withoutSpecialItems })
    return copy
  }
}
