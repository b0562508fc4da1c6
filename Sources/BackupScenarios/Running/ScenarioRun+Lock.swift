import BackupDevice
import BackupFileTree

extension ScenarioRun {
  /// Locks, unlocks or restarts the device. If the device stays locked after a restart, iOS
  /// launches the app in the background. At an unlock, the app performs the launch steps that
  /// waited for it.
  mutating func changeLock(_ lockChange: Transcript.SystemEvent.LockChange)
    async throws(StepFailure)
  {
    if lockChange.restartsDevice {
      endApp()
      scheduleCheck(after: "the restart")
    }
    if lockChange.resultingLock != .unlocked, launchRunsCode || !scenario.stepsRunningCode.isEmpty {
      transcript.doubts.append(
        Transcript.Doubt(
          step: currentStep,
          message:
            "the app's own code can read all files here, because the kit locks them only for "
            + "simulated steps"))
    }
    try record(.system(.lock(lockChange)), tree: try currentTree())
    if lockChange == .lockedRestart, !device.app.isOffloaded { try await startApp() }
    if lockChange == .unlock, device.app.traits.remove(.waitsForUnlock) != nil {
      for step in scenario.launch where step.ifLocked == .wait { try await run(step) }
    }
  }

  /// Returns true for a file that the app cannot read now, because the device is locked.
  func isLocked(_ path: ContainerPath) throws(StepFailure) -> Bool {
    guard device.lockState != .unlocked, try currentTree()[path]?.size != nil else { return false }
    guard !device.protectedFiles.isCreatedWhileLocked(path) else { return false }
    let protection = device.protectedFiles[path] ?? profile.lock.defaultProtection.value
    return !protection.permitsReading(while: device.lockState)
  }

  /// Throws the failure of a step in which the app reads a locked file without a check.
  mutating func failOnLockedFile(_ path: ContainerPath) throws(StepFailure) {
    try record(.readLocked(path))
    throw StepFailure(
      reportedByRule: FileOperation.Failure(
        .failed, path, underlying: "it cannot be opened before the device is unlocked"))
  }

  /// Returns a keychain item; nil if it does not exist, or if the device has not been unlocked
  /// since its restart.
  func keychainItem(named name: String) -> KeychainItem? {
    device.lockState == .neverUnlocked ? nil : device.keychain[name]
  }

  /// True if the app finds its user defaults empty, because the device has not been unlocked since
  /// its restart.
  var hidesUserDefaults: Bool {
    device.lockState == .neverUnlocked && profile.lock.hidesUserDefaults.value
  }
}

/// The files whose protection the app has chosen. A disk does not store the protection, so the kit
/// derives it from the steps.
struct ProtectedFiles: Hashable, Sendable {
  private var protections: [ContainerPath: DataProtection] = [:]
  /// The files that the app has created since the device was locked, and can read.
  private var filesCreatedWhileLocked: Set<ContainerPath> = []

  func isCreatedWhileLocked(_ path: ContainerPath) -> Bool {
    filesCreatedWhileLocked.contains(path)
  }

  subscript(path: ContainerPath) -> DataProtection? {
    get { protections[path] }
    set { protections[path] = newValue }
  }

  mutating func absorb(
    _ event: Transcript.Event, from treeBefore: FileTree, to tree: FileTree, under lock: DeviceLock
  ) {
    if case .changes(let changes) = event, lock != .unlocked {
      for change in changes {
        switch change {
        case .created(let path), .replaced(let path): filesCreatedWhileLocked.insert(path)
        case .moved(let source, to: let path), .copied(let source, to: let path):
          if filesCreatedWhileLocked.contains(source) { filesCreatedWhileLocked.insert(path) }
        case .savedInPlace, .removed, .marked, .cleared: break
        }
      }
    } else if lock == .unlocked, !filesCreatedWhileLocked.isEmpty {
      filesCreatedWhileLocked = []
    }
    guard !protections.isEmpty else { return }
    switch event {
    case .changes(let changes): for change in changes { absorb(change, from: treeBefore) }
    case .system: protections = protections.filter { tree.contains($0.key) }
    default: break
    }
  }

  private mutating func absorb(_ change: FileTree.Change, from treeBefore: FileTree) {
    switch change {
    case .created(let path), .replaced(let path), .removed(let path):
      for (path, _) in protectedFiles(at: path, in: treeBefore) { protections[path] = nil }
    case .moved(let source, to: let path):
      let movedFiles = protectedFiles(at: source, in: treeBefore)
      for (path, _) in movedFiles + protectedFiles(at: path, in: treeBefore) {
        protections[path] = nil
      }
      add(movedFiles, from: source, to: path)
    case .copied(let source, to: let path):
      add(protectedFiles(at: source, in: treeBefore), from: source, to: path)
    case .savedInPlace, .marked, .cleared: break
    }
  }

  /// Returns the protection of a file, or of all files in a directory.
  private func protectedFiles(
    at path: ContainerPath, in tree: FileTree
  ) -> [(path: ContainerPath, protection: DataProtection)] {
    guard tree[path]?.isDirectory == true else {
      return protections[path].map { [(path, $0)] } ?? []
    }
    return protections.filter { path.covers($0.key) }.map { ($0.key, $0.value) }
  }

  private mutating func add(
    _ files: [(path: ContainerPath, protection: DataProtection)], from source: ContainerPath,
    to target: ContainerPath
  ) {
    for (path, protection) in files {
      if let path = path.moved(from: source, to: target) { protections[path] = protection }
    }
  }
}
