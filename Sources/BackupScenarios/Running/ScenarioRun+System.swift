import BackupContainer
import BackupDevice
import BackupDiagnostics
import BackupFileTree

extension ScenarioRun {
  var latestBackup: FakeContainer.Backup? {
    transcript.entries.lazy.reversed().compactMap(\.event.backup).first
  }

  /// The contents of the backup that iOS would take of a tree now.
  func backup(of tree: FileTree) -> BackupSet {
    runner.simulators.backUp(tree, profile, variant.backups)
  }

  mutating func takeBackup(_ label: String) throws(StepFailure) {
    let tree = try lookAtAll()
    let set = backup(of: tree)
    let backup = FakeContainer.Backup(label: label, tree: tree, contents: set)
    try keep(backup)
    try record(.system(.backup(backup)), tree: tree)
    guard let container = disk.container else { return }
    try onDisk(try runner.whenBackedUp(backup, currentStep, container))
  }

  /// Keeps a backup, with its files where a later step may restore them; where the user has switched
  /// backups off, those that a transfer takes along.
  private mutating func keep(_ backup: FakeContainer.Backup) throws(StepFailure) {
    var stored = StoredBackup(
      containers: ContainerState(tree: backup.tree), keychain: device.keychainLeftByApp,
      protectedFiles: device.protectedFiles,
      valuesOfOtherDevice: device.valuesOfOtherDevice,
      set: backup.contents, transferred: backup.contents)
    if keepsFiles(ofBackup: backup.label) {
      if variant.backups == .off {
        stored.transferred = runner.simulators.backUp(backup.tree, profile, profile.transfer.value)
      }
      let set = stored.transferred
      let files = set.included.filter { $0.size != nil }.map(\.path)
      let bytes = try roomForArchive(of: set, in: backup.tree)
      let archive = try disk.container.map { container throws(StepFailure) in
        try onDisk(try ContainerArchive(of: files, logs: set.writeAheadLogs, in: container))
      }
      archives[backup.label] = (archive, bytes)
      stored.containers.setSizes(archive?.databaseSizes ?? [:])
    }
    device.backups[backup.label] = stored
  }

  private func keepsFiles(ofBackup label: String) -> Bool {
    switch archived {
    case .all: true
    case .neededBySteps: uses.labels.contains(label)
    case .none: false
    }
  }

  /// Ends the app and takes what storage pressure asks for.
  mutating func purge(_ pressure: PurgeSimulator.Pressure) throws(StepFailure) {
    endApp()
    let before = try lookAtAll()
    try materialise(
      runner.simulators.purge(before, profile, pressure), from: before, as: .purge(pressure))
  }

  /// Ends the app and gives it a new bundle and a new container.
  mutating func updateApp(
    to version: String, keeping: [ContainerPath], losing: [PathPattern]
  ) throws(StepFailure) {
    try requireApp()
    if version.isEarlierVersion(than: device.app.version) {
      currentStep = Scenario.StepReference(
        number: currentStep.number, position: currentStep.position,
        summary: "\(currentStep.summary), a rollback from \(device.app.version)")
    }
    endApp()
    try noteKeptPaths()
    let before = try lookAtAll()
    let after = runner.simulators.update(
      before, UpdateSimulator(profile: profile, layout: layout), keeping, losing)
    try onDisk(try disk.container?.moveToNewURL())
    try materialise(after, from: before, as: .appUpdate(version: version))
  }

  /// Ends the app and brings the device to a later system.
  mutating func updateSystem(to later: SystemProfile) throws(StepFailure) {
    guard later.version > profile.version else {
      throw StepFailure(StepKind.notLater(than: profile.version))
    }
    endApp()
    var system = runner.simulators.profile(later.version) ?? later
    system.guidance = profile.guidance
    device.system = system
    try onDisk(try disk.container?.adopt(profile))
    try record(.system(.systemUpdate(later.version)), tree: try look())
  }

  /// The latest backup of a label.
  func storedBackup(_ label: String) throws(StepFailure) -> StoredBackup {
    if let stored = device.backups[label] { return stored }
    let known = device.backups.keys.sorted()
    let advice =
      known.isEmpty
      ? "no backup was taken; take one first" : NearestWord.advice(for: label, in: known)
    throw StepFailure("no backup '\(label.shown)' was taken before this step; \(advice)")
  }

