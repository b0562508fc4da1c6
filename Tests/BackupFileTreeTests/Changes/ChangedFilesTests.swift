import TestSupport
import Testing
import TreeSupport

@testable import BackupFileTree

/// The files that differ between two trees.
@Suite struct ChangedFilesTests {
  /// Returns the sizes of a tree's files.
  private func sizes(_ tree: FileTree) -> [ContainerPath: Int64] {
    var sizes: [ContainerPath: Int64] = [:]
    tree.walk { path, item in
      sizes[path] = item.size
      return true
    }
    return sizes
  }

  /// Returns the sizes after the differences between two trees are applied to them.
  private func applyingDifferences(
    _ sizes: [ContainerPath: Int64], _ before: FileTree, _ after: FileTree,
    in places: [ContainerPath]? = nil
  ) -> [ContainerPath: Int64] {
    var sizes = sizes
    after.forEachFile(changedSince: before, in: places) { path, size, existsNow in
      #expect(existsNow ? sizes[path] == nil : sizes[path] == size, "\(path)")
      sizes[path] = existsNow ? size : nil
    }
    return sizes
  }

  @Test(arguments: Thoroughness.seeds(20, of: 200))
  func `changed files lead from the files of one tree to the files of the other`(seed: UInt64) {
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
      let topmostPlaces = places.filter { place in !places.contains { $0.isAncestor(of: place) } }
      #expect(applyingDifferences(sizes(before), before, tree) == sizes(tree))
      #expect(
        applyingDifferences(sizes(before), before, tree, in: Array(Set(topmostPlaces)))
          == sizes(tree))
    }
  }

  @Test func `no file has changed if only marks differ, or nothing`() throws {
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
