import BackupContainer
import BackupDevice
import BackupDiagnostics
import BackupFileTree

extension ScenarioRun {
  var latestBackup: FakeContainer.Backup? {
    transcript.entries.lazy.reversed().compactMap(\.event.backup).first
  }

  /// Returns the contents of the backup that iOS would take of `tree` now.
  func backup(of tree: FileTree) -> BackupSet {
    runner.simulators.backUp(tree, profile, variant.backups)
  }

  mutating func takeBackup(_ label: String) throws(StepFailure) {
    let tree = try chargedCurrentTree()
    let contents = backup(of: tree)
    let backup = FakeContainer.Backup(label: label, tree: tree, contents: contents)
    try store(backup)
    try record(.system(.backup(backup)), tree: tree)
    guard let container = disk.container else { return }
    try failingStepOnError(try runner.whenBackedUp(backup, currentStep, container))
  }

  /// Stores a backup. If a later step may restore the backup, also keeps its files on disk.
  ///
  /// If the user has switched backups off, a restore can only be a transfer to a new device. The
  /// run then keeps the files of a transfer.
  private mutating func store(_ backup: FakeContainer.Backup) throws(StepFailure) {
    var storedBackup = StoredBackup(
      containers: ContainerState(tree: backup.tree), keychain: device.keychainLeftByApp,
      protectedFiles: device.protectedFiles,
      valuesOfOtherDevice: device.valuesOfOtherDevice,
      backupSet: backup.contents, transferSet: backup.contents)
    if archivesFiles(ofBackup: backup.label) {
      if variant.backups == .off {
        storedBackup.transferSet = runner.simulators.backUp(
          backup.tree, profile, profile.transfer.value)
      }
      let transferSet = storedBackup.transferSet
      let filePaths = transferSet.included.filter { $0.size != nil }.map(\.path)
      let byteCount = try chargeArchive(of: transferSet, in: backup.tree)
      let archive = try disk.container.map { container throws(StepFailure) in
        try failingStepOnError(
          try ContainerArchive(of: filePaths, logs: transferSet.writeAheadLogs, in: container))
      }
      archives[backup.label] = (archive, byteCount)
      storedBackup.containers.setSizes(archive?.databaseSizes ?? [:])
    }
    device.backups[backup.label] = storedBackup
  }

  private func archivesFiles(ofBackup label: String) -> Bool {
    switch archivePolicy {
    case .all: true
    case .neededBySteps: stepUses.backupLabels.contains(label)
    case .none: false
    }
  }

  /// Ends the app, and purges files because of storage pressure.
  mutating func purge(_ pressure: PurgeSimulator.Pressure) throws(StepFailure) {
    endApp()
    let treeBefore = try chargedCurrentTree()
    try materialise(
      runner.simulators.purge(treeBefore, profile, pressure), from: treeBefore, as: .purge(pressure)
    )
  }

  /// Ends the app, and updates it to another version. The containers get new paths.
  mutating func updateApp(
    to version: String, keeping: [ContainerPath], losing: [PathPattern]
  ) throws(StepFailure) {
    try requireInstalledApp()
    if version.isEarlierVersion(than: device.app.version) {
      currentStep = Scenario.StepReference(
        number: currentStep.number, position: currentStep.position,
        summary: "\(currentStep.summary), a rollback from \(device.app.version)")
    }
    endApp()
    try recordUnsafeReferences()
    let treeBefore = try chargedCurrentTree()
    let treeAfter = runner.simulators.update(
      treeBefore, UpdateSimulator(profile: profile, layout: layout), keeping, losing)
    try failingStepOnError(try disk.container?.moveToNewURL())
    try materialise(treeAfter, from: treeBefore, as: .appUpdate(version: version))
  }

  /// Ends the app, and updates the device to a later system.
  mutating func updateSystem(to laterProfile: SystemProfile) throws(StepFailure) {
    guard laterProfile.version > profile.version else {
      throw StepFailure(StepKind.notLaterMessage(than: profile.version))
    }
    endApp()
    var newProfile = runner.simulators.profile(laterProfile.version) ?? laterProfile
    newProfile.guidance = profile.guidance
    device.profile = newProfile
    try failingStepOnError(try disk.container?.configure(profile))
    try record(.system(.systemUpdate(laterProfile.version)), tree: try currentTree())
  }

  /// Returns the latest backup with a label.
  func storedBackup(_ label: String) throws(StepFailure) -> StoredBackup {
    if let storedBackup = device.backups[label] { return storedBackup }
    let labels = device.backups.keys.sorted()
    let advice =
      labels.isEmpty
      ? "no backup was taken; take one first" : NearestWord.advice(for: label, in: labels)
    throw StepFailure("no backup '\(label.escapedExcerpt)' was taken before this step; \(advice)")
  }

