import Testing

@testable import BackupFileTree
@testable import BackupScenarios

/// The model of a disk knows the contents of files, although there is only a tree.
@Suite struct ModelDiskTests {
  private let path: ContainerPath = {
    // A name of two letters is always valid.
    ContainerPath(ContainerPath.Component(unchecked: Array("ab".utf8)))
  }()

  /// Returns the contents of the file after some operations.
  private func bytes(
    after operations: [FileOperation], in tree: FileTree = FileTree()
  ) throws -> [UInt8]? {
    var (disk, tree) = (ModelDisk(), tree)
    for operation in operations {
      try disk.apply(operation, in: tree)
      try tree.apply(operation)
    }
    return try disk.bytes(of: path, in: tree)
  }

  @Test func `a file has the contents that were written and appended`() throws {
    let save = FileOperation.write(path, .text("one"), method: .atomically)
    let append = FileOperation.append(path, .text(" two"))
    #expect(try bytes(after: []) == nil)
    #expect(try bytes(after: [save]) == Array("one".utf8))
    #expect(try bytes(after: [save, append, append]) == Array("one two two".utf8))
  }

  @Test func `appending nothing is possible for known and for unknown contents`() throws {
    let nothing = FileOperation.append(path, .text(""))
    let save = FileOperation.write(path, .text("one"), method: .inPlace)
    #expect(try bytes(after: [save, nothing]) == Array("one".utf8))
    var tree = FileTree()
    tree.insert(FileTree.Item(.file(.init(size: 3))), at: path)
    #expect(try bytes(after: [nothing], in: tree) == [])
  }
}
