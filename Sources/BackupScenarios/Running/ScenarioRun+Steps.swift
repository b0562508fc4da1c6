import BackupDevice
import BackupFileTree

extension ScenarioRun {
  /// Performs the action of a step, with the path of the container in place of `{container}`.
  mutating func carryOut(_ action: StepAction) async throws(StepFailure) {
    switch stepUses.deviceFacts.contains(.containerPath)
      ? action.replacingContainerPlaceholder(
        with: ModelDisk.containerPath(afterMoves: device.app.moveCount)) : action
    {
    case .app(let step): try carryOut(step)
    case .code(.perform(let name, with: let arguments)):
      try await performAction(name, with: arguments, in: currentExtension)
    case .code(.run(let words, timeLimit: let timeLimit)):
      try await runProcess(words, timeLimit: timeLimit)
    case .relaunch: try await relaunchApp()
    case .system(.lock(let change)): try await self.changeLock(change)
    case .system(let step): try carryOut(step)
    case .check(.file(let path, let contents)): try expectFile(path, contents)
    case .check(.files(let patterns)): try expectFiles(patterns)
    case .check(.backup(let patterns)): try expectBackup(patterns)
    }
  }

  mutating func carryOut(_ step: AppStep) throws(StepFailure) {
    switch step {
    case .change(let operation, let changeOptions): try change(operation, changeOptions)
    case .linkAbsolutely(let path, to: let destination):
      try performUnlessKilled(.link(path, destination: destination))
      try makeAbsolute(path, destination)
    case .read(let path, let ifMissing): try read(path, ifMissing: ifMissing)
    case .setDefaults(let defaults, let suite): try setDefaults(defaults, in: suite)
    case .readDefault(let key, let expected, let suite):
      try readDefault(key, expecting: expected, in: suite)
    case .setKeychainItem(let name, let item): try setKeychainItem(name, item)
    case .readKeychainItem(let name, let ifMissing, let expected):
      try readKeychainItem(name, ifMissing: ifMissing, expecting: expected)
    case .removeKeychainItem(let name): try removeKeychainItem(name)
    case .sealed(let step, with: let name): try carryOut(step, sealedWith: name)
    }
  }

  /// Performs a step of iOS, for a scenario file or for a call of a test.
  mutating func carryOut(_ step: SystemStep) throws(StepFailure) {
    switch step {
    case .backup(let label): try takeBackup(label)
    case .purge(let pressure): try purge(pressure)
    case .updateApp(let version, let keeping, let losing):
      try updateApp(to: version, keeping: keeping, losing: losing)
    case .updateSystem(let system): try updateSystem(to: system.profile)
    case .restore(let label, let destination): try restore(label, to: destination)
    case .restoreFolder(let folder, let destination): try restore(from: folder, to: destination)
    case .place(let contents, let path): try place(contents, at: path)
    case .offload: try offloadApp()
    case .reinstall: try reinstallApp()
    case .kill:
      endApp()
      scheduleCheck(after: "the kill")
    // `carryOut(_ action:)` performs a lock, because a restart of a locked device launches the app.
    case .lock: break
    }
  }
}
