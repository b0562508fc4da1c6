package import BackupFileTree
import Foundation

extension FakeContainer {
  /// The unit in which the system counts what a file occupies, in bytes.
  private static let block: Int64 = 512

  /// How many bytes of the disk the files of an item take, or of the whole container; those made by
  /// their size only take none.
  ///
  /// - Parameters:
  ///   - tree: What is in the container.
  ///   - path: The item; nil for the whole container.
  ///   - isCounted: Whether a file is counted.
  /// - Returns: The bytes; what has gone from the disk takes none.
  package func occupiedBytes(
    of tree: FileTree, from path: ContainerPath? = nil,
    where isCounted: (ContainerPath) -> Bool = { _ in true }
  ) -> Int64 {
    let root = url.path
    var bytes: Int64 = 0
    tree.walk(from: path) { path, item in
      guard item.size != nil, isCounted(path) else { return true }
      let file = Array(root.utf8) + [ContainerPath.separator] + path.bytes + [0]
      bytes += Self.occupiedBytes(at: file.map(CChar.init(bitPattern:)))
      return true
    }
    return bytes
  }

  /// How many bytes of the disk a file takes.
  private static func occupiedBytes(at path: [CChar]) -> Int64 {
    var status = stat()
    return lstat(path, &status) == 0 ? Int64(status.st_blocks) * block : 0
  }
}
