import BackupFileTree

@testable import BackupDevice
@testable import BackupScenarios
@testable import BackupVerdicts

extension Mutant {
  /// Wrong effects of a purge.
  static let purges: [Mutant] =
    purgedPlaces + purgeUnits + [
      .step("purge does not end the app", .purge, near: ["purge/ended-before"]) {
        step, run throws(StepFailure) in
        let wasRunning = run.device.app.isRunning
        try await run.carryOut(step)
        if wasRunning { run.device.app.traits.insert(.running) }
      },
      .purge("purge leaves no Caches directory") { tree, before, _ in
        let caches = ContainerPath.StandardLocation.caches.path
        if tree[caches]?.children.isEmpty == true, before[caches]?.children.isEmpty == false {
          tree.remove(caches)
        }
      },
      .purge("mark on Caches itself outlives a purge", near: ["purge/mark-on-caches-gone"]) {
        tree, before, _ in
        let caches = ContainerPath.StandardLocation.caches.path
        tree.modify(caches) { $0.marks = before[caches]?.marks ?? [] }
      },
      .purge(
        "purge of files takes their directory too", near: ["eras/5-0-data-in-caches-read-blindly"]
      ) { tree, before, profile in
        guard profile.purge.unit.value == .singleFiles else { return }
        for path in tree.paths.reversed()
        where path.ownLocation == nil && tree[path]?.isDirectory == true
          && tree[path]?.children.isEmpty == true && before[path]?.children.isEmpty == false
        {
          tree.remove(path)
        }
      },
      .purge("purge clears every mark", near: ["purge/marked-files-kept"]) { tree, _, _ in
        for path in tree.paths { tree.modify(path) { $0.marks = [] } }
      },
    ]

  /// Purges of wrong directories, or of wrong files of a pattern.
  private static let purgedPlaces: [Mutant] = [
    .profile("low storage spares a group's Caches", near: ["containers/"]) {
      $0.groupPurge.lowStorage.value = []
    },
    .profile("a group's container is backed up from an app's roots on", near: ["containers/"]) {
      $0.groupBackup.roots = $0.backup.roots
    },
    .profile("an extension's container is backed up as a group's", near: ["containers/"]) {
      $0.extensionBackup = $0.groupBackup
    },
    .profile("an update takes a group's container along as the app's", near: ["containers/"]) {
      $0.updateKeepsGroups.value = false
    },
    .profile("low storage spares Caches", near: ["purge/"]) { $0.purge.lowStorage.value = [] },
    .profile("low storage takes tmp", near: ["purge/"]) {
      $0.purge.lowStorage.value.append(ContainerPath.StandardLocation.temporary.path)
    },
    .profile("critical storage spares Caches", near: ["purge/mark-in-caches-from-9"]) {
      $0.purge.criticalStorage.value = [ContainerPath.StandardLocation.temporary.path]
    },
    .profile("critical storage spares tmp", near: ["purge/tmp-at-critical-storage"]) {
      $0.purge.criticalStorage.value = [ContainerPath.StandardLocation.caches.path]
    },
    .profile("critical storage takes Documents", near: ["purge/documents-and-library-kept"]) {
      $0.purge.criticalStorage.value.append(ContainerPath.StandardLocation.documents.path)
    },
    .profile("low storage takes Application Support", near: ["purge/index-outlives-what-it-lists"])
    {
      $0.purge.lowStorage.value.append(ContainerPath.StandardLocation.applicationSupport.path)
    },
    .pressure("purge ignores patterns, takes nothing", near: ["purge/single-files-before-9"]) {
      $0.isFiles ? .files([]) : $0
    },
    .pressure("purge ignores patterns, takes all", near: ["purge/single-files-before-9"]) {
      $0.isFiles ? .lowStorage : $0
    },
    .pressure("critical storage is low storage", near: ["purge/tmp-at-critical-storage"]) {
      $0 == .criticalStorage ? .lowStorage : $0
    },
    .pressure("low storage is critical storage") {
      $0 == .lowStorage ? .criticalStorage : $0
    },
  ]

