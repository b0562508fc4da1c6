package import BackupApp
package import BackupContainer

/// The app's code as a guest in the test's own process, with the container as its task's.
package struct GuestHost: AppHost {
  package let actions: AppActions
  package var runsCodeAtLaunch: Bool { launchCode != nil }
  package var runsInProcess: Bool { true }
  /// What the app does at each start; nil for nothing.
  private let launchCode: (@Sendable (AppLaunch) async throws -> Void)?
  /// What it checks after a start; nil for nothing.
  private let checkCode: (@Sendable (AppLaunch) async throws -> Void)?
  private let hasNoCheck = Locked(false)
  package var mayCheck: Bool { checkCode != nil && !hasNoCheck.withLock { $0 } }

  package init(
    _ actions: AppActions, launch: (@Sendable (AppLaunch) async throws -> Void)? = nil,
    check: (@Sendable (AppLaunch) async throws -> Void)? = nil
  ) {
    self.actions = actions
    self.launchCode = launch
    self.checkCode = check
  }

  package func check(_ launch: AppLaunch, in container: FakeContainer) async throws {
    try await checkCode?(launch)
    if launch.isUnchecked.withLock({ $0 }) { hasNoCheck.withLock { $0 = true } }
  }

  package func start(
    _ launch: AppLaunch, in container: FakeContainer
  ) async throws(AppFailure) -> any RunningApp {
    GuestApp(actions: actions, launchCode: launchCode)
  }
}

/// A guest that was started, which means nothing: its statics are those of the test's process.
private final class GuestApp: RunningApp {
  private let actions: AppActions
  /// What it does at each start; nil for nothing.
  private let launchCode: (@Sendable (AppLaunch) async throws -> Void)?
  private let isEnded = Locked(false)

  init(actions: AppActions, launchCode: (@Sendable (AppLaunch) async throws -> Void)?) {
    self.actions = actions
    self.launchCode = launchCode
  }

  var hasEnded: Bool { isEnded.withLock { $0 } }

  func launch(_ launch: AppLaunch) async throws { try await launchCode?(launch) }

  func perform(_ call: ActionCall) async throws {
    try await actions.bindings[call.name]?.code(call)
  }

  func end() { isEnded.withLock { $0 = true } }
}
