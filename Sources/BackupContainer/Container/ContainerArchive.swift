package import BackupDiagnostics
package import BackupFileTree
package import Foundation

/// Copies of a container's files, so that a restore brings back what the app had written.
///
/// It lives in the container's device folder and goes with it, or with its last reference.
package struct ContainerArchive: Sendable {
  private var copies: [ContainerPath: DiskPath] = [:]
  /// The folder of the copies; nil for files that others keep.
  private var folder: Folder?

  /// A folder that goes with its last reference.
  private final class Folder: Sendable {
    let path: DiskPath

    init(in archives: DiskPath) throws(SystemError) {
      path = archives.appending(Array(DeviceFolder.makeIdentifier().utf8))
      try archives.makeDirectoryIfMissing()
      try path.makeDirectory()
    }

    deinit { try? path.removeItem() }
  }

  /// Copies the files at these paths out of a container, into its device's folder.
  package init(of paths: [ContainerPath], in container: FakeContainer) throws(RunError) {
    try container.requireThere()
    let archives = DiskPath(container.archives, in: container.folder)
    let roots = container.roots
    var at = archives.string
    do throws(SystemError) {
      let folder = try Folder(in: archives)
      self.folder = folder
      for (number, path) in paths.enumerated() {
        at = path.description
        let copy = folder.path.appending(Array(String(number).utf8))
        try DiskPath(path, in: roots).copyFile(to: copy)
        copies[path] = copy
      }
    } catch {
      throw RunError(path: at, reason: "cannot be put into the backup: \(error)")
    }
  }

  /// The files of a container that need not be the kit's. None is copied before it is needed.
  package init(of tree: FileTree, in url: URL) {
    let root = DiskPath(url)
    tree.walk { path, item in
      if item.size != nil { copies[path] = root.appending(path.bytes) }
      return true
    }
  }

  /// Files that are anywhere on disk, by the paths that they have in a container.
  package init(_ files: [ContainerPath: URL]) {
    self.copies = files.mapValues { DiskPath($0) }
  }

  func copy(of path: ContainerPath) -> DiskPath? { copies[path] }
}

extension DiskPath {
  func makeDirectoryIfMissing() throws(SystemError) {
    if try status() == nil { try makeDirectory() }
  }
}
