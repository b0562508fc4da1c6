import BackupFileTree
import TestSupport
import Testing

@testable import BackupDevice

/// The simulators treat each container in a tree of several containers as if it were alone.
@Suite struct ContainersBesidePropertyTests {
  /// A random tree of three containers: the app's, a group's and an extension's.
  private struct JoinedContainers {
    var tree: FileTree
    /// The tree of each container alone, by the container's name. The key of the app's container is
    /// nil.
    var treesByName: [ContainerPath.Component?: FileTree] = [:]

    init(_ seed: UInt64) throws {
      var random = SeededGenerator(seed: seed)
      tree = try FileTree.random(using: &random)
      treesByName[nil] = tree
      for identifier in ["group.x", "com.x.w"] {
        let name = ContainerPath.Component(containerOf: identifier)
        let containerTree = try FileTree.random(using: &random)
        treesByName[name] = containerTree
        tree.insert(FileTree.Item(.directory(containerTree.children)), at: ContainerPath(name))
      }
    }
  }

  /// Returns the tree of one container in a tree of several containers.
  private func containerTree(_ name: ContainerPath.Component?, of tree: FileTree) -> FileTree {
    guard let name else {
      var appTree = tree
      for case let name? in tree.containerNames { appTree.remove(ContainerPath(name)) }
      return appTree
    }
    return FileTree(children: tree[ContainerPath(name)]?.children ?? FileTree.Children())
  }

  @Test(
    arguments: BackupPropertyTests.seeds,
    Thoroughness.every(6, of: SystemProfile.all.map(\.version.description)))
  func `a backup decides on each container as if it were alone`(seed: UInt64, version: String)
    throws
  {
    let joined = try JoinedContainers(seed)
    let profile = try #require(SystemProfile(version: version))
    let set = BackupSimulator(profile: profile).backUp(joined.tree)
    #expect(set.decisions.map(\.path) == joined.tree.paths)
    for (name, tree) in joined.treesByName {
      let kind = SystemProfile.ContainerKind(name)
      let setOfContainer = BackupSimulator(profile: profile, container: kind).backUp(tree)
      for decision in setOfContainer.decisions {
        let path = ContainerPath(decision.path, inContainer: name)
        let jointDecision = try #require(set.decision(on: path))
        #expect(
          jointDecision.isIncluded == decision.isIncluded
            && jointDecision.reason?.word == decision.reason?.word)
        #expect(
          jointDecision.reason?.decidingItem
            == decision.reason?.decidingItem.map { ContainerPath($0, inContainer: name) })
      }
    }
  }

  @Test(arguments: BackupPropertyTests.seeds)
  func `a restore treats each container as if it were alone`(seed: UInt64) throws {
    let joined = try JoinedContainers(seed)
    let profile = try #require(SystemProfile.newest)
    let set = BackupSimulator(profile: profile).backUp(joined.tree)
    let restored = RestoreSimulator(profile: profile).restore(joined.tree, from: set)
    for (name, tree) in joined.treesByName {
      let kind = SystemProfile.ContainerKind(name)
      let setOfContainer = BackupSimulator(profile: profile, container: kind).backUp(tree)
      let expected = RestoreSimulator(profile: profile, container: kind).restore(
        tree, from: setOfContainer)
      #expect(containerTree(name, of: restored) == expected)
    }
  }

  @Test(
    arguments: BackupPropertyTests.seeds,
    [PurgeSimulator.Pressure.idle, .lowStorage, .criticalStorage])
  func `a purge treats an extension like the app, and empties only Caches of a group`(
    seed: UInt64, pressure: PurgeSimulator.Pressure
  ) throws {
    let joined = try JoinedContainers(seed)
    let profile = try #require(SystemProfile.newest)
    let after = PurgeSimulator(profile: profile).purge(joined.tree, pressure).tree
    for (name, tree) in joined.treesByName {
      var expected = PurgeSimulator(profile: profile).purge(tree, pressure).tree
      if let name, name.isGroup {
        expected = tree
        let caches = ContainerPath.StandardLocation.caches.path
        if tree.contains(caches) {
          expected.remove(caches)
          expected.ensureDirectory(caches)
        }
      }
      #expect(containerTree(name, of: after) == expected)
    }
  }

  @Test(arguments: BackupPropertyTests.seeds)
  func `an update treats an extension as the app, and leaves a group as it is`(seed: UInt64) throws
  {
    let joined = try JoinedContainers(seed)
    let profile = try #require(SystemProfile.newest)
    let after = UpdateSimulator(profile: profile).update(joined.tree)
    for (name, tree) in joined.treesByName {
      let isGroup = name?.isGroup == true
      let expected = isGroup ? tree : UpdateSimulator(profile: profile).update(tree)
      #expect(containerTree(name, of: after) == expected)
    }
  }
}
