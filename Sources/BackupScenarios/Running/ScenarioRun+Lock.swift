import BackupDevice
import BackupFileTree

extension ScenarioRun {
  /// Locks or unlocks the device. A restart that leaves it locked launches the app in the background.
  mutating func change(_ lock: Transcript.SystemEvent.LockChange) async throws(StepFailure) {
    if lock.restartsDevice {
      endApp()
      scheduleCheck(after: "the restart")
    }
    if lock.result != .unlocked, startRunsCode || !scenario.stepsOfCode.isEmpty {
      transcript.doubts.append(
        Transcript.Doubt(
          step: currentStep,
          message:
            "the app's own code can read all files here, because the kit locks them only for "
            + "simulated steps"))
    }
    try record(.system(.lock(lock)), tree: try currentTree())
    if lock == .lockedRestart, !device.app.isOffloaded { try await startApp() }
    if lock == .unlock, device.app.traits.remove(.waitsForUnlock) != nil {
      for step in scenario.launch where step.ifLocked == .wait { try await run(step) }
    }
  }

  /// Returns true for a file that the app cannot read while the device is locked.
  func isLocked(_ path: ContainerPath) throws(StepFailure) -> Bool {
    guard device.lock != .unlocked, try currentTree()[path]?.size != nil else { return false }
    guard !device.protectedFiles.isCreatedWhileLocked(path) else { return false }
    let protection = device.protectedFiles[path] ?? profile.lock.usualProtection.value
    return !protection.permitsReading(while: device.lock)
  }

  /// Fails the step of an app that did not check whether it can read a file.
  mutating func failOnLocked(_ path: ContainerPath) throws(StepFailure) {
    try record(.readLocked(path))
    throw StepFailure(
      reportedByRule: FileOperation.Failure(
        .failed, path, underlying: "it cannot be opened before the device is unlocked"))
  }

  /// Returns a keychain item; nil if it does not exist, and before the first unlock.
  func keychainItem(named name: String) -> KeychainItem? {
    device.lock == .neverUnlocked ? nil : device.keychain[name]
  }

  /// True if user defaults read as empty.
  var hidesDefaults: Bool { device.lock == .neverUnlocked && profile.lock.hidesDefaults.value }
}

/// The files whose protection the app has chosen. A disk does not store it, so the kit derives it from the steps.
struct ProtectedFiles: Hashable, Sendable {
  private var classes: [ContainerPath: DataProtection] = [:]
  /// The files that the app has created since the device was locked, and can read.
  private var createdWhileLocked: Set<ContainerPath> = []

  func isCreatedWhileLocked(_ path: ContainerPath) -> Bool { createdWhileLocked.contains(path) }

  subscript(path: ContainerPath) -> DataProtection? {
    get { classes[path] }
    set { classes[path] = newValue }
  }

  mutating func absorb(
    _ event: Transcript.Event, from before: FileTree, to tree: FileTree, under lock: DeviceLock
  ) {
    if case .changes(let changes) = event, lock != .unlocked {
      for change in changes {
        switch change {
        case .created(let path), .replaced(let path): createdWhileLocked.insert(path)
        case .moved(let source, to: let path), .copied(let source, to: let path):
          if createdWhileLocked.contains(source) { createdWhileLocked.insert(path) }
        case .savedInPlace, .removed, .marked, .cleared: break
        }
      }
    } else if lock == .unlocked, !createdWhileLocked.isEmpty {
      createdWhileLocked = []
    }
    guard !classes.isEmpty else { return }
    switch event {
    case .changes(let changes): for change in changes { absorb(change, from: before) }
    case .system: classes = classes.filter { tree.contains($0.key) }
    default: break
    }
  }

  private mutating func absorb(_ change: FileTree.Change, from before: FileTree) {
    switch change {
    case .created(let path), .replaced(let path), .removed(let path):
      for (path, _) in entries(at: path, in: before) { classes[path] = nil }
    case .moved(let source, to: let path):
      let moved = entries(at: source, in: before)
      for (path, _) in moved + entries(at: path, in: before) { classes[path] = nil }
      add(moved, from: source, to: path)
    case .copied(let source, to: let path):
      add(entries(at: source, in: before), from: source, to: path)
    case .savedInPlace, .marked, .cleared: break
    }
  }

  /// Returns the entry of a file, or those of the files in a directory.
  private func entries(
    at path: ContainerPath, in tree: FileTree
  ) -> [(path: ContainerPath, protection: DataProtection)] {
    guard tree[path]?.isDirectory == true else { return classes[path].map { [(path, $0)] } ?? [] }
    return classes.filter { path.covers($0.key) }.map { ($0.key, $0.value) }
  }

  private mutating func add(
    _ entries: [(path: ContainerPath, protection: DataProtection)], from source: ContainerPath,
    to target: ContainerPath
  ) {
    for (path, protection) in entries {
      if let path = path.moved(from: source, to: target) { classes[path] = protection }
    }
  }
}
