#if os(macOS) || os(Linux)
import Foundation

@testable import BackupApp
@testable import BackupContainer
@testable import BackupScenarios
@testable import BackupTesting

/// Starts an app that kills itself before one of the changes that it makes.
final class KillingHost: AppHost {
  /// Starts an app that lives.
  private let host: ProcessHost
  /// The number of the change; nil for an app that lives.
  private let number = Locked<Int?>(nil)
  /// The container in which the app was started last.
  private let latest = Locked<FakeContainer?>(nil)

  var actions: AppActions { host.actions }
  var runsCodeAtLaunch: Bool { host.runsCodeAtLaunch }
  var runsInTestProcess: Bool { host.runsInTestProcess }

  /// An app that is started as a host does.
  init(_ host: ProcessHost) {
    self.host = host
  }

  /// The container in which the app was started last.
  var container: FakeContainer? { latest.withLock { $0 } }

  /// Does something with apps that kill themselves before a change of a number, from 1 on.
  func killing<Result>(
    before change: Int, _ work: () async throws -> Result
  ) async rethrows -> Result {
    number.withLock { $0 = change }
    defer { number.withLock { $0 = nil } }
    return try await work()
  }

  func start(
    _ launch: AppLaunch, in container: FakeContainer
  ) async throws(AppFailure) -> any RunningApp {
    latest.withLock { $0 = container }
    guard let number = number.withLock({ $0 }) else {
      return try await host.start(launch, in: container)
    }
    let recipe = AppRecipe(
      executable: host.recipe.executable, arguments: host.recipe.arguments,
      environment: host.recipe.environment + [Data("BACKUP_TESTING_TAP_KILL=\(number)".utf8)])
    let killing = ProcessHost(
      actions: host.actions, recipe: recipe, type: host.type, timeLimit: host.timeLimit,
      sourceLocation: host.sourceLocation, limit: host.limit)
    return try await killing.start(launch, in: container)
  }
}
#endif
