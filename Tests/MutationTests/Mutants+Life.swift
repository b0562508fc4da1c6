import BackupContainer
import BackupFileTree

@testable import BackupDevice
@testable import BackupScenarios
@testable import BackupVerdicts

extension Mutant {
  /// Wrong effects of installations, launches, updates, restores and similar events.
  static let life: [Mutant] =
    layouts + launches + extensions + stepSystems + updates + systemUpdates + locks + restores
    + removals
    + keychains

  /// Wrong contents of the container after an installation.
  private static let layouts: [Mutant] =
    ["Documents", "Library", "Library/Caches", "Library/Preferences", "tmp"].map { place in
      .layout("new container has no \(place)") { run throws(StepFailure) in
        run.remove(.at(place))
      }
    } + [
      .layout("new container has Application Support") { run throws(StepFailure) in
        let path = ContainerPath.StandardLocation.applicationSupport.path
        try? run.disk.container?.apply(.createDirectory(path, intermediates: true))
      }
    ]

  private static let launches: [Mutant] = [
    .step("update does not end the app", .updateApp, near: ["updates/launched-anew"]) {
      step, run throws(StepFailure) in
      let wasRunning = run.device.app.isRunning
      try await run.carryOut(step)
      if wasRunning { run.device.app.traits.insert(.running) }
    },
    .step(
      "system update does not end the app", .updateSystem, near: ["updates/launched-anew"]
    ) {
      step, run throws(StepFailure) in
      let wasRunning = run.device.app.isRunning
      try await run.carryOut(step)
      if wasRunning { run.device.app.traits.insert(.running) }
    },
    .step("restore leaves the app running", .restore, near: ["restore/set-up-at-launch"]) {
      step, run throws(StepFailure) in
      try await run.carryOut(step)
      run.device.app.traits.insert(.running)
    },
    .step("relaunch starts nothing", .relaunch, near: ["saving/saved-at-launch"]) {
      _, _ throws(StepFailure) in
    },
    .step("kill ends nothing", .kill, near: ["saving/saved-at-launch-after-a-kill"]) {
      _, _ throws(StepFailure) in
    },
    .step("kill starts the app again", .kill, near: ["saving/killed-before-the-backup"]) {
      step, run throws(StepFailure) in
      try await run.carryOut(step)
      try await run.startApp()
    },
    .step("backup ends the app", .backup, near: ["backups/app-goes-on"]) {
      step, run throws(StepFailure) in
      try await run.carryOut(step)
      run.endApp()
    },
  ]

  /// Wrong effects of an extension's step on the app.
  private static let extensions: [Mutant] = [
    .extensionStep("an extension's step starts the app") { action, run throws(StepFailure) in
      let identifier = run.currentExtension
      run.currentExtension = nil
      try await run.startApp()
      run.currentExtension = identifier
      try await run.carryOut(action)
    },
    .extensionStep("an extension has the app's defaults") { action, run throws(StepFailure) in
      run.currentExtension = nil
      try await run.carryOut(action)
    },
    .extensionStep("an extension that is killed ends the app") { action, run throws(StepFailure) in
      do throws(StepFailure) {
        try await run.carryOut(action)
      } catch {
        run.endApp()
        throw error
      }
    },
  ]

  /// Steps under wrong versions of iOS or of the app.
  private static let stepSystems: [Mutant] = [
    .stepVersions("a step for another version of the app is done") { _, _ in true },
    .stepVersions("a step for some versions of the app is done with none") { step, _ in
      step.appVersions == nil
    },
    .stepSystems("a step for other systems is done") { _, _ in true },
    .stepSystems("a step for some systems is done on none") { step, _ in step.systems == nil },
    .stepSystems("a step is done on later systems than its own") { step, system in
      step.systems?.value.contains { $0 <= system } != false
    },
    .stepSystems("a step is done on the earliest of its systems only") { step, system in
      step.systems.map { $0.value.min() == system } ?? true
    },
  ]

