import BackupApp
import BackupContainer
import BackupDiagnostics
import BackupJSON5

extension ContainerSession {
  /// Ends the app that runs, if one does, and starts it again, or an extension of it; it ends with
  /// the session at the latest.
  package func launch(
    _ host: any AppHost, extension identifier: String? = nil, at site: CallSite
  ) async throws -> any RunningApp {
    let start = try act("launch", at: site) { device throws(RunError) in
      try device.countLaunch(of: identifier)
    }
    let number = start.launch.launchCount
    // Not before what it does at each start: between the two another launch would end it.
    defer { state.withLock { $0.changeRun { $0.endStarting(identifier, ofLaunch: number) } } }
    let app: any RunningApp
    do throws(AppFailure) {
      app = try await host.start(start.launch, in: start.container)
    } catch {
      throw RunError(.appEnded, error.description)
    }
    try keep(app, ofLaunch: number, of: identifier)
    guard host.runsCodeAtLaunch else { return app }
    try await reportingEarlyEnd {
      try await perform(
        "launch", probing: true, in: identifier, watchingHome: host.runsInProcess, isOfStart: true,
        at: site
      ) {
        try await app.launch(start.launch)
      }
    }
    if identifier == nil { try await checkApp(on: host) }
    return app
  }

  /// Runs the app's own check after a start, if one is due.
  private func checkApp(on host: any AppHost) async throws {
    let check = try state.withLock { state throws(RunError) -> DueCheck? in
      var due: DueCheck?
      try state.changeRun { run throws(RunError) in
        due = try RunError.rethrowing { () throws(StepFailure) in try run.takeDueCheck(on: host) }
      }
      return due
    }
    guard let check else { return }
    do throws(StepFailure) {
      guard let failure = try await check() else { return }
      state.withLock { $0.changeRun { $0.record(failure) } }
    } catch {
      throw RunError(.containerUnavailable, error.description, from: error.cause)
    }
  }

  /// Keeps an app that was started; one that was ended meanwhile is ended now, and says so.
  private func keep(
    _ app: any RunningApp, ofLaunch number: Int, of identifier: String?
  ) throws(RunError) {
    let isKept = state.withLock { state in
      var isKept = false
      state.changeRun { isKept = $0.keep(app, ofLaunch: number, of: identifier) }
      return isKept
    }
    guard !isKept else { return }
    app.end()
    throw RunError(
      .appEnded,
      "another call ended the app while it was starting, such as a kill or a purge; wait for each "
        + "'launch' before the test's next call")
  }

  /// Runs a bound action in the app, or in an extension, with the text of a JSON object as its
  /// arguments.
  package func perform(
    _ name: String, with arguments: [UInt8], in app: any RunningApp, of host: any AppHost,
    extension identifier: String? = nil, at site: CallSite
  ) async throws {
    let arguments = try ActionArguments(json: arguments, of: name)
    guard let binding = host.actions.bindings[name] else {
      throw RunError(
        .invalidApp, arguments.messageOnUnbound(name, bound: host.actions.names))
    }
    guard !app.hasEnded else {
      throw RunError(
        .appEnded,
        "the app has ended since it was launched; launch it again before it performs '\(name)'")
    }
    try await reportingEarlyEnd {
      try await perform(
        name, probing: binding.probesMarks, in: identifier, watchingHome: host.runsInProcess,
        at: site
      ) {
        let launch = try state.withLock { try $0.run.launch(of: identifier) }
        try await app.perform(ActionCall(name, arguments, in: launch))
      }
    }
  }

  /// Ends the app that runs, if one does.
  package func killApp(at site: CallSite) throws(RunError) {
    try act("kill the app", at: site) { device throws(RunError) in device.run.endApp() }
  }

  /// Ends the app, whatever it does: its test has ended.
  package func endApp() {
    state.withLock { $0.changeRun { $0.endApp() } }
  }

  /// Does something; an app that has ended before its code did is an error of the session.
  private func reportingEarlyEnd(_ work: () async throws -> Void) async throws {
    do {
      try await work()
    } catch let failure as AppFailure {
      throw RunError(.appEnded, failure.description)
    }
  }
}

extension SessionDevice {
  /// Notes that the app is started, or an extension of it.
  fileprivate mutating func countLaunch(
    of identifier: String?
  ) throws(RunError) -> (launch: AppLaunch, container: FakeContainer) {
    guard !run.isStarting(identifier) else {
      throw RunError(
        .performing,
        "another 'launch' in this container has not finished; wait for each 'launch' before the "
          + "test's next call")
    }
    let container = try RunError.rethrowing { () throws(StepFailure) in try run.directory() }
    if let identifier {
      guard container.url(ofExtension: identifier) != nil else {
        throw RunError(
          .invalidApp,
          "the app has no extension '\(identifier.shown)'; add it when the container is created: "
            + "extensions: [\"\(identifier.shown)\"]")
      }
      run.countLaunch(of: identifier)
    } else {
      run.countLaunch()
    }
    let launch = try RunError.rethrowing { () throws(StepFailure) in
      try run.launch(of: identifier)
    }
    return (launch, container)
  }
}

extension ActionArguments {
  /// The arguments of an action, by the text of a JSON object.
  ///
  /// - Throws: ``RunError`` if the text is not a JSON object.
  fileprivate init(json: [UInt8], of action: String) throws(RunError) {
    guard case .object(let members)? = (try? JSON5Reader.read(json))?.kind else {
      throw RunError(
        .invalidApp,
        "the arguments of the action '\(action)' are not an object of names and values; pass an "
          + "object, such as [\"id\": 7]")
    }
    self.init(members, of: action)
  }
}
