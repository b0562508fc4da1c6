import BackupApp
import BackupContainer
import BackupDevice
import BackupDiagnostics
import BackupFileTree

/// The app's own check, which is due and runs on a copy of the container.
///
/// This is a struct and not a function: as a generic argument, a function type with a typed
/// `throws` needs the runtime of macOS 15 or iOS 18.
struct DueCheck: Sendable {
  /// Runs the check, and returns the event `checkPassed` or `checkFailed`; nil if the app has no
  /// check. Throws for a fault of the machine.
  let run: @Sendable () async throws(StepFailure) -> Transcript.Event?
}

extension ScenarioRun {
  /// Makes the app's own check due after the next launch. `eventPhrase` is the reason, such as
  /// `the kill`.
  mutating func scheduleCheck(after eventPhrase: String) {
    notes.uncheckedEvent = eventPhrase
    device.app.traits.insert(.checkIsDue)
  }

  /// Runs the app's own check at the end of a run, but only for an app that does nothing at a
  /// launch.
  ///
  /// Any other app may repair its files at the next launch, so its check runs only after a launch.
  mutating func checkAppAtEnd() async throws(StepFailure) {
    guard !launchRunsCode, scenario.launch.isEmpty, !device.app.isOffloaded else { return }
    try await checkApp()
  }

  /// Runs the app's own check, if one is due, and records its result.
  mutating func checkApp() async throws(StepFailure) {
    guard let check = try takeDueCheck(on: runner.host) else { return }
    if let outcome = try await check.run() { try record(outcome) }
  }

  /// Returns the app's own check, which is then no longer due. Returns nil if the check is not due,
  /// if the app has none, or if the run has no directory.
  mutating func takeDueCheck(on host: any AppHost) throws(StepFailure) -> DueCheck? {
    guard device.app.traits.remove(.checkIsDue) != nil else { return nil }
    guard host.mayHaveCheck, let container = disk.container else { return nil }
    let currentLaunch = try launchFacts()
    let containerCopy = try failingStepOnError(try container.copied())
    try failingStepOnError(try containerCopy.configure(profile))
    let launch = AppLaunch(
      bundleIdentifier: currentLaunch.bundleIdentifier, container: containerCopy.locations,
      system: currentLaunch.system,
      appVersion: currentLaunch.appVersion, launchCount: currentLaunch.launchCount,
      keychain: currentLaunch.keychain)
    return DueCheck { [cause = notes.uncheckedEvent ?? ""] () async throws(StepFailure) in
      do {
        try await containerCopy.runCode { try await host.check(launch, in: containerCopy) }
        return host.mayHaveCheck ? .checkPassed : nil
      } catch let failure as AppFailure {
        if failure.isMachineFault { throw StepFailure(starting: failure) }
        return .checkFailed(
          containerCopy.makingPathsRelative(in: failure.description), after: cause, nil)
      } catch {
        let thrownError = ThrownError(error)
        if let fault = thrownError.machineFault {
          throw StepFailure(
            "the app's own check threw: \(thrownError.message); \(fault)", .machineFault)
        }
        return .checkFailed(
          containerCopy.makingPathsRelative(in: thrownError.message), after: cause,
          thrownError.cause.paths.lazy.compactMap(containerCopy.containerPath).first)
      }
    }
  }

  /// Returns the contents of a file on the disk; empty if it does not exist.
  func bytes(of path: ContainerPath) throws(StepFailure) -> [UInt8] {
    try failingStepOnError(try disk.bytes(of: path, in: tree)) ?? []
  }

  /// Returns a file's size in the latest backup with a label; nil if the backup does not contain
  /// the file.
  func size(of path: ContainerPath, inBackup label: String) throws(StepFailure) -> Int64? {
    let backup = try storedBackup(label)
    return backup.backupSet.contains(path) ? backup.containers.tree[path]?.size : nil
  }

  /// Returns the offset of the first byte in which a file differs from the latest backup with a
  /// label; nil if the file does not differ.
  func firstDifference(
    of path: ContainerPath, fromBackup label: String
  ) throws(StepFailure) -> Int64? {
    if let archive = archives[label]?.files, let container = disk.container {
      return try failingStepOnError(try container.offsetOfFirstDifference(of: path, from: archive))
    }
    guard let formerTree = device.backups[label]?.containers.tree,
      tree.fileInformation(at: path)?.checksum != formerTree.fileInformation(at: path)?.checksum
    else { return nil }
    let bytes = try failingStepOnError(try disk.bytes(of: path, in: tree)) ?? []
    let formerBytes = try failingStepOnError(try disk.bytes(of: path, in: formerTree)) ?? []
    let equalCount = zip(bytes, formerBytes).prefix { $0 == $1 }.count
    return Int64(equalCount)
  }
}

extension Transcript.Event {
  /// The event as a phrase, if it makes the app's own check due; nil for any other event.
  var phraseBeforeCheck: String? {
    switch self {
    case .system(let event, lost: _): event.nounPhrase
    case .killed(let kill):
      kill.point.isStorageFull
        ? "the full storage when the app \(kill.point.pastTense)"
        : "the kill before it \(kill.point.pastTense)"
    default: nil
    }
  }
}
