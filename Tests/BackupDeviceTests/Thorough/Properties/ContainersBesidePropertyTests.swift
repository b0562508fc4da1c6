import BackupFileTree
import TestSupport
import Testing

@testable import BackupDevice

/// Containers beside the app's in one tree: each is dealt with as it would be alone.
@Suite struct ContainersBesidePropertyTests {
  /// A tree with two containers beside the app's, and each of the three alone.
  private struct Joined {
    var tree: FileTree
    /// Each by its name, the app's for nil.
    var parts: [ContainerPath.Component?: FileTree] = [:]

    init(_ seed: UInt64) throws {
      var random = SeededGenerator(seed: seed)
      tree = try FileTree.random(using: &random)
      parts[nil] = tree
      for identifier in ["group.x", "com.x.w"] {
        let name = ContainerPath.Component(containerOf: identifier)
        let part = try FileTree.random(using: &random)
        parts[name] = part
        tree.insert(FileTree.Item(.directory(part.children)), at: ContainerPath(name))
      }
    }
  }

  /// The part of a tree that is one container.
  private func part(_ name: ContainerPath.Component?, of tree: FileTree) -> FileTree {
    guard let name else {
      var own = tree
      for case let name? in tree.containerNames { own.remove(ContainerPath(name)) }
      return own
    }
    return FileTree(children: tree[ContainerPath(name)]?.children ?? FileTree.Children())
  }

  @Test(
    arguments: BackupPropertyTests.seeds,
    Thoroughness.every(6, of: SystemProfile.all.map(\.version.description)))
  func `a backup decides as for each alone`(seed: UInt64, version: String) throws {
    let joined = try Joined(seed)
    let profile = try #require(SystemProfile(version: version))
    let set = BackupSimulator(profile: profile).backUp(joined.tree)
    #expect(set.decisions.map(\.path) == joined.tree.paths)
    for (name, tree) in joined.parts {
      let kind = SystemProfile.ContainerKind(name)
      let alone = BackupSimulator(profile: profile, container: kind).backUp(tree)
      for decision in alone.decisions {
        let path = ContainerPath(decision.path, inContainer: name)
        let inAll = try #require(set.decision(on: path))
        #expect(
          inAll.isIncluded == decision.isIncluded && inAll.reason?.word == decision.reason?.word)
        #expect(
          inAll.reason?.decidingItem
            == decision.reason?.decidingItem.map { ContainerPath($0, inContainer: name) })
      }
    }
  }

  @Test(arguments: BackupPropertyTests.seeds)
  func `a restore gives each what it gives it alone`(seed: UInt64) throws {
    let joined = try Joined(seed)
    let profile = try #require(SystemProfile.newest)
    let set = BackupSimulator(profile: profile).backUp(joined.tree)
    let restored = RestoreSimulator(profile: profile).restore(joined.tree, from: set)
    for (name, tree) in joined.parts {
      let kind = SystemProfile.ContainerKind(name)
      let alone = BackupSimulator(profile: profile, container: kind).backUp(tree)
      let expected = RestoreSimulator(profile: profile, container: kind).restore(tree, from: alone)
      #expect(part(name, of: restored) == expected)
    }
  }

  @Test(
    arguments: BackupPropertyTests.seeds,
    [PurgeSimulator.Pressure.idle, .lowStorage, .criticalStorage])
  func `a purge takes of the app and an extension alike, of a group just Caches`(
    seed: UInt64, pressure: PurgeSimulator.Pressure
  ) throws {
    let joined = try Joined(seed)
    let profile = try #require(SystemProfile.newest)
    let after = PurgeSimulator(profile: profile).purge(joined.tree, pressure).tree
    for (name, tree) in joined.parts {
      var expected = PurgeSimulator(profile: profile).purge(tree, pressure).tree
      if let name, name.isGroup {
        expected = tree
        let caches = ContainerPath.StandardLocation.caches.path
        if tree.contains(caches) {
          expected.remove(caches)
          expected.ensureDirectory(caches)
        }
      }
      #expect(part(name, of: after) == expected)
    }
  }

  @Test(arguments: BackupPropertyTests.seeds)
  func `an update treats an extension as the app, and leaves a group as it is`(seed: UInt64) throws
  {
    let joined = try Joined(seed)
    let profile = try #require(SystemProfile.newest)
    let after = UpdateSimulator(profile: profile).update(joined.tree)
    for (name, tree) in joined.parts {
      let isGroup = name?.isGroup == true
      let expected = isGroup ? tree : UpdateSimulator(profile: profile).update(tree)
      #expect(part(name, of: after) == expected)
    }
  }
}
