#if os(macOS) || os(Linux)
import BackupContainer
import BackupDevice
import Foundation
import Testing

@testable import BackupApp
@testable import BackupExploration
@testable import BackupScenarios
@testable import BackupTesting

/// An app that does nothing.
enum IdleApp: AppUnderTest {
  static let actions: AppActions = ["nothing": { _ in }]
}

private let variable = ProcessInfo.processInfo.environment["BACKUP_TESTING_APP_BENCHMARK"]

/// What a process of the app's costs, without the looks: `Tests/Scripts/app-benchmark`.
///
/// The variable says which calls the script counts, `50 actions`, `2 launches` or `2 explorations`; or it is `time`.
@Suite(.enabled(if: variable != nil))
struct AppCostTests {
  /// How often a launch is measured, how often many actions are, and how many.
  private static let launches = 20, rounds = 5, actions = 100
  /// The most that may be taken of a processor by each further action, and by finding out that an
  /// app is quiet, which is in both; in launches with one action and a kill.
  private static let actionLimit = 0.12, quietLimit = 0.03
  /// The most that a trace of exploration may take, which launches the app three times or so.
  private static let traceLimit = 4.5

  /// The time that this process and those that it has reaped have had of a processor, in
  /// milliseconds.
  private static var now: Double { time(of: 0) + time(of: -1) }

  /// The time in user and system mode. RUSAGE_SELF and RUSAGE_CHILDREN have another type on Linux
  /// than the call takes.
  private static func time(of who: Int32) -> Double {
    var usage = rusage()
    getrusage(who, &usage)
    let seconds = Int(usage.ru_utime.tv_sec) + Int(usage.ru_stime.tv_sec)
    let microseconds = Int(usage.ru_utime.tv_usec) + Int(usage.ru_stime.tv_usec)
    return Double(seconds) * 1000 + Double(microseconds) / 1000
  }

  /// Launches the app, has it perform so often, and kills it; returns what that took.
  private static func measure(
    actions count: Int, of host: any AppHost, _ launch: AppLaunch, in container: FakeContainer
  ) async throws -> Double {
    let start = now
    let app = try await host.start(launch, in: container)
    try await app.launch(launch)
    for _ in 0..<count {
      let arguments = ActionArguments(members: [], action: "nothing")
      try await app.perform(ActionCall(name: "nothing", launch: launch, arguments: arguments))
    }
    app.end()
    return now - start
  }

  /// Finds out so often that an app is quiet; returns what that took each time.
  private static func measureQuiet(
    times count: Int, of host: any AppHost, _ launch: AppLaunch, in container: FakeContainer
  ) async throws -> Double {
    let app = try #require(try await host.start(launch, in: container) as? ProcessApp)
    let start = now
    for _ in 0..<count { #expect(await app.process.waitUntilQuiet() == .quiet) }
    let cost = (now - start) / Double(count)
    app.end()
    return cost
  }

  /// Explores a scenario of the app's code; returns what each trace took.
  private static func measureTrace() async throws -> Double {
    let story = try await AppStory(
      FolderApp.self, ExploredAppTests.downloads(by: "always"), head: ExploredAppTests.head)
    let start = now
    let traces = await story.explored().counts.traces
    let cost = (now - start) / Double(traces)
    print("traces: \(traces)")
    return cost
  }

  @Test(.container) func `an action takes no more of a launch than it may`() async throws {
    let container = try FakeContainer.current
    let host = try await ProcessHost.host(
      for: IdleApp.self, timeLimit: nil, limit: nil, at: #_sourceLocation)
    let launch = AppLaunch(
      bundleIdentifier: "com.example.idle", container: container.locations,
      system: try #require(SystemVersion("26")), appVersion: "1", launchCount: 1, keychain: .kept)
    let words = variable?.split(separator: " ") ?? []
    if words.count == 2, let count = Int(words[0]) {
      if words[1] == "explorations" {
        for _ in 0..<count { _ = try await Self.measureTrace() }
        return
      }
      let isOfActions = words[1] == "actions"
      for _ in 0..<(isOfActions ? 1 : count) {
        _ = try await Self.measure(
          actions: isOfActions ? count : 1, of: host, launch, in: container)
      }
      return
    }
    var (least, action) = (Double.infinity, Double.infinity)
    for _ in 0..<Self.launches {
      least = min(least, try await Self.measure(actions: 1, of: host, launch, in: container))
    }
    for _ in 0..<Self.rounds {
      let many = try await Self.measure(actions: Self.actions + 1, of: host, launch, in: container)
      action = min(action, (many - least) / Double(Self.actions))
    }
    var quiet = Double.infinity
    for _ in 0..<Self.rounds {
      let cost = try await Self.measureQuiet(times: Self.actions, of: host, launch, in: container)
      quiet = min(quiet, cost)
    }
    var trace = Double.infinity
    for _ in 0..<Self.rounds { trace = min(trace, try await Self.measureTrace()) }
    print(String(format: "launch, action, kill: %.2f ms", least))
    for (name, cost, limit) in [
      ("further action", action, Self.actionLimit), ("quiet", quiet, Self.quietLimit),
      ("trace", trace, Self.traceLimit),
    ] {
      print(
        String(
          format: "%@: %.2f ms, %.3f launches, at most %.2f", name, cost, cost / least, limit))
      #expect(cost / least <= limit)
    }
  }
}
#endif
