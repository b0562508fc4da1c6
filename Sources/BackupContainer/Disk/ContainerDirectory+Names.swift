import BackupFileTree
import CBackupFiles
import Foundation

extension ContainerDirectory {
  /// Requires that the volume takes the names of an operation's paths for what they are.
  func requireNames(of operation: FileOperation) throws(FileOperationError) {
    guard traits != .exact else { return }
    for path in operation.namedPaths { try requireNames(of: path) }
  }

  /// Requires that the volume takes the names in a path for what they are.
  ///
  /// Where a directory above is missing the operation itself says so.
  private func requireNames(of path: ContainerPath) throws(FileOperationError) {
    for item in path.ancestors + [path] where !item.isContainer {
      let directory = item.parent.map { DiskPath($0, in: roots) } ?? roots.own
      let names = try namesIfDirectory(directory, for: item)
      if let objection = traits.objection(to: item.name, beside: names) {
        throw FileOperationError(.unsupportedName, item, underlying: objection)
      }
    }
  }
}

extension ContainerDirectory {
  /// The names in a directory; empty if it is not a directory or cannot be read.
  private func namesIfDirectory(
    _ directory: DiskPath, for item: ContainerPath
  ) throws(FileOperationError) -> [ContainerPath.Component] {
    do throws(SystemError) {
      return try directory.names().map(ContainerPath.Component.init(unchecked:))
    } catch {
      guard error.isMachineFault else { return [] }
      throw FileOperationError(.machineFault, item, underlying: error.description)
    }
  }
}

extension FileTree {
  /// Why a volume cannot hold these items, with the first item at fault; nil if it can.
  func objection(on traits: VolumeTraits) -> (path: ContainerPath, reason: String)? {
    guard traits != .exact else { return nil }
    var found: (path: ContainerPath, reason: String)?
    var siblings: [ContainerPath?: [ContainerPath.Component]] = [:]
    walk { path, _ in
      guard found == nil else { return false }
      let names = siblings[path.parent, default: []]
      if let reason = traits.objection(to: path.name, beside: names) { found = (path, reason) }
      siblings[path.parent, default: []].append(path.name)
      return true
    }
    return found
  }
}
