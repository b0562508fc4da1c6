import BackupContainer
import BackupDevice
import Foundation
import Testing

@testable import BackupApp
@testable import BackupScenarios
@testable import BackupTesting

/// An app that does nothing.
enum IdleApp: AppUnderTest {
  static let actions: AppActions = ["nothing": { _ in }]
}

/// What a process of the app's costs, without the looks: `Tests/Scripts/app-benchmark`.
@Suite(.enabled(if: ProcessInfo.processInfo.environment["BACKUP_TESTING_APP_BENCHMARK"] != nil))
struct AppCostTests {
  /// How often a launch is measured, how often many actions are, and how many.
  private static let launches = 20, rounds = 5, actions = 100
  /// The most that may be taken of a processor, in milliseconds: by a launch with one action and a
  /// kill, by each further action, and by finding out that an app is quiet, which is in both.
  private static let launchLimit = 40.0, actionLimit = 1.0, quietLimit = 0.5

  /// What was taken of a processor, in milliseconds.
  private struct Cost {
    var own = 0.0
    var app = 0.0

    var sum: Double { own + app }

    /// What this process and those that it has reaped have taken so far.
    static var now: Cost {
      // RUSAGE_SELF and RUSAGE_CHILDREN, which on Linux have another type than the call takes.
      Cost(own: time(of: 0), app: time(of: -1))
    }

    /// The time in user and system mode.
    private static func time(of who: Int32) -> Double {
      var usage = rusage()
      getrusage(who, &usage)
      let seconds = Int(usage.ru_utime.tv_sec) + Int(usage.ru_stime.tv_sec)
      let microseconds = Int(usage.ru_utime.tv_usec) + Int(usage.ru_stime.tv_usec)
      return Double(seconds) * 1000 + Double(microseconds) / 1000
    }

    static func - (left: Cost, right: Cost) -> Cost {
      Cost(own: left.own - right.own, app: left.app - right.app)
    }

    static func / (cost: Cost, count: Int) -> Cost {
      Cost(own: cost.own / Double(count), app: cost.app / Double(count))
    }

    /// The line of a report.
    func line(_ name: String, limit: Double) -> String {
      name
        + String(
          format: ": %.2f ms, of which the app %.2f (limit %g)", sum, app, limit)
    }
  }

  /// Launches the app, has it perform so often, and kills it; returns what that took.
  private static func measure(
    actions count: Int, of host: any AppHost, _ launch: AppLaunch, in container: FakeContainer
  ) async throws -> Cost {
    let start = Cost.now
    let app = try await host.start(launch, in: container)
    try await app.launch(launch)
    for _ in 0..<count {
      try await app.perform(ActionCall("nothing", ActionArguments([], of: "nothing"), in: launch))
    }
    app.end()
    return .now - start
  }

  /// Finds out so often that an app is quiet; returns what that took each time.
  private static func measureQuiet(
    times count: Int, of host: any AppHost, _ launch: AppLaunch, in container: FakeContainer
  ) async throws -> Cost {
    let app = try #require(try await host.start(launch, in: container) as? ProcessApp)
    let start = Cost.now
    for _ in 0..<count { #expect(await app.process.waitUntilQuiet() == .quiet) }
    let cost = (Cost.now - start) / count
    app.end()
    return cost
  }

  @Test(.container) func `a launch, and an action, take no more than they may`() async throws {
    let container = try #require(FakeContainer.current)
    let host = try await ProcessHost.host(
      for: IdleApp.self, timeLimit: nil, limit: nil, at: #_sourceLocation)
    let launch = AppLaunch(
      bundleIdentifier: "com.example.idle", container: container.locations,
      system: try #require(SystemVersion("26")), appVersion: "1", launchCount: 1, keychain: .kept)
    var launches: [Cost] = []
    for _ in 0..<Self.launches {
      launches.append(try await Self.measure(actions: 1, of: host, launch, in: container))
    }
    var actions: [Cost] = []
    let least = try #require(launches.min { $0.sum < $1.sum })
    for _ in 0..<Self.rounds {
      let many = try await Self.measure(actions: Self.actions + 1, of: host, launch, in: container)
      actions.append((many - least) / Self.actions)
    }
    let action = try #require(actions.min { $0.sum < $1.sum })
    let quiet = try await Self.measureQuiet(times: Self.actions, of: host, launch, in: container)
    print(least.line("launch, action, kill", limit: Self.launchLimit))
    print(action.line("further action", limit: Self.actionLimit))
    print(quiet.line("quiet", limit: Self.quietLimit))
    #expect(least.sum <= Self.launchLimit && action.sum <= Self.actionLimit)
    #expect(quiet.sum <= Self.quietLimit)
  }
}