  /// Ends the app and goes on with what a backup holds.
  mutating func restore(
    _ label: String, to destination: RestoreSimulator.Destination
  ) throws(StepFailure) {
    let stored = try storedBackup(label)
    let backup = FakeContainer.Backup(
      label: label, tree: stored.containers.tree,
      contents: destination == .transfer ? stored.transferred : stored.set)
    let archive = archives[label]
    let kind = destination == .transfer ? profile.transfer.value : variant.backups
    if destination == .sameDevice { device.valuesOfOtherDevice = stored.valuesOfOtherDevice }
    try goOn(with: backup, stored.keychain, kind, to: destination) { run throws(StepFailure) in
      try run.requireRoom(toRestore: backup.tree, archive?.bytes ?? 0)
      run.device.protectedFiles = stored.protectedFiles
      return archive?.files
    }
  }

  /// Ends the app and goes on with what a backup of a kind holds; `takeRoom` refuses what is too much,
  /// and gives what the backup's files hold.
  mutating func goOn(
    with backup: FakeContainer.Backup, _ keychain: KeychainItems,
    _ kind: SystemProfile.BackupKind,
    to destination: RestoreSimulator.Destination,
    _ takeRoom: (inout Self) throws(StepFailure) -> ContainerArchive?
  ) throws(StepFailure) {
    endApp()
    try noteKeptPaths()
    device.keychain = keychain.filter { [policy = profile.keychain] item in
      policy.isKept(item.value.accessibility, restoringTo: destination, from: kind)
    }
    if destination != .sameDevice {
      device.valuesOfOtherDevice = Set(scenario.deviceValues.map(\.value))
    }
    let contents = try takeRoom(&self)
    let after = runner.simulators.restore(
      backup.tree, RestoreSimulator(profile: profile, layout: layout), backup.contents)
    try onDisk(try disk.container?.replaceWithEmptyContainer())
    try materialise(
      after, from: FileTree(), contents: contents, as: .restore(backup), losing: backup.tree)
  }

  /// Makes the container equal to a tree and records what the system did; if the disk refuses
  /// half-way, what it did until then. What the container lacks of `whole` is lost; that is what it
  /// held before, if nothing else is said.
  mutating func materialise(
    _ tree: FileTree, from before: FileTree, contents archive: ContainerArchive? = nil,
    as event: Transcript.SystemEvent, losing whole: FileTree? = nil
  ) throws(StepFailure) {
    let whole = whole ?? before
    do throws(StepFailure) {
      try onDisk(try disk.container?.materialise(tree, from: before, contents: archive))
    } catch {
      isDiskUncertain = true
      // Why the disk refused is said first, whatever a look at it then finds.
      if let part = try? disk.scan(expecting: before) {
        try record(.system(event, lost: whole.itemsMissing(in: part)), tree: part)
      }
      throw error
    }
    try record(.system(event, lost: whole.itemsMissing(in: tree)), tree: tree)
  }

  /// What a new container has on the system now.
  private var layout: FileTree.Layout {
    profile.layout(bundleIdentifier: scenario.app.bundleIdentifier)
  }

  mutating func offloadApp() throws(StepFailure) {
    try requireApp()
    endApp()
    try noteKeptPaths()
    let before = try lookAtAll()
    let after = runner.simulators.offload(before, offloadSimulator)
    try materialise(after, from: before, as: .offload)
  }

  /// Installs the app again: after an offload with its data, else as one that was deleted.
  mutating func reinstallApp() throws(StepFailure) {
    endApp()
    let before = try lookAtAll()
    guard !device.app.isOffloaded else {
      try onDisk(try disk.container?.moveToNewURL())
      return try record(.system(.reinstall), tree: before)
    }
    let after = runner.simulators.delete(before, offloadSimulator)
    if !profile.keychain.outlivesDeletion.value { device.keychain = [:] }
    try onDisk(try disk.container?.replaceWithEmptyContainer())
    try materialise(after, from: FileTree(), as: .reinstall, losing: before)
  }

  /// Puts a file into the container as the system does, with the directories above it.
  mutating func place(
    _ contents: FileOperation.Contents, at path: ContainerPath
  ) throws(StepFailure) {
    try requireApp()
    var tree = self.tree
    if let parent = path.parent, !parent.isContainer {
      try perform(.createDirectory(parent, intermediates: true), in: &tree)
    }
    try perform(.write(path, contents, method: .atomically), in: &tree)
    try record(.system(.place(path)), tree: tree)
  }

  func requireApp() throws(StepFailure) {
    guard device.app.isOffloaded else { return }
    throw StepFailure(StepKind.missingApp, .appMissing)
  }

  private var offloadSimulator: OffloadSimulator {
    OffloadSimulator(profile: profile, layout: layout)
  }
}
