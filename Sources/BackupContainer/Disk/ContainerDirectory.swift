import BackupFileTree
import CBackupFiles
import Foundation

struct ContainerDirectory: Sendable {
  let roots: ContainerRoots
  let traits: VolumeTraits

  /// Does on disk what ``FileTree/apply(_:)`` does on a value.
  func apply(_ operation: FileOperation) throws(FileOperationError) {
    try requireNames(of: operation)
    let items = try requirements(of: operation)
    switch operation {
    case .createDirectory:
      for directory in items.missingDirectories {
        try attempt(directory) { disk throws(SystemError) in try disk.makeDirectory() }
      }
    case .write(let path, let contents, method: let method):
      try write(contents, to: path, method, over: items.target)
    case .append(let path, let contents):
      let size = items.source?.size ?? 0
      try attempt(path) { disk throws(SystemError) in try disk.append(contents, from: size) }
    case .move(let source, to: let path, _):
      if source == path { return }
      let destination = DiskPath(path, in: roots)
      try attempt(source) { disk throws(SystemError) in try disk.rename(to: destination) }
    case .copy(let source, to: let path):
      try copy(source, to: path)
    case .remove(let path):
      try attempt(path) { disk throws(SystemError) in try disk.removeItem() }
    case .link(let path, let destination):
      let target = destination.relative(toDirectoryOf: path)
      try attempt(path) { disk throws(SystemError) in try disk.makeLink(to: target) }
    case .setMark(let mark, on: let path, to: let isSet):
      try attempt(path) { disk throws(SystemError) in try disk.setMark(mark, isSet) }
    }
  }

  private func write(
    _ contents: FileOperation.Contents, to path: ContainerPath, _ method: FileOperation.WriteMethod,
    over found: cfs_status?
  ) throws(FileOperationError) {
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

  /// Copies an item; what was copied so far is removed where something in it cannot be.
  private func copy(
    _ source: ContainerPath, to path: ContainerPath
  ) throws(FileOperationError) {
    let destination = DiskPath(path, in: roots)
    try attempt(source) { disk throws(SystemError) in
      do throws(SystemError) {
        try disk.copyItem(to: destination)
      } catch {
        try? destination.removeItem()
        throw error
      }
    }
  }

  /// Runs system calls on an item; a failure becomes an error that names it.
  private func attempt<Result>(
    _ path: ContainerPath, _ calls: (DiskPath) throws(SystemError) -> Result
  ) throws(FileOperationError) -> Result {
    let disk = DiskPath(path, in: roots)
    do throws(SystemError) {
      return try calls(disk)
    } catch {
      throw FileOperationError(
        error.isMachineFault ? .machineFault : .failed, path, underlying: error.description)
    }
  }
}

extension ContainerDirectory: OperationTarget {
  /// Whether the device has a container of a name beside the app's.
  package func hasContainer(_ name: ContainerPath.Component) -> Bool { roots.beside[name] != nil }

  package func kind(of item: cfs_status) -> OperationKind {
    switch UInt32(item.kind) {
    case CFS_FILE.rawValue: .file(size: item.size)
    case CFS_DIRECTORY.rawValue: .directory
    case CFS_LINK.rawValue: .other
    default: .special
    }
  }

  /// The status of an item, nil if it does not exist.
  func found(at path: ContainerPath) throws(FileOperationError) -> cfs_status? {
    try attempt(path) { disk throws(SystemError) in try disk.status() }
  }

  func isEmpty(_ directory: cfs_status, at path: ContainerPath) throws(FileOperationError) -> Bool {
    try attempt(path) { disk throws(SystemError) in try disk.names().isEmpty }
  }

  func extent(of item: cfs_status, at path: ContainerPath) throws(FileOperationError) -> PathExtent
  {
    try attempt(path) { disk throws(SystemError) in try disk.extent() }
  }
}

extension DiskPath {
  fileprivate func extent() throws(SystemError) -> PathExtent {
    var extent = PathExtent()
    guard let status = try status(), status.kind == CFS_DIRECTORY.rawValue else { return extent }
    for name in try names() {
      extent.include(nameOf: name.count, try appending(name).extent())
    }
    return extent
  }
}
