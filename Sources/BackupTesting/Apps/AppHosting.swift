import BackupApp
import BackupContainer
import BackupDiagnostics
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
        "the app cannot run in its own process, because the kit does not know how the test's "
          + "process was started; set \(AppVariables.inProcess)=1 to run the app in the test's "
          + "process")
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
      "the app's process cannot find the type \(app); declare it internal or public, and outside "
        + "of functions")
  }

  /// Says once for each process that the app runs in it.
  private static func warnOfGuest(at sourceLocation: SourceLocation) {
    let isFirst = TestProcess.current.isGuestKnown.withLock { isKnown in
      defer { isKnown = true }
      return !isKnown
    }
    guard isFirst else { return }
    TestIssue.record(
      "the app would run in the test's process here, because only Swift Testing on macOS or Linux "
        + "can start it in its own: its static variables would outlive a launch, and Foundation "
        + "would return another home folder than the container. Set \(AppVariables.inProcess)=1 "
        + "to accept that",
      isFailure: false, at: sourceLocation)
  }
}
