import BackupDevice
import BackupFileTree

extension ScenarioRun {
  /// Locks or unlocks the device. A restart that leaves it locked launches the app in the background.
  mutating func change(_ lock: Transcript.SystemEvent.LockChange) async throws(StepFailure) {
    if lock.restartsDevice {
      endApp()
      noteEventToCheck("the restart")
    }
    state.lock = lock.result
    if state.lock != .unlocked, startRunsCode || !scenario.stepsOfCode.isEmpty {
      transcript.doubts.append(
        Transcript.Doubt(
          step: currentStep,
          message:
            "the app's own code can read all files here, because the kit locks them only for "
            + "simulated steps"))
    }
    try record(.system(.lock(lock)), tree: try look())
    if lock == .lockedRestart, !state.app.isOffloaded { try await startApp() }
    if lock == .unlock, state.app.traits.remove(.waitsForUnlock) != nil {
      for step in scenario.launch where step.ifLocked == .wait { try await run(step) }
    }
  }

  /// True for a file that the app cannot read while the device is locked.
  func isLocked(_ path: ContainerPath) throws(StepFailure) -> Bool {
    guard state.lock != .unlocked, try look()[path]?.size != nil else { return false }
    guard !state.protectedFiles.isMadeWhileLocked(path) else { return false }
    let protection = state.protectedFiles[path] ?? profile.lock.usualProtection.value
    return !protection.permitsReading(while: state.lock)
  }

  /// Fails the step of an app that did not check whether it can read a file.
  mutating func failOnLocked(_ path: ContainerPath) throws(StepFailure) {
    try record(.readLocked(path))
    throw StepFailure(
      reportedByRule: FileOperation.Failure(
        .failed, path, underlying: "it cannot be opened before the device is unlocked"))
  }

  /// A keychain item that the app can read; before the first unlock it finds none.
  func keychainItem(named name: String) -> KeychainItem? {
    state.lock == .neverUnlocked ? nil : state.keychain[name]
  }

  /// True if user defaults read as empty.
  var hidesDefaults: Bool { state.lock == .neverUnlocked && profile.lock.hidesDefaults.value }
}

/// The files whose protection the app has chosen. A disk does not store it: the kit follows the steps.
struct ProtectedFiles: Hashable, Sendable {
  private var classes: [ContainerPath: DataProtection] = [:]
  /// The files that the app has made since the device was locked, which it can read.
  private var madeWhileLocked: Set<ContainerPath> = []

  func isMadeWhileLocked(_ path: ContainerPath) -> Bool { madeWhileLocked.contains(path) }

  subscript(path: ContainerPath) -> DataProtection? {
    get { classes[path] }
    set { classes[path] = newValue }
  }

  mutating func follow(_ event: Transcript.Event, to tree: FileTree, under lock: DeviceLock) {
    if case .changes(let changes) = event, lock != .unlocked {
      for case .created(let path) in changes { madeWhileLocked.insert(path) }
      for case .replaced(let path) in changes { madeWhileLocked.insert(path) }
    } else if lock == .unlocked, !madeWhileLocked.isEmpty {
      madeWhileLocked = []
    }
    guard !classes.isEmpty else { return }
    switch event {
    case .changes(let changes): for change in changes { follow(change) }
    case .system: classes = classes.filter { tree.contains($0.key) }
    default: break
    }
  }

  private mutating func follow(_ change: FileTree.Change) {
    switch change {
    case .created(let path), .replaced(let path), .removed(let path): remove(path)
    case .moved(let source, to: let path):
      let moved = copies(from: source, to: path)
      remove(source)
      remove(path)
      classes.merge(moved) { $1 }
    case .copied(let source, to: let path): classes.merge(copies(from: source, to: path)) { $1 }
    case .savedInPlace, .marked, .cleared: break
    }
  }

  private mutating func remove(_ path: ContainerPath) {
    classes = classes.filter { $0.key != path && !path.isAncestor(of: $0.key) }
  }

  private func copies(
    from source: ContainerPath, to target: ContainerPath
  ) -> [ContainerPath: DataProtection] {
    classes.reduce(into: [:]) { copies, entry in
      if let path = entry.key.moved(from: source, to: target) { copies[path] = entry.value }
    }
  }
}
