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

private let requestedBenchmark = ProcessInfo.processInfo.environment["BACKUP_TESTING_APP_BENCHMARK"]

/// Measures the CPU time of an app's process, without the kit's scans of the container.
///
/// Only `Tests/Scripts/app-benchmark` runs this test. It sets the variable to `time`, or to the
/// work whose system calls the script counts, for example `50 actions`, `2 launches` or
/// `2 explorations`.
@Suite(.enabled(if: requestedBenchmark != nil))
struct AppCostTests {
  /// The number of measured launches, of rounds with many actions, and of actions in a round.
  private static let launches = 20, rounds = 5, actions = 100
  /// The highest CPU time of a further action, and of the check that an app is quiet.
  ///
  /// The unit is the CPU time of a launch with one action and a kill.
  private static let actionLimit = 0.12, quietLimit = 0.03
  /// The highest CPU time of a trace of exploration, in the same unit. A trace launches the app some
  /// three times.
  private static let traceLimit = 4.5

  /// The CPU time of this process and its reaped children, in milliseconds.
  private static var cpuTime: Double { time(of: 0) + time(of: -1) }

  /// The CPU time in user and system mode, in milliseconds.
  ///
  /// `who` is the value of RUSAGE_SELF or RUSAGE_CHILDREN, because on Linux, these constants do not
  /// have the type of the parameter.
  private static func time(of who: Int32) -> Double {
    var usage = rusage()
    getrusage(who, &usage)
    let seconds = Int(usage.ru_utime.tv_sec) + Int(usage.ru_stime.tv_sec)
    let microseconds = Int(usage.ru_utime.tv_usec) + Int(usage.ru_stime.tv_usec)
    return Double(seconds) * 1000 + Double(microseconds) / 1000
  }

  /// Launches the app, performs an action `count` times, and kills the app. Returns the CPU time.
  private static func measure(
    actions count: Int, of host: any AppHost, _ launch: AppLaunch, in container: FakeContainer
  ) async throws -> Double {
    let start = cpuTime
    let app = try await host.start(launch, in: container)
    try await app.launch(launch)
    for _ in 0..<count {
      let arguments = ActionArguments(members: [], actionName: "nothing")
      try await app.perform(ActionCall(name: "nothing", launch: launch, arguments: arguments))
    }
    app.end()
    return cpuTime - start
  }

  /// Checks `count` times that an app is quiet. Returns the CPU time of one check.
  private static func measureQuiet(
    times count: Int, of host: any AppHost, _ launch: AppLaunch, in container: FakeContainer
  ) async throws -> Double {
    let app = try #require(try await host.start(launch, in: container) as? ProcessApp)
    let start = cpuTime
    for _ in 0..<count { #expect(await app.process.waitUntilQuiet() == .quiet) }
    let cost = (cpuTime - start) / Double(count)
    app.end()
    return cost
  }

  /// Explores a scenario of an app's code. Returns the CPU time of a trace, and prints the number
  /// of traces for the script.
  private static func measureTrace() async throws -> Double {
    let story = try await AppStory(
      FolderApp.self, (1...2).map { "{ perform: 'always', with: { id: '\($0)' } }" },
      head: "files: { 'Library/**': 'offline' },")
    let start = cpuTime
    let traceCount = await story.explored().counts.traces
    let cost = (cpuTime - start) / Double(traceCount)
    print("traces: \(traceCount)")
    return cost
  }

  @Test(.container) func `actions, checks for quiet and traces stay within their limits`()
    async throws
  {
    let container = try FakeContainer.current
    let host = try await ProcessHost.host(
      for: IdleApp.self, timeLimit: nil, limit: nil, at: #_sourceLocation)
    let launch = AppLaunch(
      bundleIdentifier: "com.example.idle", container: container.locations,
      system: try #require(SystemVersion("26")), appVersion: "1", launchCount: 1, keychain: .kept)
    let words = requestedBenchmark?.split(separator: " ") ?? []
    if words.count == 2, let count = Int(words[0]) {
      if words[1] == "explorations" {
        for _ in 0..<count { _ = try await Self.measureTrace() }
        return
      }
      let isForActions = words[1] == "actions"
      for _ in 0..<(isForActions ? 1 : count) {
        _ = try await Self.measure(
          actions: isForActions ? count : 1, of: host, launch, in: container)
      }
      return
    }
    var (launchCost, actionCost) = (Double.infinity, Double.infinity)
    for _ in 0..<Self.launches {
      launchCost = min(
        launchCost, try await Self.measure(actions: 1, of: host, launch, in: container))
    }
    for _ in 0..<Self.rounds {
      let many = try await Self.measure(actions: Self.actions + 1, of: host, launch, in: container)
      actionCost = min(actionCost, (many - launchCost) / Double(Self.actions))
    }
    var quietCost = Double.infinity
    for _ in 0..<Self.rounds {
      let cost = try await Self.measureQuiet(times: Self.actions, of: host, launch, in: container)
      quietCost = min(quietCost, cost)
    }
    var traceCost = Double.infinity
    for _ in 0..<Self.rounds { traceCost = min(traceCost, try await Self.measureTrace()) }
    print(String(format: "launch, action, kill: %.2f ms", launchCost))
    for (name, cost, limit) in [
      ("further action", actionCost, Self.actionLimit), ("quiet", quietCost, Self.quietLimit),
      ("trace", traceCost, Self.traceLimit),
    ] {
      print(
        String(
          format: "%@: %.2f ms, %.3f launches, at most %.2f", name, cost, cost / launchCost, limit))
      #expect(cost / launchCost <= limit)
    }
  }
}
#endif
