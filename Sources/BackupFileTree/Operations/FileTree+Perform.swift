extension FileTree {
  /// Does one operation, with iOS's semantics; a failed one changes nothing.
  ///
  /// - Parameter operation: What the app does, its paths relative to the container.
  /// - Throws: ``FileOperationError`` that names the item at fault.
  public mutating func perform(_ operation: FileOperation) throws(FileOperationError) {
    switch operation {
    case .createDirectory(let path, let intermediates):
      try createDirectory(path, intermediates: intermediates)
    case .write(let path, let contents, let method):
      try write(contents, to: path, method)
    case .append(let path, let contents):
      try append(contents, to: path)
    case .move(let source, to: let path, let replacing):
      try move(source, to: path, replacing: replacing)
    case .copy(let source, to: let path):
      try copy(source, to: path)
    case .remove(let path):
      _ = try existing(path)
      remove(path)
    case .link(let path, let destination):
      try requireNothing(at: path)
      insert(Item(.link(target: destination.relative(toDirectoryOf: path))), at: path)
    case .setMark(let mark, on: let path, let isSet):
      try setMark(mark, on: path, isSet)
    }
  }

  /// See ``FileOperation/createDirectory(_:intermediates:)``.
  private mutating func createDirectory(
    _ path: ContainerPath, intermediates: Bool
  ) throws(FileOperationError) {
    guard intermediates else {
      try requireNothing(at: path)
      insert(.emptyDirectory, at: path)
      return
    }
    for directory in path.ancestors { try requireDirectory(directory, missingIsFine: true) }
    if let item = self[path], !item.isDirectory { throw FileOperationError(.fileExists, path) }
    ensureDirectory(path)
  }

  /// See ``FileOperation/write(_:_:_:)``.
  private mutating func write(
    _ contents: FileOperation.Contents, to path: ContainerPath, _ method: FileOperation.WriteMethod
  ) throws(FileOperationError) {
    try requireParent(of: path)
    if let item = self[path] { try requireFile(item, path) }
    guard contents.size <= FileOperation.Contents.largest else {
      throw FileOperationError(.tooLarge, path)
    }
    let kind = Kind.file(
      FileInformation(size: contents.size, isDatabase: contents.isDatabase))
    guard method == .inPlace, modify(path, { $0.kind = kind }) else {
      insert(Item(kind), at: path)
      return
    }
  }

  /// See ``FileOperation/append(_:_:)``.
  private mutating func append(
    _ contents: FileOperation.Contents, to path: ContainerPath
  ) throws(FileOperationError) {
    let item = try existing(path)
    try requireFile(item, path)
    guard case .file(var information) = item.kind else { return }
    guard contents.size <= FileOperation.Contents.largest - information.size else {
      throw FileOperationError(.tooLarge, path)
    }
    if information.size == 0 { information.isDatabase = contents.isDatabase }
    information.size += contents.size
    modify(path) { $0.kind = .file(information) }
  }

  /// See ``FileOperation/move(_:to:replacing:)``.
  private mutating func move(
    _ source: ContainerPath, to path: ContainerPath, replacing: Bool
  ) throws(FileOperationError) {
    let item = try existing(source)
    try requireParent(of: path)
    if let target = self[path] {
      guard replacing else { throw FileOperationError(.fileExists, path) }
      if source == path { return }
      try requireReplaceable(target, path, by: item)
    }
    try requireRoom(for: item, from: source, at: path)
    remove(source)
    insert(item, at: path)
  }

  /// See ``FileOperation/copy(_:to:)``.
  private mutating func copy(
    _ source: ContainerPath, to path: ContainerPath
  ) throws(FileOperationError) {
    let item = try existing(source)
    if item.kind == .special { throw FileOperationError(.notAFile, source) }
    try requireNothing(at: path)
    try requireRoom(for: item, from: source, at: path)
    insert(item.withoutSpecialItems, at: path)
  }

  /// See ``FileOperation/setMark(_:on:_:)``.
  private mutating func setMark(
    _ mark: ExclusionMark, on path: ContainerPath, _ isSet: Bool
  ) throws(FileOperationError) {
    let item = try existing(path)
    if !item.isDirectory { try requireFile(item, path) }
    modify(path) { item in
      if isSet { item.marks.formUnion(mark) } else { item.marks.subtract(mark) }
    }
  }
}

extension FileTree.Item {
  /// This item without the sockets, pipes and devices in it, which no copy has.
  fileprivate var withoutSpecialItems: FileTree.Item {
    guard case .directory(let children) = kind else { return self }
    var copy = self
    copy.kind = .directory(
      children.filtered { _, item in item.kind == .special ? nil : item.withoutSpecialItems })
    return copy
  }
}
