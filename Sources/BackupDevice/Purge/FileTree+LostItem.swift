import BackupCollections
import BackupDiagnostics
public import BackupFileTree

extension FileTree {
  /// An item that the system took, or did not carry along, with all that was in it.
  public struct LostItem: Hashable, Sendable {
    /// Where the item was, relative to the container.
    public let path: ContainerPath
    package let item: FileTree.Item
    /// How many files went, itself included.
    public let fileCount: Int
    /// The sum of their sizes in bytes, at most `Int64.max`.
    public let bytes: Int64

    init(_ path: ContainerPath, _ item: FileTree.Item) {
      var files = 0
      var bytes: Int64 = 0
      item.forEachFile { size in
        files += 1
        bytes = bytes.addingReportingOverflow(size).overflow ? .max : bytes + size
      }
      self.path = path
      self.item = item
      self.fileCount = files
      self.bytes = bytes
    }

    /// Whether the item was a directory.
    public var isDirectory: Bool { item.isDirectory }
  }
}

extension [FileTree.LostItem] {
  /// The bytes of all of them together, at most `Int64.max`.
  package var sumOfBytes: Int64 {
    reduce(0) { sum, item in
      sum.addingReportingOverflow(item.bytes).overflow ? .max : sum + item.bytes
    }
  }
}

extension FileTree.Item {
  fileprivate func forEachFile(_ visit: (Int64) -> Void) {
    if let size { visit(size) }
    for entry in children.list { entry.item.forEachFile(visit) }
  }
}

extension FileTree {
  /// The topmost items of this tree that another does not have, in byte order of their paths.
  ///
  /// A file or link in whose place the other has a directory is missing there too.
  ///
  /// ```swift
  /// let after = PurgeSimulator(profile: profile).purge(before, .lowStorage).tree
  /// before.itemsMissing(in: after).map(\.path.description)  // ["Library/Caches/thumbnail.png"]
  /// ```
  ///
  /// - Parameter other: The tree they may be missing in, as a container after a purge.
  /// - Returns: The items, each with the files and bytes that go with it.
  public func itemsMissing(in other: FileTree) -> [LostItem] {
    var missing: [LostItem] = []
    walk { path, item in
      if let there = other[path], item.isDirectory || !there.isDirectory {
        return !item.sharesChildren(with: there)
      }
      missing.append(LostItem(path, item))
      return false
    }
    return missing.sorted { $0.path < $1.path }
  }
}
