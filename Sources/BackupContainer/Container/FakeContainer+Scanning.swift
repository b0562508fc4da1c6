public import BackupFileTree
import Foundation

extension FakeContainer {
  /// Reads the container from disk.
  ///
  /// An item that cannot be read becomes one that says why. Nothing on disk is changed.
  ///
  /// - Returns: The container as a value, with sizes in bytes and the marks on each item.
  /// - Throws: ``FakeContainerError`` where the container itself cannot be read.
  public func scan() throws(FakeContainerError) -> FileTree {
    try scan(headers: .besideSiblings)
  }

  /// Reads the container, with the headers of these files.
  func scan(headers: Scanner.HeaderReading) throws(FakeContainerError) -> FileTree {
    do throws(SystemError) {
      return try Scanner.scan(DiskPath(url), headers: headers)
    } catch {
      throw FakeContainerError(path: url.path, reason: "the container cannot be read: \(error)")
    }
  }
}
