import BackupDiagnostics
import Foundation
import TestSupport
import Testing
import TreeSupport

@testable import BackupContainer
@testable import BackupFileTree

/// A tree becomes a container on disk.
@Suite struct MaterialisingTests {
  private func text(_ path: ContainerPath, in container: FakeContainer) throws -> String {
    try String(contentsOf: container.url(of: path), encoding: .utf8)
  }

  @Test(arguments: Thoroughness.seeds(6, of: 20))
  func `any tree becomes the container, whatever the container held before`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let container = try FakeContainer(layout: FileTree.Layout(directories: []))
    let first = FileTree.random(
      isUTF8: container.volumeTraits.contains(.requiresUTF8), using: &random)
    try container.materialise(first)
    #expect(try container.scan(.allHeaders) == first)
    let second = FileTree.random(
      isUTF8: container.volumeTraits.contains(.requiresUTF8), using: &random)
    try container.materialise(second)
    #expect(try container.scan().withoutHeaders == second.withoutHeaders)
  }

  @Test(arguments: 1...2 as ClosedRange<UInt64>)
  func `a container that already equals the tree is not changed`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let container = try FakeContainer()
    for _ in 0..<100 { try? container.apply(.random(using: &random)) }
    let tree = try container.scan()
    try container.materialise(tree)
    let rescannedTree = try container.scan()
    #expect(rescannedTree == tree)
    for path in tree.paths {
      #expect(rescannedTree[path]?.observation.inode == tree[path]?.observation.inode)
      #expect(rescannedTree[path]?.observation.modified == tree[path]?.observation.modified)
    }
  }

  @Test func `an existing file keeps its contents, and a new file is zeros`() throws {
    let container = try FakeContainer()
    try container.apply(.write("Documents/a", .text("kept"), method: .inPlace))
    var tree = try container.scan()
    tree.insert(FileTree.Item(.file(.init(size: 3))), at: "Documents/b")
    try container.materialise(tree)
    #expect(try text("Documents/a", in: container) == "kept")
    #expect(try text("Documents/b", in: container) == "\0\0\0")
  }

  @Test func `contents come back from the archive, marks from the tree`() throws {
    let container = try FakeContainer()
    try container.apply(.write("Documents/a", .text("first"), method: .inPlace))
    try container.apply(.write("Documents/b", .text("second"), method: .inPlace))
    try container.apply(.mark("Documents/b"))
    let tree = try container.scan()
    let archive = try ContainerArchive(of: ["Documents/a", "Documents/b"], in: container)
    try container.replaceWithEmptyContainer()
    try container.materialise(tree, contents: archive)
    #expect(try container.scan() == tree)
    #expect(try text("Documents/a", in: container) == "first")
    #expect(try text("Documents/b", in: container) == "second")
  }

  @Test func `the archive keeps the contents of the time when it was made`() throws {
    let container = try FakeContainer()
    try container.apply(.write("Documents/a", .text("then"), method: .inPlace))
    let archive = try ContainerArchive(of: ["Documents/a"], in: container)
    let tree = try container.scan()
    try container.apply(.write("Documents/a", .text("now!"), method: .inPlace))
    try container.replaceWithEmptyContainer()
    try container.materialise(tree, contents: archive)
    #expect(try text("Documents/a", in: container) == "then")
  }

  @Test func `a file that cannot be archived is named`() throws {
    let container = try FakeContainer()
    let error = try #require(throws: RunError.self) {
      try ContainerArchive(of: ["Documents/no"], in: container)
    }
    #expect(error.description.hasPrefix("Documents/no: "))
  }

  @Test func `special and unreadable items are left out`() throws {
    let container = try FakeContainer()
    var tree = try container.scan()
    tree.insert(FileTree.Item(.special), at: "tmp/s")
    tree.insert(FileTree.Item(.unreadable(reason: "no")), at: "tmp/u")
    try container.materialise(tree)
    #expect(try container.scan() == FileTree.Layout.newlyInstalled.tree)
  }

  @Test func `a layout has the same items on disk as in its tree`() throws {
    let layout = FileTree.Layout(directories: ["Documents/a/b", "Documents", "tmp"])
    #expect(try FakeContainer(layout: layout).scan() == layout.tree)
  }
}

extension FileTree {
  /// Returns a newly installed app's tree after random operations.
  static func random(isUTF8: Bool, using random: inout SeededGenerator) -> FileTree {
    var tree = FileTree.Layout.newlyInstalled.tree
    for _ in 0..<200 { try? tree.apply(.random(isUTF8: isUTF8, using: &random)) }
    return tree
  }

  /// The tree in which no file is known to be a database.
  var withoutHeaders: FileTree {
    var tree = self
    for path in paths {
      guard case .file(var information) = tree[path]?.kind else { continue }
      information.isDatabase = false
      tree.modify(path) { $0.kind = .file(information) }
    }
    return tree
  }
}
