import BackupFileTree
import TreeSupport

@testable import BackupContainer

extension FakeContainer {
  /// Returns the changes that code makes to the container.
  func changes(
    probing isProbing: Bool = false, by code: () throws -> Void
  ) throws -> [FileTree.Change] {
    let watch = try beginWatching(probing: isProbing)
    try code()
    return try endWatching(watch).changes
  }
}