  /// Ends the app, and restores a backup that the run has taken.
  mutating func restore(
    _ label: String, to destination: RestoreSimulator.Destination
  ) throws(StepFailure) {
    let storedBackup = try storedBackup(label)
    let backup = FakeContainer.Backup(
      label: label, tree: storedBackup.containers.tree,
      contents: destination == .transfer ? storedBackup.transferSet : storedBackup.backupSet)
    let archive = archives[label]
    let backupKind = destination == .transfer ? profile.transfer.value : variant.backups
    if destination == .sameDevice { device.valuesOfOtherDevice = storedBackup.valuesOfOtherDevice }
    try replaceContainer(with: backup, storedBackup.keychain, backupKind, to: destination) {
      run throws(StepFailure) in
      try run.chargeRestore(of: backup.tree, archive?.bytes ?? 0)
      run.device.protectedFiles = storedBackup.protectedFiles
      return archive?.files
    }
  }

  /// Ends the app, and replaces its container with a container that iOS restores from a backup.
  ///
  /// `chargedArchive` charges the restore to the run's limits, and returns the files of the backup
  /// on disk.
  mutating func replaceContainer(
    with backup: FakeContainer.Backup, _ keychain: KeychainItems,
    _ backupKind: SystemProfile.BackupKind,
    to destination: RestoreSimulator.Destination,
    _ chargedArchive: (inout Self) throws(StepFailure) -> ContainerArchive?
  ) throws(StepFailure) {
    endApp()
    try recordUnsafeReferences()
    device.keychain = keychain.filter { [policy = profile.keychain] item in
      policy.isKept(item.value.accessibility, restoringTo: destination, from: backupKind)
    }
    if destination != .sameDevice {
      device.valuesOfOtherDevice = Set(scenario.deviceValueNames.map(\.value))
    }
    let archive = try chargedArchive(&self)
    let treeAfter = runner.simulators.restore(
      backup.tree, RestoreSimulator(profile: profile, layout: layout), backup.contents)
    try failingStepOnError(try disk.container?.replaceWithEmptyContainer())
    try materialise(
      treeAfter, from: FileTree(), contents: archive, as: .restore(backup), lossesFrom: backup.tree)
  }

  /// Makes the container equal to `tree`, and records the system event.
  ///
  /// If the disk refuses a change, records the event with the container as it is then, and throws.
  /// The event also lists the lost items: the items of `completeTree` that the container now lacks.
  /// The default for `completeTree` is `treeBefore`.
  mutating func materialise(
    _ tree: FileTree, from treeBefore: FileTree, contents archive: ContainerArchive? = nil,
    as event: Transcript.SystemEvent, lossesFrom completeTree: FileTree? = nil
  ) throws(StepFailure) {
    let completeTree = completeTree ?? treeBefore
    do throws(StepFailure) {
      try failingStepOnError(
        try disk.container?.materialise(tree, from: treeBefore, contents: archive))
    } catch {
      isDiskUncertain = true
      // Throw the error of the change, even if the scan fails too.
      if let partialTree = try? disk.scan(expecting: treeBefore) {
        try record(
          .system(event, lost: completeTree.itemsMissing(in: partialTree)), tree: partialTree)
      }
      throw error
    }
    try record(.system(event, lost: completeTree.itemsMissing(in: tree)), tree: tree)
  }

  /// The items of a new container on the device's current iOS version.
  private var layout: FileTree.Layout {
    profile.layout(bundleIdentifier: scenario.app.bundleIdentifier)
  }

  mutating func offloadApp() throws(StepFailure) {
    try requireInstalledApp()
    endApp()
    try recordUnsafeReferences()
    let treeBefore = try chargedCurrentTree()
    let treeAfter = runner.simulators.offload(treeBefore, offloadSimulator)
    try materialise(treeAfter, from: treeBefore, as: .offload)
  }

  /// Installs the app again. After an offload, the app has its data again. Without an
  /// offload, the user deleted the app first, and its files are lost.
  mutating func reinstallApp() throws(StepFailure) {
    endApp()
    let treeBefore = try chargedCurrentTree()
    guard !device.app.isOffloaded else {
      try failingStepOnError(try disk.container?.moveToNewURL())
      return try record(.system(.reinstall), tree: treeBefore)
    }
    let treeAfter = runner.simulators.delete(treeBefore, offloadSimulator)
    if !profile.keychain.outlivesDeletion.value { device.keychain = [:] }
    try failingStepOnError(try disk.container?.replaceWithEmptyContainer())
    try materialise(treeAfter, from: FileTree(), as: .reinstall, lossesFrom: treeBefore)
  }

  /// Puts a file into the container for iOS, and creates missing directories above it.
  mutating func place(
    _ contents: FileOperation.Contents, at path: ContainerPath
  ) throws(StepFailure) {
    try requireInstalledApp()
    var tree = self.tree
    if let parent = path.parent, !parent.isContainer {
      try applyToDisk(.createDirectory(parent, intermediates: true), and: &tree)
    }
    try applyToDisk(.write(path, contents, method: .atomically), and: &tree)
    try record(.system(.place(path)), tree: tree)
  }

  func requireInstalledApp() throws(StepFailure) {
    guard device.app.isOffloaded else { return }
    throw StepFailure(StepKind.missingAppMessage, .appMissing)
  }

  private var offloadSimulator: OffloadSimulator {
    OffloadSimulator(profile: profile, layout: layout)
  }
}