  /// Wrong keychain items, or wrong values of another device.
  private static let keychains: [Mutant] = [
    .profile("keychain deleted with the app", near: ["restore/keychain"]) {
      $0.keychain.outlivesDeletion.value = false
    },
    .profile("keychain not restored to the same device", near: ["restore/keychain"]) {
      $0.keychain.outlivesRestore.value = false
    },
    .profile("item for one device on another", near: ["restore/keychain"]) {
      $0.keychain.reachesNewDevice.value = true
    },
    .profile("ordinary item on another device after any backup", near: ["restore/keychain"]) {
      $0.keychain.bringingOrdinaryItems.value = SystemProfile.BackupKind.allCases
    },
    .profile("ordinary item on no other device", near: ["restore/keychain"]) {
      $0.keychain.bringingOrdinaryItems.value = []
    },
    .step(
      "removing a keychain item does nothing", .removeKeychainItem,
      near: ["restore/keychain-items-cleared-at-the-first-launch"]
    ) { _, _ throws(StepFailure) in },
    .step("a key made anew is the old one", .readKeychainItem, near: ["restore/key-made-anew"]) {
      step, run throws(StepFailure) in
      try await run.carryOut(step)
      run.device.keychain = run.device.keychain.mapValues { item in
        var item = item
        item.randomValueNumber = min(item.randomValueNumber, 1)
        return item
      }
    },
    .step("a restore brings no value of another device", .restore, near: ["restore/device-values"])
    {
      step, run throws(StepFailure) in
      try await run.carryOut(step)
      run.device.valuesOfOtherDevice = []
    },
    .step(
      "a restore to the same device brings values of another", .restore,
      near: ["restore/device-values-restored"]
    ) { step, run throws(StepFailure) in
      try await run.carryOut(step)
      run.device.valuesOfOtherDevice = Set(run.scenario.deviceValueNames.map(\.value))
    },
    .step(
      "a value that is set stays another device's", .setDefault,
      near: ["restore/device-values-set-again"]
    ) { step, run throws(StepFailure) in
      let values = run.device.valuesOfOtherDevice
      try await run.carryOut(step)
      run.device.valuesOfOtherDevice = values
    },
  ]

  /// Wrong effects of an update of the app.
  private static let updates: [Mutant] =
    [ContainerPath.StandardLocation.documents, .library].map { place in
      .profile("update loses \(place.rawValue)", near: ["updates/"]) {
        $0.update.carriedOver.value.removeAll { $0 == place.path }
      }
    } + [
      .profile("update carries tmp over", near: ["updates/tmp-not-carried"]) {
        $0.update.carriedOver.value.append(ContainerPath.StandardLocation.temporary.path)
      },
      .update("update carries everything over", near: ["updates/tmp-not-carried"]) { tree, before in
        tree = before
      },
      Mutant(
        "update ignores what it keeps", of: .function("update"),
        near: ["updates/tmp-kept-this-time"]
      ) { kit in
        let standard = kit.suite.runner.simulators.update
        kit.suite.runner.simulators.update = { tree, update, _, losing in
          standard(tree, update, [], losing)
        }
      },
      Mutant(
        "update ignores what it loses", of: .function("update"), near: ["updates/caches-lost"]
      ) { kit in
        let standard = kit.suite.runner.simulators.update
        kit.suite.runner.simulators.update = { tree, update, keeping, _ in
          standard(tree, update, keeping, [])
        }
      },
      .update("update leaves the folders of Caches", near: ["updates/cache-folder-lost"]) {
        tree, before in
        let caches = ContainerPath.StandardLocation.caches.path
        for path in before.paths(from: caches) where before[path]?.isDirectory == true {
          tree.ensureDirectory(path)
        }
      },
      .update("update loses the marks") { tree, _ in
        for path in tree.paths { tree.modify(path) { $0.marks = [] } }
      },
      .update("update leaves no tmp directory") { tree, _ in
        if tree[.at("tmp")]?.children.isEmpty == true { tree.remove(.at("tmp")) }
      },
      .update("update empties Caches") { tree, _ in
        tree.remove(ContainerPath.StandardLocation.caches.path)
        tree.ensureDirectory(ContainerPath.StandardLocation.caches.path)
      },
    ]

