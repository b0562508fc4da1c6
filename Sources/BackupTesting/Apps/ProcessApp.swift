import BackupApp
import BackupContainer
import BackupDiagnostics
import BackupFileTree
import BackupScenarios
import CBackupProcess
import Foundation
import Testing

/// An app in a process of its own. Each launch has a new process.
///
/// The process is suspended, except while it handles a request.
final class ProcessApp: RunningApp {
  let process: AppProcess
  private let host: ProcessHost
  /// The limit on the number of apps that run at once; nil for no limit.
  private let processLimit: ProcessLimit?
  private let home: ContainerHome
  private let output: AppOutput
  /// The longest time for an answer of the process; nil for no limit.
  private let answerTimeLimit: Duration?
  /// True if the user will attach a debugger. The debugger may prevent the kit from suspending the
  /// process.
  private let isDebugged: Bool
  /// The paths of Foundation's files; nil until the process has reported its name.
  private let fileNames = Locked<AppFileNames?>(nil)
  /// The number of requests so far.
  let requestCount = Locked(0)
  private let isEnded = Locked(false)
  private let temporaryFolder = Locked<String?>(nil)

  var sharedTemporaryFolder: String? { temporaryFolder.withLock { $0 } }

  init(
    _ process: AppProcess, of host: ProcessHost, _ processLimit: ProcessLimit?, in homeFolder: URL,
    output: AppOutput
  ) {
    self.process = process
    self.host = host
    self.processLimit = processLimit
    self.home = ContainerHome(homeFolder)
    self.output = output
    let environment = ProcessInfo.processInfo.environment
    self.isDebugged = AppVariables.isSet(AppVariables.waitForDebugger, in: environment)
    self.answerTimeLimit = isDebugged ? nil : host.timeLimit
  }

  deinit {
    end()
  }

  /// Waits until the app is ready for requests.
  func waitUntilReady(as bundleIdentifier: String) async throws(AppFailure) {
    if !isDebugged { process.endIfStopped() }
    let greeting = try read(
      await process.message(within: answerTimeLimit), of: 0, during: "its start")
    if let processName = greeting.processName, let bundleName = greeting.bundleName {
      fileNames.withLock {
        $0 = AppFileNames(
          process: processName, bundle: bundleName, bundleIdentifier: bundleIdentifier)
      }
    }
    try suspend(after: "its start")
  }

  func launch(_ launch: AppLaunch) async throws {
    let reply = try await performRequest(.launch(launch), during: "its launch")
    if reply.missingCode == .launch { host.recordMissingLaunch() }
    try handle(reply)
  }

  func perform(_ call: ActionCall) async throws {
    guard host.actions.bindings[call.name] != nil else { return }
    let reply = try await performRequest(.perform(call), during: "the action '\(call.name)'")
    call.recordRequestedArguments(reply.asked)
    try handle(reply)
  }

  func check(_ launch: AppLaunch) async throws(AppFailure) -> AppReply {
    try await performRequest(.check(launch), during: "its check")
  }

  func systemPath(of path: ContainerPath) -> ContainerPath {
    fileNames.withLock { $0?.systemPath(of: path) } ?? path
  }

  func resume() { process.resume() }

  var hasEnded: Bool { isEnded.withLock { $0 } }

  func end() {
    guard !isEnded.exchange(for: true) else { return }
    process.end()
    host.finishOutput(output)
    if let processLimit { Task { await processLimit.endTurn() } }
  }

  /// Resumes the app, sends it a request, and suspends it as soon as its threads are idle, or
  /// after about a second.
  private func performRequest(
    _ request: AppRequest, during phase: String
  ) async throws(AppFailure) -> AppReply {
    try moveFiles { names throws(RunError) in try names.moveToFoundationPaths(in: home) }
    process.resume()
    let reply = try await answer(to: request, during: phase)
    // If the app has no `launch`, none of its code has run, so there is nothing to wait for.
    if reply.missingCode != .launch {
      try await waitUntilQuiet(after: phase)
      _ = try await answer(to: .flush, during: "the work after \(phase)")
    }
    try suspend(after: phase)
    try moveFiles { names throws(RunError) in try names.moveToSystemPaths(in: home) }
    host.showNewLines(output)
    return reply
  }

