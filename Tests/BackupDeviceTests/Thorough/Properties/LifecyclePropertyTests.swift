import BackupDevice
import BackupFileTree
import Testing

/// Properties of the purges, updates and restores of random trees.
@Suite struct LifecyclePropertyTests {
  @Test(arguments: BackupPropertyTests.seeds)
  func `a restore of a restore changes nothing`(seed: UInt64) throws {
    let (tree, profile) = try BackupPropertyTests.draw(seed)
    let restoredTree = tree.restored(by: profile)
    #expect(restoredTree.restored(by: profile) == restoredTree)
  }

  @Test(arguments: BackupPropertyTests.seeds)
  func `a restore creates only items of the tree and of a new container`(seed: UInt64) throws {
    let (tree, profile) = try BackupPropertyTests.draw(seed)
    let restored = tree.restored(by: profile)
    #expect(Set(restored.paths).isSubset(of: tree.paths + FileTree.app.paths))
    #expect(restored.markedCount == 0)
  }

  @Test(arguments: BackupPropertyTests.seeds)
  func `a purge never changes what a backup holds`(seed: UInt64) throws {
    let (tree, profile) = try BackupPropertyTests.draw(seed)
    let simulator = BackupSimulator(profile: profile)
    let before = simulator.backUp(tree).included
    for pressure in [PurgeSimulator.Pressure.lowStorage, .criticalStorage] {
      let after = PurgeSimulator(profile: profile).purge(tree, pressure).tree
      #expect(simulator.backUp(after).included == before, "\(pressure)")
    }
  }

  @Test(arguments: BackupPropertyTests.seeds)
  func `the purged items and the remaining items make up the tree`(seed: UInt64) throws {
    let (tree, profile) = try BackupPropertyTests.draw(seed)
    for pressure in [PurgeSimulator.Pressure.lowStorage, .criticalStorage] {
      let outcome = PurgeSimulator(profile: profile).purge(tree, pressure)
      let purgedPaths = outcome.taken.map(\.path)
      for path in tree.paths {
        let isPurged = purgedPaths.contains { $0.covers(path) }
        #expect(outcome.tree.contains(path) != isPurged, "\(path)")
      }
      #expect(Set(outcome.tree.paths).isSubset(of: tree.paths))
    }
  }

  @Test(arguments: BackupPropertyTests.seeds)
  func `an update leaves the backup of Documents and Library as it was`(seed: UInt64) throws {
    let (tree, profile) = try BackupPropertyTests.draw(seed)
    let simulator = BackupSimulator(profile: profile)
    let carriedPlaces = profile.update.carriedOver.value
    let before = simulator.backUp(tree).included.filter { decision in
      carriedPlaces.contains { $0.covers(decision.path) }
    }
    let updated = UpdateSimulator(profile: profile).update(tree)
    #expect(simulator.backUp(updated).included == before)
  }
  @Test(arguments: BackupPropertyTests.seeds)
  func `an update deletes only items of Caches, whatever patterns it is given`(
    seed: UInt64
  ) throws {
    let (tree, profile) = try BackupPropertyTests.draw(seed)
    let simulator = UpdateSimulator(profile: profile)
    let plainUpdate = simulator.update(tree)
    let caches = ContainerPath.StandardLocation.caches.path
    for pattern in ["**", "Library/**", "Documents/*", "*/*", "**/a*", "L*/Caches/**"] {
      let updated = simulator.update(tree, losing: [try PathPattern(pattern)])
      for path in plainUpdate.paths where !caches.covers(path) {
        #expect(updated.contains(path), "\(path) by \(pattern)")
      }
      #expect(Set(updated.paths).isSubset(of: plainUpdate.paths))
    }
  }
}
