import BackupFileTree
import CBackupFiles
import Foundation

/// Performs operations and changes in a device's containers on disk.
struct ContainerDirectory: OperationTarget, Sendable {
  let roots: ContainerRoots
  let volumeTraits: VolumeTraits

  /// Performs an operation on disk, as ``FileTree/apply(_:)`` does in a tree.
  func apply(_ operation: FileOperation) throws(FileOperation.Failure) {
    try requireStorableNames(of: operation)
    let items = try checkedItems(of: operation)
    switch operation {
    case .write(let path, let contents, method: let method):
      try write(contents, to: path, method, over: items.target)
    case .remove(let path):
      try attempt(path) { diskPath throws(SystemError) in try diskPath.removeItem() }
    case .createDirectory, .append, .move, .copy, .link, .setMark:
      for change in changes(of: operation, on: items) { try perform(change) }
    }
  }

  /// Performs a change on disk, as ``FileTree/apply(_:)`` does in a tree.
  func apply(_ change: FileChange) throws(FileOperation.Failure) {
    if volumeTraits != .exact { try requireStorableNames(of: change.path) }
    try perform(change)
  }

  private func perform(_ change: FileChange) throws(FileOperation.Failure) {
    let path: ContainerPath
    switch change {
    case .clone(let source, to: _), .rename(let source, to: _): path = source
    default: path = change.path
    }
    try attempt(path) { _ throws(SystemError) in try roots.apply(change) }
  }

  private func write(
    _ contents: FileOperation.Contents, to path: ContainerPath, _ method: FileOperation.WriteMethod,
    over formerStatus: cfs_status?
  ) throws(FileOperation.Failure) {
    try attempt(path) { diskPath throws(SystemError) in
      switch method {
      case .inPlace: try diskPath.write(contents, options: O_TRUNC)
      case .atomically: try diskPath.replace(with: contents, permissions: formerStatus?.permissions)
      case .deleteFirst:
        if formerStatus != nil { try diskPath.unlinkFile() }
        try diskPath.write(contents, options: O_EXCL)
      }
    }
  }

  /// Runs system calls on an item. If they fail, throws an error that names the item.
  private func attempt<Result>(
    _ path: ContainerPath, _ calls: (DiskPath) throws(SystemError) -> Result
  ) throws(FileOperation.Failure) -> Result {
    let diskPath = DiskPath(path, in: roots)
    do throws(SystemError) {
      return try calls(diskPath)
    } catch {
      throw FileOperation.Failure(
        error.isMachineFault ? .machineFault : .failed, path, underlying: error.description)
    }
  }

  /// Throws an error if the volume would alter a name in an operation's paths, or would take it for
  /// the name of another item.
  func requireStorableNames(of operation: FileOperation) throws(FileOperation.Failure) {
    guard volumeTraits != .exact else { return }
    for path in operation.namedPaths { try requireStorableNames(of: path) }
  }

  /// Throws an error if the volume would alter a name in a path, or would take it for the name of
  /// another item.
  ///
  /// If a parent directory is missing, this is no error, because the operation itself reports it.
  private func requireStorableNames(of path: ContainerPath) throws(FileOperation.Failure) {
    for item in path.ancestors + [path] where !item.isContainer {
      let directory = item.parent.map { DiskPath($0, in: roots) } ?? roots.appContainer
      let names = try namesIfDirectory(directory, for: item)
      if let objection = volumeTraits.objection(to: item.name, beside: names) {
        throw FileOperation.Failure(.unsupportedName, item, underlying: objection)
      }
    }
  }

  /// Returns the names in a directory. A missing directory, or another kind of item, has no names.
  /// If an error is thrown, it names `item`.
  private func namesIfDirectory(
    _ directory: DiskPath, for item: ContainerPath
  ) throws(FileOperation.Failure) -> [ContainerPath.Component] {
    try attempt(item) { _ throws(SystemError) in
      do throws(SystemError) {
        return try directory.names().map(ContainerPath.Component.init(unchecked:))
      } catch {
        guard error.isMissingItem || error.number == ELOOP else { throw error }
        return []
      }
    }
  }

  package func hasContainer(_ name: ContainerPath.Component) -> Bool {
    roots.otherContainers[name] != nil
  }

