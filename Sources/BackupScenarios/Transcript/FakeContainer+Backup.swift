public import BackupContainer
public import BackupDevice
public import BackupFileTree

extension FakeContainer {
  /// A backup of a container, with a reason for every item that is in it or left out.
  ///
  /// ```swift
  /// let backup = try container.backUp()
  /// #expect(backup.files == ["Documents/list.json"])
  /// #expect(backup.bytes < 5_000_000)
  /// ```
  ///
  /// In `#expect` it prints each item with the reason why it is in or out.
  public struct Backup: Sendable {
    /// The name by which findings and scenario files refer to this backup.
    public let label: String
    /// The container's files when the backup was taken, including those that it leaves out.
    public let tree: FileTree
    /// The decision on every item of the container.
    public let contents: BackupSet
    /// The session of a test in which it was taken; nil for a backup of a scenario's run.
    package var session: SerialNumber?

    package init(label: String, tree: FileTree, contents: BackupSet) {
      self.label = label
      self.tree = tree
      self.contents = contents
    }
  }
}

extension FakeContainer.Backup {
  /// The sum of the files' sizes in bytes.
  public var bytes: Int64 { contents.bytes }

  /// The paths of the files and links in the backup, relative to the container and sorted.
  public var files: [String] {
    contents.included.filter(\.isLeaf).map(\.path.string).sorted()
  }
}