  private func moveFiles(
    _ move: (inout AppFileNames) throws(RunError) -> Void
  ) throws(AppFailure) {
    do throws(RunError) {
      try fileNames.withLock { names throws(RunError) in
        if var movedNames = names {
          try move(&movedNames)
          names = movedNames
        }
      }
    } catch {
      end()
      throw AppFailure("the app cannot go on: \(error)")
    }
  }

  private func suspend(after phase: String) throws(AppFailure) {
    let errorNumber = process.suspend(within: isDebugged ? 1 : 30)
    guard errorNumber != 0, !isDebugged else { return }
    throw endWithFailure(
      "the app cannot be paused after \(phase), so the kit cannot take a consistent snapshot of "
        + "its container: "
        + MachineFault.words(for: errorNumber), because: errorNumber)
  }

  /// Waits until all threads of the app are idle, but only about a second. Warns if the app still
  /// works then.
  private func waitUntilQuiet(after phase: String) async throws(AppFailure) {
    switch await process.waitUntilQuiet() {
    case .quiet: return
    case .working:
      TestIssue.record(
        "the app is still working one second after the end of \(phase), so its later changes "
          + "belong to no step; make the action wait for that work", isFailure: false,
        at: host.sourceLocation)
    case .readingFailed(let errorNumber):
      throw endWithFailure(
        "the kit cannot find out whether the app is still working after \(phase): "
          + "\(MachineFault.words(for: errorNumber))", because: errorNumber)
    }
  }

  private func endWithFailure(_ reason: String, because errorNumber: Int32? = nil) -> AppFailure {
    end()
    // An error of the move is ignored, because `reason` helps the user more.
    try? moveFiles { names throws(RunError) in try names.moveToSystemPaths(in: home) }
    return AppFailure(reason, because: errorNumber)
  }

  private func answer(
    to request: AppRequest, during phase: String
  ) async throws(AppFailure) -> AppReply {
    let requestNumber = requestCount.withLock { requestNumber in
      requestNumber += 1
      return requestNumber
    }
    guard let data = try? AppMessage(requestNumber, request).data() else {
      throw endWithFailure(
        "the arguments of \(phase) cannot be sent to the app's process; this is a bug in the kit, "
          + "please report it")
    }
    return try read(
      await process.answer(to: data, within: answerTimeLimit), of: requestNumber, during: phase)
  }

  private func read(
    _ answer: Result<Data, AppEnd>, of requestNumber: Int, during phase: String
  ) throws(AppFailure) -> AppReply {
    switch answer {
    case .success(let data):
      guard let message = AppMessage<AppReply>(data), message.number == requestNumber else {
        throw endWithFailure(
          "the app's process sent a malformed answer during \(phase); make sure that its code does "
            + "not write to file descriptor \(CPR_CHANNEL), which the kit uses to talk to "
            + "it\(output.excerpt)")
      }
      guard let refusal = message.content.refusal else { return message.content }
      throw endWithFailure(refusal)
    case .failure(let appEnd):
      if case .signal = appEnd, let crash = output.crash {
        host.crashOutput.withLock { $0 = output.text }
        throw endWithFailure("the app crashed during \(phase): \(crash)")
      }
      // The failure quotes the latest lines, so the kit does not print them again.
      _ = output.newLines()
      throw endWithFailure(
        "the app's process \(appEnd.description(timeLimit: answerTimeLimit)) during \(phase)"
          + "\(appEnd.hint)" + output.excerpt)
    }
  }

  /// Records the issues that the app's code recorded in its process, and throws the error that the
  /// code threw.
  private func handle(_ reply: AppReply) throws(ActionCall.CodeError) {
    FoundationMarks.noteShim(in: reply.modulesWithShim)
    if let folder = reply.sharedTemporaryFolder {
      temporaryFolder.withLock { $0 = folder }
      host.warnOfTemporaryFolder(folder)
    }
    for issue in reply.issues {
      TestIssue.record(
        issue.text, isFailure: !issue.isWarning,
        at: SourceLocation(issue.site) ?? host.sourceLocation)
    }
    if let thrown = reply.thrown { throw thrown }
  }
}
