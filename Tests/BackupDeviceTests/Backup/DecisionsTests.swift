import BackupFileTree
import Testing

@testable import BackupDevice

/// The decisions of a backup are a collection, which is computed from the tree on demand.
@Suite struct DecisionsTests {
  /// Returns a tree with nested and empty directories, between files and at the end.
  private static func makeNestedTree() throws -> FileTree {
    try FileTree.app.with(files: "Documents/a", "Documents/b/c/d", "Documents/b/e", "Documents/z")
      .with("Documents/b/c/empty", .emptyDirectory).with("Documents/y", .emptyDirectory)
      .with("Documents/y/last", .emptyDirectory).with("Library/m/n/o", marks: .resourceValue)
      .with("Library/m", .emptyDirectory, marks: .extendedAttribute).with("zz", .emptyDirectory)
      .with("zz/last/one", .emptyDirectory)
  }

  /// Returns the nested tree, an empty tree and random trees, each with its backup.
  private static func treesWithBackups() throws -> [(tree: FileTree, set: BackupSet)] {
    let nestedTree = try makeNestedTree()
    return try [(nestedTree, nestedTree.backedUp()), (FileTree(), FileTree().backedUp())]
      + BackupPropertyTests.seeds.map { seed in
        let (tree, profile) = try BackupPropertyTests.draw(seed)
        return (tree, BackupSimulator(profile: profile).backUp(tree))
      }
  }

  @Test func `a position, a path and a walk lead to the same decision`() throws {
    for (_, set) in try Self.treesWithBackups() {
      let walked = Array(set.decisions)
      #expect(walked == set.decisions.indices.map { set.decisions[$0] })
      #expect(walked == walked.compactMap { set.decision(on: $0.path) })
      #expect(set.decisions.count == walked.count)
      #expect(set.decisions.reversed() == walked.reversed())
    }
  }

  @Test func `each decision has the kind and size of its item`() throws {
    for (tree, set) in try Self.treesWithBackups() {
      for decision in set.decisions {
        let item = try #require(tree[decision.path])
        #expect(decision.size == item.size)
        #expect(decision.kind == .directory(isEmpty: item.children.isEmpty) || !item.isDirectory)
      }
    }
  }

  @Test func `a path beside, above or below an item has no decision`() throws {
    for (tree, set) in try Self.treesWithBackups() {
      for path in tree.paths {
        let otherPaths = try ["!", "/x", "/x/y", "~"].map { ending in
          try ContainerPath(bytes: path.bytes + Array(ending.utf8))
        }
        #expect(
          otherPaths.allSatisfy { tree.contains($0) || set.decision(on: $0) == nil }, "\(path)")
      }
      #expect(try set.decision(on: path("0")) == nil)
      #expect(try set.decision(on: path("~/~")) == nil)
    }
  }

  @Test func `a list of the same decisions is the same set`() throws {
    for (_, set) in try Self.treesWithBackups() {
      let list = BackupSet(decisions: Array(set.decisions))
      #expect(list == set && list.hashValue == set.hashValue)
      #expect(list.decisions == set.decisions)
      #expect(list.bytes == set.bytes && list.leftOutTops == set.leftOutTops)
    }
  }

  @Test func `sets with another size, verdict or number of items are unequal`() throws {
    let tree = try Self.makeNestedTree()
    let set = try tree.backedUp()
    let changedTrees = [
      try tree.with("Documents/a", .bytes(101)),
      try tree.with("Documents/a", marks: .resourceValue),
      try tree.with("Documents/y/last/x"), try tree.without("Documents/z"),
    ]
    for changedTree in changedTrees { #expect(try changedTree.backedUp() != set) }
    #expect(try Self.makeNestedTree().backedUp() == set)
  }

  @Test func `the verdict of many successive items is stored once`() throws {
    var tree = FileTree.app
    for number in 100..<400 { tree = try tree.with("Documents/\(number)") }
    let policy = try #require(SystemProfile.newest).backupPolicy(for: .app)
    var pass = BackupPass(
      rules: ContainerRules(policy: policy), effectiveMarks: .resourceValue, ignoredMarks: [],
      children: tree.children
    ) { ContainerRules(policy: policy, of: $0) }
    pass.decideAll()
    #expect(pass.decisions.count == tree.paths.count)
    #expect(pass.decisions.verdictRuns.count < 10)
  }
}
