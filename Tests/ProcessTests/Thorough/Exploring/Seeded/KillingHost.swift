#if os(macOS) || os(Linux)
import Foundation

@testable import BackupApp
@testable import BackupContainer
@testable import BackupScenarios
@testable import BackupTesting

/// Starts an app that kills itself before one of its changes of files.
final class KillingHost: AppHost {
  /// The host that starts the app.
  private let host: ProcessHost
  /// The number of the change before which the app kills itself; nil for no kill.
  private let changeNumber = Locked<Int?>(nil)
  private let latestContainer = Locked<FakeContainer?>(nil)

  var actions: AppActions { host.actions }
  var runsCodeAtLaunch: Bool { host.runsCodeAtLaunch }
  var runsInTestProcess: Bool { host.runsInTestProcess }

  init(_ host: ProcessHost) {
    self.host = host
  }

  /// The container of the app's last start.
  var container: FakeContainer? { latestContainer.withLock { $0 } }

  /// Calls a closure while apps kill themselves before a change. The first change has the number 1.
  func killing<Result>(
    before change: Int, _ body: () async throws -> Result
  ) async rethrows -> Result {
    changeNumber.withLock { $0 = change }
    defer { changeNumber.withLock { $0 = nil } }
    return try await body()
  }

  func start(
    _ launch: AppLaunch, in container: FakeContainer
  ) async throws(AppFailure) -> any RunningApp {
    latestContainer.withLock { $0 = container }
    guard let change = changeNumber.withLock({ $0 }) else {
      return try await host.start(launch, in: container)
    }
    let recipe = AppRecipe(
      executable: host.recipe.executable, arguments: host.recipe.arguments,
      environment: host.recipe.environment + [Data("BACKUP_TESTING_TAP_KILL=\(change)".utf8)])
    let killingHost = ProcessHost(
      actions: host.actions, recipe: recipe, typeName: host.typeName, timeLimit: host.timeLimit,
      sourceLocation: host.sourceLocation, processLimit: host.processLimit)
    return try await killingHost.start(launch, in: container)
  }
}
#endif
