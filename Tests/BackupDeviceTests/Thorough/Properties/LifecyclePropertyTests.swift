import BackupDevice
import BackupFileTree
import Testing

/// What holds for a purge, update or restore of any tree, shown on random ones.
@Suite struct LifecyclePropertyTests {
  @Test(arguments: BackupPropertyTests.seeds)
  func `a restore of a restore changes nothing`(seed: UInt64) throws {
    let (tree, profile) = try BackupPropertyTests.draw(seed)
    let once = tree.restored(by: profile)
    #expect(once.restored(by: profile) == once)
  }

  @Test(arguments: BackupPropertyTests.seeds)
  func `a restore brings nothing that was not there or new`(seed: UInt64) throws {
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
  func `what a purge took and what it left make up the tree`(seed: UInt64) throws {
    let (tree, profile) = try BackupPropertyTests.draw(seed)
    for pressure in [PurgeSimulator.Pressure.lowStorage, .criticalStorage] {
      let outcome = PurgeSimulator(profile: profile).purge(tree, pressure)
      let taken = outcome.taken.map(\.path)
      for path in tree.paths {
        let isTaken = taken.contains { $0.covers(path) }
        #expect(outcome.tree.contains(path) != isTaken, "\(path)")
      }
      #expect(Set(outcome.tree.paths).isSubset(of: tree.paths))
    }
  }

  @Test(arguments: BackupPropertyTests.seeds)
  func `an update leaves the backup of Documents and Library as it was`(seed: UInt64) throws {
    let (tree, profile) = try BackupPropertyTests.draw(seed)
    let simulator = BackupSimulator(profile: profile)
    let carried = profile.update.carriedOver.value
    let before = simulator.backUp(tree).included.filter { decision in
      carried.contains { $0.covers(decision.path) }
    }
    let updated = UpdateSimulator(profile: profile).update(tree)
    #expect(simulator.backUp(updated).included == before)
  }
  @Test(arguments: BackupPropertyTests.seeds)
  func `an update loses nothing of Documents and Library but of Caches, whatever it is told`(
    seed: UInt64
  ) throws {
    let (tree, profile) = try BackupPropertyTests.draw(seed)
    let simulator = UpdateSimulator(profile: profile)
    let plain = simulator.update(tree)
    let caches = ContainerPath.StandardLocation.caches.path
    for pattern in ["**", "Library/**", "Documents/*", "*/*", "**/a*", "L*/Caches/**"] {
      let updated = simulator.update(tree, losing: [try PathPattern(pattern)])
      for path in plain.paths where !caches.covers(path) {
        #expect(updated.contains(path), "\(path) by \(pattern)")
      }
      #expect(Set(updated.paths).isSubset(of: plain.paths))
    }
  }
}
