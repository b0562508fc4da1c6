import BackupApp
import BackupContainer
import BackupFileTree
import BackupScenarios
import BackupVerdicts
import CBackupProcess
import Foundation
import Testing

/// The kit's code in the app's process, which runs the app's code on request.
enum AppServer {
  /// Runs the app if the environment names its type; otherwise prints the recipe of this process.
  ///
  /// The test library calls this function in a new process.
  static func begin() async {
    guard let type = ProcessInfo.processInfo.environment[AppVariables.type] else {
      // Without this line, the test's process reports that it could not learn the recipe.
      let line = AppRecipe.ofThisProcess()?.line ?? ""
      try? FileHandle.standardOutput.write(contentsOf: Data(line.utf8))
      return
    }
    // The channel is opened before the wait for a debugger, so that this process ends with the test even then.
    let channel = AppChannel.ofThisProcess()
    if AppVariables.isSet(AppVariables.wait, in: ProcessInfo.processInfo.environment) {
      raise(SIGSTOP)
    }
    await serve(type, by: channel)
  }

  private static func serve(_ type: String, by channel: AppChannel) async {
    let (requests, continuation) = AsyncStream.makeStream(of: Data.self)
    let error = startThread {
      // Without a connection, there is nothing left to do.
      while let request = try? channel.receive() { continuation.yield(request) }
      _exit(AppChannel.lossStatus)
    }
    let app = _typeByName(type) as? any AppUnderTest.Type
    var greeting = AppReply()
    greeting.processName = ProcessInfo.processInfo.processName
    greeting.bundleName = Bundle.main.bundleURL.lastPathComponent
    if app == nil {
      greeting.refusal =
        "the app's process has no type \(type); build the test and the app's process from the same "
        + "sources"
    }
    if error != 0 { greeting.refusal = MachineFault.words(forStarting: error) }
    send(greeting, to: 0, by: channel)
    guard let app, error == 0 else { return }
    cpr_note_throws()
    // On iOS, a preference is kept as soon as it is set, even if the app is killed at once.
    cpr_call_before_changes { UserDefaults.standard.synchronize() }
    for await request in requests {
      let request = AppMessage<AppRequest>(request)
      await forgetResourceValues()
      let reply = await answer(to: request?.content, for: app)
      flush()
      send(reply, to: request?.number ?? 0, by: channel)
    }
  }

  /// Makes URLs that the app holds forget the marks that they have read.
  ///
  /// Apple's Foundation does that when the main run loop turns
  /// (`URL.removeAllCachedResourceValues()`). In an app, the loop turns between two events. In this
  /// process, it would not turn otherwise.
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
      if launch.isUnused.withLock({ $0 }) { reply.missingCode = .launch }
      return reply
    case .perform(let call):
      guard let code = app.actions.bindings[call.name]?.code else {
        return AppReply(
          refusal:
            "the app's process has no action '\(call.name)', but the test's process does; bind "
            + "the same actions in both")
      }
      var reply = await reply { try await code(call) }
      reply.asked = call.askedNames.sorted()
      return reply
    case .check(let launch):
      var reply = await reply { try await app.check(launch) }
      if launch.isUnchecked.withLock({ $0 }) { reply.missingCode = .check }
      return reply
    case .flush: return AppReply()
    case nil:
      return AppReply(
        refusal:
          "the kit's request could not be read; this is a bug in the kit, please report it")
    }
  }

  /// Runs code of the app, and returns the outcome.
  static func reply(_ code: @Sendable () async throws -> Void) async -> AppReply {
    let thrown = Locked<ActionCall.CodeError?>(nil)
    let issues = Locked<[AppReply.Issue]>([])
    await withKnownIssue(isIntermittent: true) {
      do {
        try await code()
      } catch {
        let error = ActionCall.CodeError(error)
        thrown.withLock { $0 = error }
      }
    } matching: { issue in
      let copy = AppReply.Issue(issue)
      issues.withLock { $0.append(copy) }
      return true
    }
    var reply = AppReply()
    reply.thrown = thrown.withLock { $0 }
    reply.issues = issues.withLock { $0 }
    if case .modules(let names) = FoundationMarks.visibleModules { reply.modulesWithShim = names }
    reply.sharedTemporaryFolder = sharedTemporaryFolder
    return reply
  }

  /// The folder in which Foundation keeps temporary files; nil for `tmp` in the app's container.
  private static var sharedTemporaryFolder: String? {
    guard let container = AppVariables.ownContainer else { return nil }
    let (folder, own) = (FileManager.default.temporaryDirectory.path, "\(container)/tmp")
    let isOwn = folder == own || TextFile.realPath(of: folder) == TextFile.realPath(of: own)
    return isOwn ? nil : folder
  }

  /// Writes data that belongs to the app but would be lost with the process.
  ///
  /// These data are the preferences, which a system process keeps on iOS, the changes of mapped files that the tap has
  /// not logged yet, and the counts of a build with coverage.
  private static func flush() {
    UserDefaults.standard.synchronize()
    cpr_finish_tap()
    cpr_write_coverage()
  }

  /// Sends a reply, or ends the process if the connection is lost.
  private static func send(_ reply: AppReply, to number: Int, by channel: AppChannel) {
    let message = reply.message(to: number, ofAtMost: AppChannel.largestMessage)
    guard channel.send(message) == 0 else { _exit(AppChannel.lossStatus) }
  }
}

extension AppReply {
  /// Throws the error that a check threw, or else the first issue that it recorded, except warnings.
  func requireCheck() throws {
    if let thrown { throw thrown }
    guard let issue = issues.first(where: { !$0.isWarning }) else { return }
    let place = SourceLocation(issue.site).map { " (\($0.fileName):\($0.line))" } ?? ""
    throw AppFailure(issue.text + place)
  }
}

extension AppReply.Issue {
  fileprivate init(_ issue: Testing.Issue) {
    self.init(
      "\(issue)", isWarning: issue.severity == .warning,
      at: issue.sourceLocation.map { CallSite($0) } ?? .unknown)
  }
}
