package import BackupFileTree
import Foundation

extension FakeContainer {
  /// The unit in which the system counts what a file occupies, in bytes.
  private static let block: Int64 = 512

  /// How many bytes of the disk the files of an item take, or of the whole container. Those made by
  /// their size only take none; one that cannot be looked at counts with its whole size.
  package func occupiedBytes(
    of tree: FileTree, from path: ContainerPath? = nil,
    where isCounted: (ContainerPath) -> Bool = { _ in true }
  ) throws(FakeContainerError) -> Int64 {
    let roots = self.roots
    var bytes: Int64 = 0
    var fault: SystemError?
    tree.walk(from: path) { path, item in
      guard fault == nil, let size = item.size, isCounted(path) else { return true }
      do throws(SystemError) {
        bytes += try Self.occupiedBytes(of: DiskPath(path, in: roots))
      } catch {
        if error.isMachineFault { fault = error }
        if !error.isMissingItem { bytes += size }
      }
      return true
    }
    if let fault {
      throw FakeContainerError(path: url.path, reason: "its files cannot be examined: \(fault)")
    }
    return bytes
  }

  private static func occupiedBytes(of file: DiskPath) throws(SystemError) -> Int64 {
    try file.inDirectory { directory, name throws(SystemError) in
      var status = stat()
      guard fstatat(directory, name, &status, AT_SYMLINK_NOFOLLOW) == 0 else { throw SystemError() }
      return Int64(status.st_blocks) * block
    }
  }
}
