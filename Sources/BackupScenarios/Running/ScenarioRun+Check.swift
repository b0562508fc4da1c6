import BackupApp
import BackupContainer
import BackupDevice
import BackupFileTree

/// A check of the app's own that is due, on a copy of the container.
struct DueCheck: Sendable {
  let launch: AppLaunch
  let container: FakeContainer
  /// What the system did before, in words.
  let cause: String

  /// Runs the check, and returns that it failed, if it did.
  func failure(on host: any AppHost) async -> Transcript.Event? {
    do {
      try await container.running { try await host.check(launch, in: container) }
      return nil
    } catch let end as AppFailure {
      return .checkFailed(container.namingItems(in: end.description), after: cause, nil)
    } catch {
      let thrown = ThrownError(error)
      return .checkFailed(
        container.namingItems(in: thrown.message), after: cause,
        thrown.cause.paths.lazy.compactMap(container.containerPath).first)
    }
  }
}

extension ScenarioRun {
  /// Notes something after which the app's own check runs, once the app has started.
  mutating func noteEventToCheck(_ words: String) {
    eventToCheck = "\(words) at \(currentStep)"
    state.app.isUnchecked = true
  }

  /// Runs the app's own check after a start, if one is due, and records that it failed.
  mutating func checkApp() async throws(StepFailure) {
    guard let check = try takeDueCheck(on: host) else { return }
    let start = tally.now
    defer { tally.exempting(start) }
    if let failure = await check.failure(on: host) { record(failure) }
  }

  /// The check that is due after a start; nil if none is.
  mutating func takeDueCheck(on host: any AppHost) throws(StepFailure) -> DueCheck? {
    guard state.app.isUnchecked else { return nil }
    state.app.isUnchecked = false
    guard host.mayCheck, let container = disk.container else { return nil }
    let found = try launch()
    let copy = try onDisk(try container.copied())
    try onDisk(try copy.adopt(profile))
    let launch = AppLaunch(
      bundleIdentifier: found.bundleIdentifier, container: copy.locations, system: found.system,
      appVersion: found.appVersion, launchCount: found.launchCount, keychain: found.keychain)
    return DueCheck(launch: launch, container: copy, cause: eventToCheck)
  }
}

extension Transcript.Event {
  /// What the system did, or that the app was killed; nil for anything after which no check runs.
  var wordsBeforeCheck: String? {
    switch self {
    case .purge(let pressure, taken: _): "the purge '\(pressure)'"
    case .appUpdate(version: let version, lost: _): "the update of the app to \(version)"
    case .systemUpdate(let version): "the update to iOS \(version)"
    case .restore(let backup, missing: _): "the restore of \"\(backup.label)\""
    case .offload: "the offload"
    case .reinstall: "the reinstallation"
    case .killed(let kill): "the kill before it \(kill.point.inPast)"
    default: nil
    }
  }
}
