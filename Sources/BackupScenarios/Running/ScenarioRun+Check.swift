import BackupApp
import BackupContainer
import BackupDevice
import BackupDiagnostics
import BackupFileTree

/// A check of the app's own that is due, on a copy of the container.
///
/// A struct, and not the function alone: as a generic argument, a function type with a typed `throws`
/// needs a runtime of macOS 15 or iOS 18.
struct DueCheck: Sendable {
  /// Returns that the check failed or passed; nil if the app has none. It throws if the machine lacks
  /// what the check takes.
  let run: @Sendable () async throws(StepFailure) -> Transcript.Event?
}

extension ScenarioRun {
  /// Notes something after which the app's own check runs, once the app has started.
  mutating func noteEventToCheck(_ words: String) {
    notes.eventToCheck = words
    device.app.traits.insert(.unchecked)
  }

  /// Runs the app's own check at the end of a run. An app that does something at its start puts things right there:
  /// it is asked after a start only.
  mutating func checkAppAtEnd() async throws(StepFailure) {
    guard !startRunsCode, scenario.launch.isEmpty, !device.app.isOffloaded else { return }
    try await checkApp()
  }

  /// Runs the app's own check, if one is due, and records what came of it.
  mutating func checkApp() async throws(StepFailure) {
    guard let check = try takeDueCheck(on: runner.host) else { return }
    if let outcome = try await check.run() { try record(outcome) }
  }

  /// The check that is due after a start; nil if none is.
  mutating func takeDueCheck(on host: any AppHost) throws(StepFailure) -> DueCheck? {
    guard device.app.traits.remove(.unchecked) != nil else { return nil }
    guard host.mayCheck, let container = disk.container else { return nil }
    let found = try launch()
    let copy = try onDisk(try container.copied())
    try onDisk(try copy.adopt(profile))
    let launch = AppLaunch(
      bundleIdentifier: found.bundleIdentifier, container: copy.locations, system: found.system,
      appVersion: found.appVersion, launchCount: found.launchCount, keychain: found.keychain)
    return DueCheck { [cause = notes.eventToCheck ?? ""] () async throws(StepFailure) in
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

  /// What a file on disk holds; empty if it does not exist.
  func bytes(of path: ContainerPath) throws(StepFailure) -> [UInt8] {
    try onDisk(try disk.bytes(of: path, in: tree)) ?? []
  }

  /// How many bytes a file had in the latest backup of a label; nil where that holds no such file.
  func size(of path: ContainerPath, inBackup label: String) throws(StepFailure) -> Int64? {
    let backup = try storedBackup(label)
    return backup.set.contains(path) ? backup.containers.tree[path]?.size : nil
  }

  /// Where a file first holds something else than in the latest backup of a label; nil for nowhere.
  func firstDifference(
    of path: ContainerPath, fromBackup label: String
  ) throws(StepFailure) -> Int64? {
    if let archive = archives[label]?.files, let container = disk.container {
      return try onDisk(try container.firstDifference(of: path, from: archive))
    }
    guard let former = device.backups[label]?.containers.tree,
      tree.file(at: path)?.contents != former.file(at: path)?.contents
    else { return nil }
    let now = try onDisk(try disk.bytes(of: path, in: tree)) ?? []
    let then = try onDisk(try disk.bytes(of: path, in: former)) ?? []
    let same = zip(now, then).prefix { $0 == $1 }.count
    return Int64(same)
  }
}

extension Transcript.Event {
  /// What the system did, or that the app was killed; nil for anything after which no check runs.
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
