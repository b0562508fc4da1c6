import BackupApp
import BackupContainer
import BackupFileTree
import BackupScenarios
import Foundation
import Testing

extension ProcessHost {
  /// How an app is started: as processes wherever that is possible.
  static func host(
    for app: (some AppUnderTest).Type, timeLimit: Duration?, limit: ProcessLimit?,
    urgency: Int = .max, at sourceLocation: SourceLocation
  ) async throws(RunError) -> any AppHost {
    let guest = GuestHost(app.actions) {
      try await app.launch($0)
    } check: { launch in
      try await AppServer.reply { try await app.check(launch) }.requireCheck()
    }
    let environment = TestProcess.current.environment
    guard !AppVariables.isSet(AppVariables.inProcess, in: environment) else { return guest }
    guard AppRecipe.canBeLearned, Test.current != nil else {
      warnOfGuest(at: sourceLocation)
      return guest
    }
    let type = try name(of: app)
    guard AppRecipe.lack == 0 else {
      throw RunError(
        .appEnded,
        "the app cannot be run as a process: \(MachineFault.words(forStarting: AppRecipe.lack))")
    }
    guard let recipe = await AppRecipe.known.value else {
      throw RunError(
        .invalidApp,
        "the app cannot be run as a process: the test library's own one did not say how it was "
          + "started. \(AppVariables.inProcess)=1 runs the app in the test's process")
    }
    return ProcessHost(
      actions: app.actions, recipe: recipe, type: type, timeLimit: timeLimit,
      sourceLocation: sourceLocation, limit: limit, urgency: urgency)
  }

  /// The name by which the app's process finds the type.
  private static func name(of app: any AppUnderTest.Type) throws(RunError) -> String {
    if let name = _mangledTypeName(app), _typeByName(name) == app { return name }
    throw RunError(
      .invalidApp,
      "the app's process would not find the type \(app); declare it internal or public, and not in "
        + "a function")
  }

  /// Says once for each process that the app runs in it.
  private static func warnOfGuest(at sourceLocation: SourceLocation) {
    let isFirst = TestProcess.current.isGuestKnown.withLock { isKnown in
      defer { isKnown = true }
      return !isKnown
    }
    guard isFirst else { return }
    TestIssue.record(
      "the app runs in the test's process here, which is no test of Swift Testing's on macOS or "
        + "Linux: its statics outlive a launch, and code that asks Foundation for its home gets "
        + "another than the container. \(AppVariables.inProcess)=1 says that this is wanted",
      isFailure: false, at: sourceLocation)
  }
}