  /// Wrong effects of an update of iOS.
  private static let systemUpdates: [Mutant] = [
    .step("system update does not switch", .updateSystem, near: ["eras/from-8-to-9-caches"]) {
      step, run throws(StepFailure) in
      let old = run.profile
      try await run.carryOut(step)
      run.device.profile = old
    },
    .step("system update brings guidance back", .updateSystem, near: ["guidance/"]) {
      step, run throws(StepFailure) in
      try await run.carryOut(step)
      run.device.profile.guidance = .honoured
    },
    .step(
      "system update loses the marks", .updateSystem,
      near: ["eras/upgrade-honours-the-attribute"]
    ) {
      step, run throws(StepFailure) in
      run.isDiskUncertain = true
      var tree = try run.currentTree()
      for path in tree.paths { tree.modify(path) { $0.marks = [] } }
      try? run.disk.container?.materialise(tree)
      try await run.carryOut(step)
    },
    .step("system update empties Caches", .updateSystem, near: ["eras/from-8-to-9-caches"]) {
      step, run throws(StepFailure) in
      run.isDiskUncertain = true
      var tree = try run.currentTree()
      tree.remove(ContainerPath.StandardLocation.caches.path)
      tree.ensureDirectory(ContainerPath.StandardLocation.caches.path)
      try? run.disk.container?.materialise(tree)
      try await run.carryOut(step)
    },
  ]

  /// Wrong effects of locking, unlocking and restarting the device.
  private static let locks: [Mutant] = [
    .step("restart leaves the device unlocked", .restart, near: ["lock/"]) {
      step, run throws(StepFailure) in
      try await run.carryOut(step)
      run.device.lockState = .unlocked
    },
    .step("restart keeps the app running", .restart, near: ["lock/"]) {
      step, run throws(StepFailure) in
      let app = run.device.app
      try await run.carryOut(step)
      if run.device.lockState == .unlocked { run.device.app = app }
    },
    .step("lock does not lock", .lock, near: ["lock/"]) { step, run throws(StepFailure) in
      try await run.carryOut(step)
      run.device.lockState = .unlocked
    },
    .step("unlock does not unlock", .unlock, near: ["lock/"]) { step, run throws(StepFailure) in
      let lock = run.device.lockState
      try await run.carryOut(step)
      run.device.lockState = lock
    },
  ]

