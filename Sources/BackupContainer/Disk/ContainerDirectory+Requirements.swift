import BackupFileTree
import CBackupFiles
import Foundation

extension ContainerDirectory {
  /// The status of an item, nil where nothing is.
  func status(_ path: ContainerPath) throws(FileOperationError) -> cfs_status? {
    try attempt(path) { disk throws(SystemError) in try disk.status() }
  }

  /// The status of an item that must be there.
  @discardableResult
  func existing(_ path: ContainerPath) throws(FileOperationError) -> cfs_status {
    try requireParent(of: path)
    guard let found = try status(path) else { throw FileOperationError(.noSuchFile, path) }
    return found
  }

  /// Requires every directory above a path to be one.
  func requireParent(of path: ContainerPath) throws(FileOperationError) {
    for directory in path.ancestors { try requireDirectory(directory) }
  }

  /// Requires a directory, or nothing at all where that is fine.
  func requireDirectory(
    _ path: ContainerPath, missingIsFine: Bool = false
  ) throws(FileOperationError) {
    guard let found = try status(path) else {
      if missingIsFine { return }
      throw FileOperationError(.noSuchFile, path)
    }
    switch UInt32(found.kind) {
    case CFS_DIRECTORY.rawValue: return
    case CFS_FILE.rawValue: throw FileOperationError(.notADirectory, path)
    default: throw FileOperationError(.notAFile, path)
    }
  }

  /// Requires the parent to be there and the path to be free.
  func requireNothing(at path: ContainerPath) throws(FileOperationError) {
    try requireParent(of: path)
    guard try status(path) == nil else { throw FileOperationError(.fileExists, path) }
  }

  /// Requires a regular file.
  func requireFile(_ found: cfs_status, _ path: ContainerPath) throws(FileOperationError) {
    switch UInt32(found.kind) {
    case CFS_FILE.rawValue: return
    case CFS_DIRECTORY.rawValue: throw FileOperationError(.isADirectory, path)
    default: throw FileOperationError(.notAFile, path)
    }
  }

  /// Requires what rename(2) requires of the item it replaces.
  func requireReplaceable(
    _ target: cfs_status, _ path: ContainerPath, by found: cfs_status
  ) throws(FileOperationError) {
    let directory = Int32(CFS_DIRECTORY.rawValue)
    if found.kind == directory {
      guard target.kind == directory else { throw FileOperationError(.notADirectory, path) }
      let names = try attempt(path) { disk throws(SystemError) in try disk.names() }
      guard names.isEmpty else { throw FileOperationError(.directoryNotEmpty, path) }
    } else if target.kind == directory {
      throw FileOperationError(.isADirectory, path)
    }
  }

  /// Requires that an item neither ends up in itself nor at too long a path.
  func requireRoom(
    for source: ContainerPath, at path: ContainerPath
  ) throws(FileOperationError) {
    if source.isAncestor(of: path) { throw FileOperationError(.intoItself, source) }
    let extent = try attempt(source) { disk throws(SystemError) in try disk.extent() }
    guard extent.fits(below: path) else { throw FileOperationError(.pathTooLong, path) }
  }
}

extension DiskPath {
  /// How far the paths below this item reach.
  fileprivate func extent() throws(SystemError) -> PathExtent {
    var extent = PathExtent()
    guard try status()?.kind == Int32(CFS_DIRECTORY.rawValue) else { return extent }
    for name in try names() {
      extent.include(nameOf: name.count, try appending(name).extent())
    }
    return extent
  }
}
