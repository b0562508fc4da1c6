import Testing

@testable import BackupFileTree
@testable import BackupScenarios

/// What files hold of which there is only a tree.
@Suite struct ModelDiskTests {
  private let path: ContainerPath = {
    // A name of two letters is always one.
    ContainerPath(ContainerPath.Component(unchecked: Array("ab".utf8)))
  }()

  /// What the file holds after some operations.
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

  @Test func `what was written and appended`() throws {
    let save = FileOperation.write(path, .text("one"), method: .atomically)
    let append = FileOperation.append(path, .text(" two"))
    #expect(try bytes(after: []) == nil)
    #expect(try bytes(after: [save]) == Array("one".utf8))
    #expect(try bytes(after: [save, append, append]) == Array("one two two".utf8))
  }

  @Test func `nothing appended, also to what nobody knows`() throws {
    let nothing = FileOperation.append(path, .text(""))
    let save = FileOperation.write(path, .text("one"), method: .inPlace)
    #expect(try bytes(after: [save, nothing]) == Array("one".utf8))
    var tree = FileTree()
    tree.insert(FileTree.Item(.file(.init(size: 3))), at: path)
    #expect(try bytes(after: [nothing], in: tree) == [])
  }
}
