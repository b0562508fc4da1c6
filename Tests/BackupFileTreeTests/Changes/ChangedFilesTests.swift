import TestSupport
import Testing
import TreeSupport

@testable import BackupFileTree

/// The files of which two trees do not say the same.
@Suite struct ChangedFilesTests {
  /// The sizes of a tree's files.
  private func sizes(_ tree: FileTree) -> [ContainerPath: Int64] {
    var sizes: [ContainerPath: Int64] = [:]
    tree.walk { path, item in
      sizes[path] = item.size
      return true
    }
    return sizes
  }

  /// The sizes, once the changes between two trees are applied to those of the first.
  private func applied(
    _ sizes: [ContainerPath: Int64], _ before: FileTree, _ after: FileTree,
    in places: [ContainerPath]? = nil
  ) -> [ContainerPath: Int64] {
    var sizes = sizes
    after.forEachFile(changedSince: before, in: places) { path, size, isNow in
      #expect(isNow ? sizes[path] == nil : sizes[path] == size, "\(path)")
      sizes[path] = isNow ? size : nil
    }
    return sizes
  }

  @Test(arguments: Thoroughness.seeds(20, of: 200))
  func `lead from what one tree has to what the other has`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var tree = FileTree.Layout.newlyInstalled.tree
    for _ in 0..<60 {
      let before = tree
      var places: [ContainerPath] = []
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let operation = FileOperation.random(using: &random)
        let changes = tree.changes(by: operation)
        guard (try? tree.apply(operation)) != nil else { continue }
        places += changes.flatMap(\.touchedPaths)
      }
      let tops = places.filter { place in !places.contains { $0.isAncestor(of: place) } }
      #expect(applied(sizes(before), before, tree) == sizes(tree))
      #expect(applied(sizes(before), before, tree, in: Array(Set(tops))) == sizes(tree))
    }
  }

  @Test func `are none where only marks differ, or nothing`() throws {
    var tree = FileTree.Layout.newlyInstalled.tree
    tree.insert(.init(.file(.init(size: 3))), at: "Documents/a")
    var marked = tree
    marked.modify("Documents/a") { $0.marks = .resourceValue }
    var count = 0
    marked.forEachFile(changedSince: tree) { _, _, _ in count += 1 }
    tree.forEachFile(changedSince: tree) { _, _, _ in count += 1 }
    #expect(count == 0)
  }
}
