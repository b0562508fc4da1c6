import BackupApp
import BackupContainer
import BackupFileTree
import BackupScenarios
import BackupVerdicts
import CBackupProcess
import Foundation
import Testing

/// The kit's code in the app's process. It runs the app's code when the test's process asks for it.
enum AppServer {
  /// Runs the app if the environment names the app's type. Otherwise, prints how this process was
  /// started (``AppRecipe``).
  ///
  /// Swift Testing calls this function in a new process.
  static func begin() async {
    guard let typeName = AppVariables.value(of: AppVariables.type) else {
      // If the line is empty, the test's process reports that it cannot start the app.
      let line = AppRecipe.ofThisProcess()?.outputLine ?? ""
      try? FileHandle.standardOutput.write(contentsOf: Data(line.utf8))
      return
    }
    // Once the channel is open, this process ends with the test, even while it waits for a
    // debugger.
    let channel = AppChannel.ofThisProcess()
    if AppVariables.value(of: AppVariables.waitForDebugger)?.isEmpty == false {
      raise(SIGSTOP)
    }
    await serve(typeName, by: channel)
  }

  private static func serve(_ typeName: String, by channel: AppChannel) async {
    let (requests, continuation) = AsyncStream.makeStream(of: Data.self)
    let threadError = startThread {
      // The loop ends when the test closes the connection. The process then has no more work.
      while let request = try? channel.receive() { continuation.yield(request) }
      _exit(AppChannel.connectionLossStatus)
    }
    let app = _typeByName(typeName) as? any AppUnderTest.Type
    var greeting = AppReply()
    greeting.processName = ProcessInfo.processInfo.processName
    greeting.bundleName = Bundle.main.bundleURL.lastPathComponent
    if app == nil {
      greeting.refusal =
        "the app's process has no type \(typeName); build the test and the app's process from the "
        + "same sources"
    }
    if threadError != 0 { greeting.refusal = MachineFault.words(forFailedStart: threadError) }
    send(greeting, to: 0, by: channel)
    guard let app, threadError == 0 else { return }
    cpr_note_throws()
    // On iOS, a system process keeps a value of the user defaults as soon as the app sets it, even
    // if the app is then killed. So this process stores the values before each change of a file.
    cpr_call_before_changes { UserDefaults.standard.synchronize() }
    for await data in requests {
      let request = AppMessage<AppRequest>(data)
      await forgetResourceValues()
      let reply = await answer(to: request?.content, for: app)
      flush()
      send(reply, to: request?.number ?? 0, by: channel)
    }
  }

  /// Empties the caches in which the app's URLs keep the marks that they have read.
  ///
  /// Apple's Foundation empties these caches each time the main run loop runs
  /// (`URL.removeAllCachedResourceValues()`). In an app, this loop runs between two events. In this
  /// process, only this method runs the loop.
  private static func forgetResourceValues() async {
    guard FoundationMarks.usesAppleFoundation else { return }
    await MainActor.run { _ = RunLoop.main.run(mode: .default, before: Date()) }
  }

  private static func answer(
    to request: AppRequest?, for app: any AppUnderTest.Type
  ) async -> AppReply {
    switch request {
    case .launch(let launch):
      var reply = await reply { try await app.launch(launch) }
      if launch.usesDefaultLaunch.withLock({ $0 }) { reply.missingCode = .launch }
      return reply
    case .perform(let call):
      guard let code = app.actions.bindings[call.name]?.code else {
        return AppReply(
          refusal:
            "the app's process has no action '\(call.name)', but the test's process does; bind "
            + "the same actions in both")
      }
      var reply = await reply { try await code(call) }
      reply.asked = call.requestedArgumentNames.sorted()
      return reply
    case .check(let launch):
      var reply = await reply { try await app.check(launch) }
      if launch.usesDefaultCheck.withLock({ $0 }) { reply.missingCode = .check }
      return reply
    case .flush: return AppReply()
    case nil:
      return AppReply(
        refusal:
          "the kit's request could not be read; this is a bug in the kit, please report it")
    }
  }

  /// Runs code of the app. The reply has the error that the code threw, and the issues that the
  /// code recorded.
  static func reply(_ code: @Sendable () async throws -> Void) async -> AppReply {
    let thrownError = Locked<ActionCall.CodeError?>(nil)
    let issues = Locked<[AppReply.Issue]>([])
    await withKnownIssue(isIntermittent: true) {
      do {
        try await code()
      } catch {
        let error = ActionCall.CodeError(error)
        thrownError.withLock { $0 = error }
      }
    } matching: { issue in
      let recordedIssue = AppReply.Issue(issue)
      issues.withLock { $0.append(recordedIssue) }
      return true
    }
    var reply = AppReply()
    reply.thrown = thrownError.withLock { $0 }
    reply.issues = issues.withLock { $0 }
    if case .modules(let names) = FoundationMarks.visibleModules { reply.modulesWithShim = names }
    reply.sharedTemporaryFolder = sharedTemporaryFolder
    return reply
  }

  /// The folder in which Foundation stores temporary files; nil if that is `tmp` in the app's
  /// container.
  private static var sharedTemporaryFolder: String? {
    guard let container = AppVariables.ownContainer else { return nil }
    let folder = FileManager.default.temporaryDirectory.path
    let tmpInContainer = "\(container)/tmp"
    let isInContainer =
      folder == tmpInContainer
      || TextFile.realPath(of: folder) == TextFile.realPath(of: tmpInContainer)
    return isInContainer ? nil : folder
  }

  /// Writes data that would be lost if the process were killed now.
  ///
  /// * the user defaults: on iOS, a system process stores them
  /// * the changes to memory-mapped files that the library FileSystemTap has not logged yet
  /// * the counts of a build that measures code coverage
  private static func flush() {
    UserDefaults.standard.synchronize()
    cpr_finish_tap()
    cpr_write_coverage()
  }

  /// Sends a reply, or ends the process if the connection is lost.
  private static func send(_ reply: AppReply, to number: Int, by channel: AppChannel) {
    let message = reply.message(to: number, maximumSize: AppChannel.largestMessageSize)
    guard channel.send(message) == 0 else { _exit(AppChannel.connectionLossStatus) }
  }
}

extension AppReply {
  /// Throws the error that the app's check threw. If the check threw none, throws the first issue
  /// that the check recorded, except for warnings.
  func requireCheck() throws {
    if let thrown { throw thrown }
    guard let issue = issues.first(where: { !$0.isWarning }) else { return }
    let location = SourceLocation(issue.site).map { " (\($0.fileName):\($0.line))" } ?? ""
    throw AppFailure(issue.text + location)
  }
}

extension AppReply.Issue {
  fileprivate init(_ issue: Testing.Issue) {
    self.init(
      "\(issue)", isWarning: issue.severity == .warning,
      at: issue.sourceLocation.map { CallSite($0) } ?? .unknown)
  }
}
