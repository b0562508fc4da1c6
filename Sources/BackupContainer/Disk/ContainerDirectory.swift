import BackupFileTree
import CBackupFiles
import Foundation

/// A container on disk at one path, and the operations on it.
struct ContainerDirectory: Sendable {
  /// The container's own absolute path.
  let root: DiskPath
  /// What its volume makes of names.
  let traits: VolumeTraits

  /// Does on disk what ``FileTree/perform(_:)`` does on a value.
  func perform(_ operation: FileOperation) throws(FileOperationError) {
    try requireNames(of: operation)
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
      try existing(path)
      try attempt(path) { disk throws(SystemError) in try disk.removeItem() }
    case .link(let path, let destination):
      try requireNothing(at: path)
      try link(path, to: destination)
    case .setMark(let mark, on: let path, let isSet):
      try setMark(mark, on: path, isSet)
    }
  }

  /// Runs system calls on an item; a failure becomes an error that names it.
  func attempt<Result>(
    _ path: ContainerPath, _ calls: (DiskPath) throws(SystemError) -> Result
  ) throws(FileOperationError) -> Result {
    let disk = DiskPath(path, in: root)
    do throws(SystemError) {
      return try calls(disk)
    } catch {
      throw FileOperationError(.failed, path, underlying: error.reason(at: disk))
    }
  }
}

extension ContainerDirectory {
  /// See ``FileOperation/createDirectory(_:intermediates:)``.
  private func createDirectory(
    _ path: ContainerPath, intermediates: Bool
  ) throws(FileOperationError) {
    guard intermediates else {
      try requireNothing(at: path)
      try attempt(path) { disk throws(SystemError) in try disk.makeDirectory() }
      return
    }
    for directory in path.ancestors { try requireDirectory(directory, missingIsFine: true) }
    if let found = try status(path), found.kind != Int32(CFS_DIRECTORY.rawValue) {
      throw FileOperationError(.fileExists, path)
    }
    for directory in path.ancestors + [path] where try status(directory) == nil {
      try attempt(directory) { disk throws(SystemError) in try disk.makeDirectory() }
    }
  }

  /// See ``FileOperation/write(_:_:_:)``.
  private func write(
    _ contents: FileOperation.Contents, to path: ContainerPath, _ method: FileOperation.WriteMethod
  ) throws(FileOperationError) {
    try requireParent(of: path)
    let found = try status(path)
    if let found { try requireFile(found, path) }
    guard contents.size <= FileOperation.Contents.largest else {
      throw FileOperationError(.tooLarge, path)
    }
    try attempt(path) { disk throws(SystemError) in
      switch method {
      case .inPlace: try disk.write(contents, options: O_TRUNC)
      case .atomically: try disk.replace(with: contents, permissions: found?.permissions)
      case .deleteFirst:
        if found != nil { try disk.unlinkFile() }
        try disk.write(contents, options: O_EXCL)
      }
    }
  }

  /// See ``FileOperation/append(_:_:)``.
  private func append(
    _ contents: FileOperation.Contents, to path: ContainerPath
  ) throws(FileOperationError) {
    let found = try existing(path)
    try requireFile(found, path)
    guard contents.size <= FileOperation.Contents.largest - found.size else {
      throw FileOperationError(.tooLarge, path)
    }
    try attempt(path) { disk throws(SystemError) in try disk.append(contents, from: found.size) }
  }

  /// See ``FileOperation/move(_:to:replacing:)``.
  private func move(
    _ source: ContainerPath, to path: ContainerPath, replacing: Bool
  ) throws(FileOperationError) {
    let found = try existing(source)
    try requireParent(of: path)
    if let target = try status(path) {
      guard replacing else { throw FileOperationError(.fileExists, path) }
      if source == path { return }
      try requireReplaceable(target, path, by: found)
    }
    try requireRoom(for: source, at: path)
    let destination = DiskPath(path, in: root)
    try attempt(source) { disk throws(SystemError) in try disk.rename(to: destination) }
  }

  /// See ``FileOperation/copy(_:to:)``.
  private func copy(
    _ source: ContainerPath, to path: ContainerPath
  ) throws(FileOperationError) {
    let found = try existing(source)
    if found.kind == Int32(CFS_SPECIAL.rawValue) { throw FileOperationError(.notAFile, source) }
    try requireNothing(at: path)
    try requireRoom(for: source, at: path)
    let destination = DiskPath(path, in: root)
    try attempt(source) { disk throws(SystemError) in
      do throws(SystemError) {
        try disk.copyItem(to: destination)
      } catch {
        try? destination.removeItem()
        throw error
      }
    }
  }

  /// See ``FileOperation/link(_:destination:)``.
  private func link(
    _ path: ContainerPath, to destination: ContainerPath
  ) throws(FileOperationError) {
    let target = destination.relative(toDirectoryOf: path)
    try attempt(path) { disk throws(SystemError) in try disk.makeLink(to: target) }
  }

  /// See ``FileOperation/setMark(_:on:_:)``.
  private func setMark(
    _ mark: ExclusionMark, on path: ContainerPath, _ isSet: Bool
  ) throws(FileOperationError) {
    let found = try existing(path)
    if found.kind != Int32(CFS_DIRECTORY.rawValue) { try requireFile(found, path) }
    try attempt(path) { disk throws(SystemError) in try disk.setMark(mark, isSet) }
  }
}