  package func kind(of item: cfs_status) -> OperationItemKind {
    switch UInt32(item.kind) {
    case CFS_FILE.rawValue: .file(size: item.size)
    case CFS_DIRECTORY.rawValue: .directory
    case CFS_LINK.rawValue: .other
    default: .special
    }
  }

  /// Returns the status of an item, or nil if it does not exist.
  func itemIfPresent(at path: ContainerPath) throws(FileOperation.Failure) -> cfs_status? {
    try attempt(path) { diskPath throws(SystemError) in try diskPath.status() }
  }

  func isEmpty(_ directory: cfs_status, at path: ContainerPath) throws(FileOperation.Failure)
    -> Bool
  {
    try attempt(path) { diskPath throws(SystemError) in try diskPath.names().isEmpty }
  }

  func extent(of item: cfs_status, at path: ContainerPath) throws(FileOperation.Failure)
    -> PathExtent
  {
    try attempt(path) { diskPath throws(SystemError) in try diskPath.extent() }
  }
}

extension ContainerRoots {
  /// Performs a change with the corresponding system call. No link is followed.
  func apply(_ change: FileChange) throws(SystemError) {
    func diskPath(_ path: ContainerPath) -> DiskPath { DiskPath(path, in: self) }
    switch change {
    case .create(let path): try diskPath(path).write(.bytes([]), options: O_EXCL)
    case .resize(let path, to: let size): try diskPath(path).setSize(size)
    case .write(let path, let contents, at: let offset, _, _):
      try diskPath(path).overwrite(contents, at: offset)
    case .clone(let source, to: let path): try diskPath(source).cloneItem(to: diskPath(path))
    case .rename(let source, to: let path): try diskPath(source).rename(to: diskPath(path))
    case .hardLink(let path, of: let existingPath):
      try diskPath(existingPath).addPath(diskPath(path))
    case .link(let path, target: let target): try diskPath(path).makeLink(to: target)
    case .remove(let path, isDirectory: true): try diskPath(path).removeEmptyDirectory()
    case .remove(let path, isDirectory: false): try diskPath(path).unlinkFile()
    case .createDirectory(let path): try diskPath(path).makeDirectory()
    case .setMark(let mark, on: let path, isSet: let isSet): try diskPath(path).setMark(mark, isSet)
    case .unseen: break
    }
  }
}

extension DiskPath {
  fileprivate func overwrite(
    _ contents: FileOperation.Contents, at offset: Int64
  ) throws(SystemError) {
    try withFile(O_WRONLY) { file throws(SystemError) in try file.write(contents, at: offset) }
  }

  fileprivate func addPath(_ path: DiskPath) throws(SystemError) {
    try inDirectory { directory, name throws(SystemError) in
      try path.inDirectory { newDirectory, newName throws(SystemError) in
        guard linkat(directory, name, newDirectory, newName, 0) == 0 else { throw SystemError() }
      }
    }
  }

  /// Copies an item. If something in it cannot be copied, the partial copy is removed.
  fileprivate func cloneItem(to destination: DiskPath) throws(SystemError) {
    do throws(SystemError) {
      try copyItem(to: destination)
    } catch {
      // If this fails, the partial copy stays, and the next scan finds it.
      try? destination.removeItem()
      throw error
    }
  }

  fileprivate func extent() throws(SystemError) -> PathExtent {
    var extent = PathExtent()
    guard let status = try status(), status.isDirectory else { return extent }
    for name in try names() {
      extent.include(nameLength: name.count, try appending(name).extent())
    }
    return extent
  }
}

extension FileTree {
  /// Returns the first item that a volume cannot store, and the reason; nil if it can store all
  /// items.
  func objection(on traits: VolumeTraits) -> (path: ContainerPath, reason: String)? {
    guard traits != .exact else { return nil }
    var firstObjection: (path: ContainerPath, reason: String)?
    var siblings: [ContainerPath?: [ContainerPath.Component]] = [:]
    walk { path, _ in
      guard firstObjection == nil else { return false }
      let names = siblings[path.parent, default: []]
      if let reason = traits.objection(to: path.name, beside: names) {
        firstObjection = (path, reason)
      }
      siblings[path.parent, default: []].append(path.name)
      return true
    }
    return firstObjection
  }
}
