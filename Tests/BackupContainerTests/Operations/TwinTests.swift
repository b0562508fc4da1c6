import TestSupport
import Testing
import TreeSupport

@testable import BackupContainer
@testable import BackupFileTree

/// The same random operations on a value and on disk leave the same container.
@Suite struct TwinTests {
  @Test(arguments: Thoroughness.seeds(8, of: 25))
  func `500 random operations leave tree and disk equal after each`(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let container = try FakeContainer()
    var tree = FileTree.Layout.newlyInstalled.tree
    for number in 1...500 {
      let operation = FileOperation.random(isUTF8: container.traits.requiresUTF8, using: &random)
      let onTree = outcome { () throws(FileOperationError) in try tree.apply(operation) }
      let onDisk = outcome { () throws(FileOperationError) in try container.apply(operation) }
      #expect(onTree == onDisk, "operation \(number): \(operation)")
      let scanned = try container.scan(readingAllHeaders: true)
      try #require(scanned == tree, "operation \(number): \(operation)")
    }
    try container.remove()
  }
}