  /// Purges of a whole directory instead of single files or the reverse, and wrongly spared files.
  private static let purgeUnits: [Mutant] = [
    .profile("single files from iOS 9 on", on: ["9"], near: ["purge/mark-in-caches-from-9"]) {
      $0.purge.unit.value = .singleFiles
    },
    .profile("single files on the newest", on: newest, near: ["purge/"]) {
      $0.purge.unit.value = .singleFiles
    },
    .profile("directories whole on iOS 8", on: ["8"], near: ["eras/from-8-to-9-caches"]) {
      $0.purge.unit.value = .wholeDirectory
    },
    .profile("directories whole on 5.1", on: ["5.1"], near: ["purge/mark-in-caches-before-9"]) {
      $0.purge.unit.value = .wholeDirectory
    },
    .profile("marked files not spared on iOS 8", on: ["8"], near: ["eras/from-8-to-9-caches"]) {
      $0.purge.sparesMarked.value = false
    },
    .profile(
      "marked files not spared on 5.0.1", on: ["5.0.1"],
      near: ["purge/mark-by-attribute-in-caches-5-0-1"]
    ) {
      $0.purge.sparesMarked.value = false
    },
    .purge("5.0 spares marked files", near: ["eras/5-0-purge-takes-marked"]) {
      tree, before, profile in
      if profile.honouredMarks.value.isEmpty { tree.bringBackMarked(from: before) }
    },
    .purge("mark spares a file in Caches from iOS 9 on", near: ["purge/mark-in-caches-from-9"]) {
      tree, before, profile in
      if profile.purge.unit.value == .wholeDirectory { tree.bringBackMarked(from: before) }
    },
    .purge(
      "marked directory spares nothing in it before iOS 9", near: ["purge/single-files-before-9"]
    ) { tree, before, profile in
      guard profile.purge.sparesMarked.value else { return }
      for path in tree.paths where path.location?.isPurgeable == true {
        if tree[path]?.isDirectory == false, before[path]?.marks.isEmpty == true {
          tree.remove(path)
        }
      }
    },
    .purge("attribute spares a file from 5.1 on", near: ["purge/attribute-in-caches-from-5-1"]) {
      tree, before, profile in
      if profile.purge.sparesMarked.value { tree.bringBackMarked(from: before) }
    },
    .purge("ignored guidance spares nothing", near: ["guidance/purge-keeps-to-marks"]) {
      tree, before, profile in
      guard profile.guidance == .ignored else { return }
      for path in tree.paths where path.location?.isPurgeable == true {
        if tree[path]?.isDirectory == false, before[path]?.marks.isEmpty == false {
          tree.remove(path)
        }
      }
    },
  ]

  /// A mutant that performs a purge of another kind than the scenario's.
  private static func pressure(
    _ name: String, near: [String] = ["purge/"],
    _ change: @escaping @Sendable (PurgeSimulator.Pressure) -> PurgeSimulator.Pressure
  ) -> Mutant {
    Mutant(name, of: .function("purge"), near: near) { kit in
      let standard = kit.suite.runner.simulators.purge
      kit.suite.runner.simulators.purge = { standard($0, $1, change($2)) }
    }
  }
}

extension PurgeSimulator.Pressure {
  /// True if the purge deletes the files of patterns.
  fileprivate var isFiles: Bool {
    if case .files = self { true } else { false }
  }
}

extension FileTree {
  /// Inserts the marked files of another tree.
  fileprivate mutating func bringBackMarked(from before: FileTree) {
    before.walk { path, item in
      if !item.isDirectory, !item.marks.isEmpty {
        path.parent.map { ensureDirectory($0) }
        insert(item, at: path)
      }
      return true
    }
  }
}