  /// Wrong effects of a restore.
  private static let restores: [Mutant] = [
    .restore("restore brings Caches back") { tree, before, _ in
      before[ContainerPath.StandardLocation.caches.path].map {
        _ = tree.insert($0, at: ContainerPath.StandardLocation.caches.path)
      }
    },
    .restore("restore brings tmp back") { tree, before, _ in
      before[ContainerPath.StandardLocation.temporary.path].map {
        _ = tree.insert($0, at: ContainerPath.StandardLocation.temporary.path)
      }
    },
    .restore("restore brings marked items back") { tree, before, set in
      for decision in set.leftOut where decision.reason?.isByMark == true {
        before[decision.path].map { _ = tree.insert($0, at: decision.path) }
      }
    },
    .restore("restore brings marked directories back, empty") { tree, _, set in
      for decision in set.leftOut where decision.size == nil && decision.reason?.isByMark == true {
        tree.ensureDirectory(decision.path)
      }
    },
    .restore("restore brings marks back", near: ["guidance/restored-without-its-mark"]) {
      tree, before, _ in
      for path in tree.paths { tree.modify(path) { $0.marks = before[path]?.marks ?? [] } }
    },
    .restore("restored container lacks the standard directories") { tree, _, _ in
      for place in [ContainerPath.StandardLocation.caches, .temporary]
      where tree[place.path]?.children.isEmpty == true {
        tree.remove(place.path)
      }
    },
    .restore("restore makes Application Support") { tree, _, _ in
      tree.ensureDirectory(ContainerPath.StandardLocation.applicationSupport.path)
    },
    .restore("restore loses empty directories", near: ["directories/empty"]) { tree, _, _ in
      for path in tree.paths.reversed() where path.ownLocation == nil {
        if tree[path]?.isDirectory == true, tree[path]?.children.isEmpty == true {
          tree.remove(path)
        }
      }
    },
    .restore("restore loses links", near: ["restore/link-comes-back"]) { tree, _, _ in
      for path in tree.paths { if case .link = tree[path]?.kind { tree.remove(path) } }
    },
    .step("restore takes the latest backup", .restore, near: ["restore/"]) {
      step, run throws(StepFailure) in
      try run.restore(run.latestBackup?.label ?? (step.neededBackupLabel ?? ""), to: .newDevice)
    },
    .step(
      "transfer goes by the kind of the backup", .restore,
      near: ["restore/transferred-though-switched-off"]
    ) { step, run throws(StepFailure) in
      try run.restore((step.neededBackupLabel ?? ""), to: .newDevice)
    },
    .step(
      "each restore is a transfer", .restore,
      near: ["restore/transferred-though-switched-off"]
    ) { step, run throws(StepFailure) in
      try run.restore((step.neededBackupLabel ?? ""), to: .transfer)
    },
  ]

  /// Wrong effects of removing and reinstalling the app, and of files that iOS puts into the
  /// container.
  private static let removals: [Mutant] = [
    .offload("offload keeps Caches") { tree, before in
      let caches = ContainerPath.StandardLocation.caches.path
      before[caches].map { _ = tree.insert($0, at: caches) }
    },
    .offload("offload loses Documents") { tree, _ in
      tree.remove(ContainerPath.StandardLocation.documents.path)
      tree.ensureDirectory(ContainerPath.StandardLocation.documents.path)
    },
    .offload("offload loses the marks") { tree, _ in
      for path in tree.paths { tree.modify(path) { $0.marks = [] } }
    },
    Mutant(
      "a deleted app keeps its data", of: .function("delete"),
      near: ["removal/deleted-and-installed-again"]
    ) { kit in
      kit.suite.runner.simulators.delete = { tree, _ in tree }
    },
    .step("offload does nothing", .offload, near: ["removal/"]) {
      _, _ throws(StepFailure) in
    },
    .step("reinstall leaves the container's path", .reinstall, near: ["removal/"]) {
      step, run throws(StepFailure) in
      if run.device.app.isOffloaded {
        run.device.app.traits.remove(.offloaded)
        try run.record(.system(.reinstall))
      } else {
        try await run.carryOut(step)
      }
    },
    .step("reinstall deletes what was offloaded", .reinstall, near: ["removal/"]) {
      step, run throws(StepFailure) in
      run.device.app.traits.remove(.offloaded)
      try await run.carryOut(step)
    },
    .step("what is placed is the app's doing", .place, near: ["classes/handed-over"]) {
      step, run throws(StepFailure) in
      try await run.carryOut(step)
      guard case .system(.place(_, at: let path)) = step else { return }
      let size = try run.currentTree()[path]?.size ?? 0
      try run.performUnlessKilled(.write(path, .zeros(size), method: .atomically))
    },
    .step("place starts the app", .place, near: ["classes/handed-over-to-an-app"]) {
      step, run throws(StepFailure) in
      try await run.startApp()
      try await run.carryOut(step)
    },
  ]
}

extension ScenarioRun {
  /// Removes an item from the disk, without recording the change.
  fileprivate func remove(_ path: ContainerPath) {
    try? disk.container?.apply(.remove(path))
  }
}
