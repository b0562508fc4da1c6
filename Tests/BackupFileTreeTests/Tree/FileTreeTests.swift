import TestSupport
import Testing
import TreeSupport

@testable import BackupFileTree

/// A tree is edited and walked.
@Suite struct FileTreeTests {
  private func file(_ size: Int64) -> FileTree.Item { .init(.file(.init(size: size))) }

  @Test func `an inserted item is found`() {
    var tree = FileTree()
    tree.ensureDirectory("Documents/a/b")
    let inserted = tree.insert(file(3), at: "Documents/a/b/c")
    #expect(inserted)
    #expect(tree["Documents/a/b/c"]?.size == 3)
    #expect(tree["Documents/a/b/c/d"] == nil)
    #expect(tree["Documents/x"] == nil)
    #expect(tree["x"] == nil)
  }

  @Test func `inserting replaces`() {
    var tree = FileTree()
    tree.insert(file(1), at: "a")
    tree.insert(file(2), at: "a")
    #expect(tree.paths == ["a"])
    #expect(tree["a"]?.size == 2)
  }

  @Test func `nothing is inserted if the parent is missing or a file`() {
    var tree = FileTree()
    tree.insert(file(1), at: "a")
    let before = tree
    let inserted = [tree.insert(file(2), at: "a/b"), tree.insert(file(2), at: "x/b")]
    #expect(inserted == [false, false])
    #expect(tree == before)
  }

  @Test func `removing a directory removes its contents`() {
    var tree = FileTree.Layout.newlyInstalled.tree
    let removed = tree.remove("Library")
    #expect(removed?.children.entries.map(\.name.string) == ["Caches", "Preferences"])
    #expect(tree.paths == ["Documents", "tmp"])
    let repeatedRemovals = [tree.remove("Library"), tree.remove("Library/Caches")]
    #expect(repeatedRemovals == [nil, nil])
  }

  @Test func `modifying changes one item in place`() {
    var tree = FileTree.Layout.newlyInstalled.tree
    let modified = tree.modify("Library/Caches") { $0.marks = .resourceValue }
    #expect(modified && tree["Library/Caches"]?.marks == .resourceValue)
    let missing = tree.modify("Library/x") { _ in Issue.record("nothing is there") }
    #expect(!missing)
  }

  @Test func `a copy of a tree is another tree`() {
    let tree = FileTree.Layout.newlyInstalled.tree
    var copy = tree
    copy.remove("tmp")
    #expect(tree.contains("tmp"))
    #expect(!copy.contains("tmp"))
  }

  @Test func `a walk visits directories first and names in byte order`() {
    var tree = FileTree()
    for path in ["b", "a", "a/é", "a/z", "B", "a.x"] as [ContainerPath] {
      tree.insert(.emptyDirectory, at: path)
    }
    #expect(tree.paths == ["B", "a", "a/z", "a/é", "a.x", "b"])
  }

  @Test func `a walk skips directories on request, and passes errors on`() {
    let tree = FileTree.Layout.newlyInstalled.tree
    var visited: [ContainerPath] = []
    tree.walk { path, _ in
      visited.append(path)
      return path != "Library"
    }
    #expect(visited == ["Documents", "Library", "tmp"])
    #expect(throws: CancellationError.self) {
      try tree.walk { _, _ in throw CancellationError() }
    }
  }

  @Test func `observations of the disk do not affect equality`() {
    var observed = file(1)
    observed.observation.inode = 42
    #expect(observed == file(1))
    #expect(observed.hashValue == file(1).hashValue)
    #expect(file(1) != file(2))
    #expect(FileTree.Item(.special) != FileTree.Item(.special, marks: .resourceValue))
  }

  @Test func `attributes are read from the extended attributes that hold them`() {
    let marks = ExclusionMark.all + [[], ExclusionMark(ExclusionMark.all)]
    for attributes in marks.map({ ItemAttributes(marks: $0) }) {
      let names = ItemAttributes.ExtendedAttribute.all.filter { attributes[$0] != nil }.map(\.name)
      #expect(ItemAttributes { names.contains($0) } == attributes)
    }
  }

  @Test func `trees of 60 levels are compared level by level, each once`() throws {
    let deepest = Array(repeating: "d", count: 60).joined(separator: "/")
    var (one, other) = (FileTree(), FileTree())
    one.ensureDirectory(try ContainerPath(deepest))
    other.ensureDirectory(try ContainerPath(deepest))
    #expect(one == other)
    other.insert(file(1), at: try ContainerPath("\(deepest)/z"))
    #expect(one != other)
  }

  @Test(arguments: 1...10 as ClosedRange<UInt64>)
  func `children stay sorted after random changes`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    var children = FileTree.Children()
    var model: [ContainerPath.Component: Int64] = [:]
    for _ in 0..<500 {
      let name = ContainerPath.Component(unchecked: [UInt8.random(in: 1...40, using: &random)])
      let size = Int64.random(in: 0..<9, using: &random)
      children[name] = size == 0 ? nil : file(size)
      model[name] = size == 0 ? nil : size
    }
    #expect(children.entries.map(\.name) == model.keys.sorted())
    for (name, size) in model { #expect(children[name]?.size == size) }
  }
}
