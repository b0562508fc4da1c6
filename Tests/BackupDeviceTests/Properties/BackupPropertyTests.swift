import BackupDevice
import BackupFileTree
import TestSupport
import Testing

/// Properties of the backups of random trees.
@Suite struct BackupPropertyTests {
  /// The seeds. Each seed gives one random tree.
  static let seeds = Thoroughness.seeds(8, of: 60)

  /// Returns a random tree and a random profile.
  static func draw(_ seed: UInt64) throws -> (tree: FileTree, profile: SystemProfile) {
    var random = SeededGenerator(seed: seed)
    let tree = try FileTree.random(using: &random)
    return (tree, try #require(SystemProfile.all.randomElement(using: &random)))
  }

  @Test(arguments: seeds, SystemProfile.ContainerKind.allCases)
  func `every item has exactly one decision`(seed: UInt64, container: SystemProfile.ContainerKind)
    throws
  {
    let (tree, profile) = try Self.draw(seed)
    let set = BackupSimulator(profile: profile, container: container).backUp(tree)
    #expect(set.decisions.map(\.path) == tree.paths)
  }

  @Test(arguments: seeds, SystemProfile.ContainerKind.allCases)
  func `the parent of an item in the backup is a directory in the backup`(
    seed: UInt64, container: SystemProfile.ContainerKind
  ) throws {
    let (tree, profile) = try Self.draw(seed)
    let set = BackupSimulator(profile: profile, container: container).backUp(tree)
    let includedPaths = set.includedPaths
    for path in includedPaths {
      guard let parent = path.parent else { continue }
      #expect(includedPaths.contains(parent), "\(path)")
      #expect(tree[parent]?.isDirectory == true, "\(path)")
    }
  }

  @Test(arguments: Thoroughness.seeds(5, of: 60))
  func `another mark never adds an item`(seed: UInt64) throws {
    let (tree, profile) = try Self.draw(seed)
    let simulator = BackupSimulator(profile: profile)
    let before = simulator.backUp(tree).includedPaths
    for path in tree.paths {
      for mark in ExclusionMark.all {
        var marked = tree
        marked.modify(path) { $0.marks.formUnion(mark) }
        let after = simulator.backUp(marked).includedPaths
        #expect(after.isSubset(of: before), "\(path)")
        if profile.honouredMarks.value == mark { #expect(!after.contains(path), "\(path)") }
      }
    }
  }

  @Test(arguments: seeds)
  func `ignored guidance never removes an item from the backup`(seed: UInt64) throws {
    let (tree, profile) = try Self.draw(seed)
    var ignoringProfile = profile
    ignoringProfile.guidance = .ignored
    let usualPaths = BackupSimulator(profile: profile).backUp(tree).includedPaths
    let ignoringBackup = BackupSimulator(profile: ignoringProfile).backUp(tree)
    #expect(usualPaths.isSubset(of: ignoringBackup.includedPaths))
    let byMark = ignoringBackup.leftOut.filter { $0.reason?.isByMark == true }
    #expect(byMark.isEmpty)
  }

  @Test(arguments: seeds)
  func `the tops cover all left-out items, and no top covers another`(seed: UInt64) throws {
    let (tree, profile) = try Self.draw(seed)
    let set = BackupSimulator(profile: profile).backUp(tree)
    let tops = set.leftOutTops.map(\.path)
    for decision in set.decisions {
      let covering = tops.filter { $0.covers(decision.path) }
      #expect(covering.count == (decision.isIncluded ? 0 : 1), "\(decision.path)")
    }
  }

  @Test(arguments: seeds)
  func `the deciding item exists, and is the item itself, above it or beside it`(seed: UInt64)
    throws
  {
    let (tree, profile) = try Self.draw(seed)
    for decision in BackupSimulator(profile: profile).backUp(tree).leftOut {
      guard let decidingItem = decision.reason?.decidingItem else { continue }
      #expect(tree.contains(decidingItem), "\(decision.path)")
      if case .databaseSibling = decision.reason {
        #expect(decidingItem.parent == decision.path.parent)
      } else {
        #expect(decidingItem.covers(decision.path), "\(decision.path)")
      }
    }
  }

  @Test(arguments: seeds)
  func `bytes are the sum of the files in the backup`(seed: UInt64) throws {
    let (tree, profile) = try Self.draw(seed)
    let set = BackupSimulator(profile: profile).backUp(tree)
    let sizes = set.includedPaths.compactMap { tree[$0]?.size }
    #expect(set.bytes == sizes.reduce(0, +))
    #expect(set.fileCount == sizes.count)
  }
}
