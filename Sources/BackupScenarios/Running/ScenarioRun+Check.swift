import BackupApp
import BackupContainer
import BackupDevice
import BackupDiagnostics
import BackupFileTree

/// The app's own check, which is due, on a copy of the container.
///
/// As a generic argument, a function type with a typed `throws` needs a runtime of macOS 15 or iOS 18, so this is a
/// struct.
struct DueCheck: Sendable {
  /// Returns the event that the check failed or passed; nil if the app has no check. Throws for a fault of the
  /// machine.
  let run: @Sendable () async throws(StepFailure) -> Transcript.Event?
}

extension ScenarioRun {
  /// Makes the app's own check due after the next start, because of an event in words.
  mutating func scheduleCheck(after words: String) {
    notes.uncheckedEvent = words
    device.app.traits.insert(.unchecked)
  }

  /// Runs the app's own check at the end of a run if the app does nothing at its start. Another app may repair its
  /// files at the next start, so its check runs only after a start.
  mutating func checkAppAtEnd() async throws(StepFailure) {
    guard !startRunsCode, scenario.launch.isEmpty, !device.app.isOffloaded else { return }
    try await checkApp()
  }

  /// Runs the app's own check, if one is due, and records its result.
  mutating func checkApp() async throws(StepFailure) {
    guard let check = try takeDueCheck(on: runner.host) else { return }
    if let outcome = try await check.run() { try record(outcome) }
  }

  /// Returns the due check, which is no longer due then; nil for none.
  mutating func takeDueCheck(on host: any AppHost) throws(StepFailure) -> DueCheck? {
    guard device.app.traits.remove(.unchecked) != nil else { return nil }
    guard host.mayCheck, let container = disk.container else { return nil }
    let found = try launchFacts()
    let copy = try failingStep(try container.copied())
    try failingStep(try copy.adopt(profile))
    let launch = AppLaunch(
      bundleIdentifier: found.bundleIdentifier, container: copy.locations, system: found.system,
      appVersion: found.appVersion, launchCount: found.launchCount, keychain: found.keychain)
    return DueCheck { [cause = notes.uncheckedEvent ?? ""] () async throws(StepFailure) in
      do {
        try await copy.running { try await host.check(launch, in: copy) }
        return host.mayCheck ? .checkPassed : nil
      } catch let end as AppFailure {
        if end.isMachineFault { throw StepFailure(starting: end) }
        return .checkFailed(copy.namingItems(in: end.description), after: cause, nil)
      } catch {
        let thrown = ThrownError(error)
        if let fault = thrown.machineFault {
          throw StepFailure(
            "the app's own check threw: \(thrown.message); \(fault)", .machineFault)
        }
        return .checkFailed(
          copy.namingItems(in: thrown.message), after: cause,
          thrown.cause.paths.lazy.compactMap(copy.containerPath).first)
      }
    }
  }

  /// Returns the contents of a file on the disk; empty if it does not exist.
  func bytes(of path: ContainerPath) throws(StepFailure) -> [UInt8] {
    try failingStep(try disk.bytes(of: path, in: tree)) ?? []
  }

  /// Returns a file's size in the latest backup of a label; nil if the backup does not contain the file.
  func size(of path: ContainerPath, inBackup label: String) throws(StepFailure) -> Int64? {
    let backup = try storedBackup(label)
    return backup.set.contains(path) ? backup.containers.tree[path]?.size : nil
  }

  /// Returns the offset of a file's first difference from the latest backup of a label; nil for none.
  func firstDifference(
    of path: ContainerPath, fromBackup label: String
  ) throws(StepFailure) -> Int64? {
    if let archive = archives[label]?.files, let container = disk.container {
      return try failingStep(try container.firstDifference(of: path, from: archive))
    }
    guard let former = device.backups[label]?.containers.tree,
      tree.file(at: path)?.contents != former.file(at: path)?.contents
    else { return nil }
    let now = try failingStep(try disk.bytes(of: path, in: tree)) ?? []
    let then = try failingStep(try disk.bytes(of: path, in: former)) ?? []
    let same = zip(now, then).prefix { $0 == $1 }.count
    return Int64(same)
  }
}

extension Transcript.Event {
  /// The event in words if it makes the app's own check due; nil for any other event.
  var wordsBeforeCheck: String? {
    switch self {
    case .system(let event, lost: _): event.phrase
    case .killed(let kill):
      kill.point.isStorageFull
        ? "the full storage when the app \(kill.point.pastTense)"
        : "the kill before it \(kill.point.pastTense)"
    default: nil
    }
  }
}
