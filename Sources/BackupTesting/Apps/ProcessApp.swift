import BackupApp
import BackupContainer
import BackupDiagnostics
import BackupFileTree
import BackupScenarios
import CBackupProcess
import Foundation
import Testing

/// An app in a process that was started for one launch.
///
/// The process is suspended except while it handles a request.
final class ProcessApp: RunningApp {
  let process: AppProcess
  private let host: ProcessHost
  /// The limit on the number of apps that run at once; nil for no limit.
  private let slots: ProcessLimit?
  private let home: ContainerHome
  private let output: AppOutput
  /// The time that an answer may take; nil for no limit.
  private let limit: Duration?
  /// True if a debugger is to be attached, which may keep the process from being suspended.
  private let isDebugged: Bool
  private let names = Locked<AppFileNames?>(nil)
  let requests = Locked(0)
  private let isEnded = Locked(false)
  private let temporaryFolder = Locked<String?>(nil)

  var sharedTemporaryFolder: String? { temporaryFolder.withLock { $0 } }

  init(
    _ process: AppProcess, of host: ProcessHost, _ slots: ProcessLimit?, in home: URL,
    output: AppOutput
  ) {
    self.process = process
    self.host = host
    self.slots = slots
    self.home = ContainerHome(home)
    self.output = output
    let environment = ProcessInfo.processInfo.environment
    self.isDebugged = AppVariables.isSet(AppVariables.wait, in: environment)
    self.limit = isDebugged ? nil : host.timeLimit
  }

  deinit {
    end()
  }

  /// Waits until the app is ready for requests.
  func waitUntilReady(as bundleIdentifier: String) async throws(AppFailure) {
    if !isDebugged { process.endIfStopped() }
    let greeting = try read(await process.message(within: limit), of: 0, during: "its start")
    if let process = greeting.processName, let bundle = greeting.bundleName {
      names.withLock {
        $0 = AppFileNames(process: process, bundle: bundle, bundleIdentifier: bundleIdentifier)
      }
    }
    try suspend(after: "its start")
  }

  func launch(_ launch: AppLaunch) async throws {
    let reply = try await ask(.launch(launch), during: "its launch")
    if reply.missingCode == .launch { host.noteMissingLaunch() }
    try handle(reply)
  }

  func perform(_ call: ActionCall) async throws {
    guard host.actions.bindings[call.name] != nil else { return }
    let reply = try await ask(.perform(call), during: "the action '\(call.name)'")
    call.noteAsked(reply.asked)
    try handle(reply)
  }

  func check(_ launch: AppLaunch) async throws(AppFailure) -> AppReply {
    try await ask(.check(launch), during: "its check")
  }

  func systemPath(of path: ContainerPath) -> ContainerPath {
    names.withLock { $0?.systemPath(of: path) } ?? path
  }

  func resume() { process.resume() }

  var hasEnded: Bool { isEnded.withLock { $0 } }

  func end() {
    guard !isEnded.exchange(for: true) else { return }
    process.end()
    host.keep(output)
    if let slots { Task { await slots.giveBack() } }
  }

  /// Resumes the app, sends it a request, and suspends it as soon as it is quiet.
  private func ask(_ request: AppRequest, during what: String) async throws(AppFailure) -> AppReply
  {
    try moveFiles { names throws(RunError) in try names.moveToFoundationPaths(in: home) }
    process.resume()
    let reply = try await answer(to: request, during: what)
    // Without a launch, no code of the app has run.
    if reply.missingCode != .launch {
      try await waitUntilQuiet(after: what)
      _ = try await answer(to: .flush, during: "the work after \(what)")
    }
    try suspend(after: what)
    try moveFiles { names throws(RunError) in try names.moveToSystemPaths(in: home) }
    host.show(output)
    return reply
  }

  private func moveFiles(
    _ move: (inout AppFileNames) throws(RunError) -> Void
  ) throws(AppFailure) {
    do throws(RunError) {
      try names.withLock { names throws(RunError) in
        if var moved = names {
          try move(&moved)
          names = moved
        }
      }
    } catch {
      end()
      throw AppFailure("the app cannot go on: \(error)")
    }
  }

  private func suspend(after what: String) throws(AppFailure) {
    let error = process.suspend(within: isDebugged ? 1 : 30)
    guard error != 0, !isDebugged else { return }
    throw endWithFailure(
      "the app cannot be paused after \(what), so the kit cannot take a consistent snapshot of "
        + "its container: "
        + MachineFault.words(for: error), because: error)
  }

  /// Waits until the app is quiet, and warns if it keeps working.
  private func waitUntilQuiet(after what: String) async throws(AppFailure) {
    switch await process.waitUntilQuiet() {
    case .quiet: return
    case .working:
      TestIssue.record(
        "the app is still working one second after the end of \(what), so its later changes "
          + "belong to no step; make the action wait for that work", isFailure: false,
        at: host.sourceLocation)
    case .unseen(let number):
      throw endWithFailure(
        "the kit cannot find out whether the app is still working after \(what): "
          + "\(MachineFault.words(for: number))", because: number)
    }
  }

  private func endWithFailure(_ reason: String, because number: Int32? = nil) -> AppFailure {
    end()
    // The reason that the app ended is more useful than an error in moving its files.
    try? moveFiles { names throws(RunError) in try names.moveToSystemPaths(in: home) }
    return AppFailure(reason, because: number)
  }

  private func answer(
    to request: AppRequest, during what: String
  ) async throws(AppFailure) -> AppReply {
    let number = requests.withLock { number in
      number += 1
      return number
    }
    guard let data = try? AppMessage(number, request).data() else {
      throw endWithFailure(
        "the arguments of \(what) cannot be sent to the app's process; this is a bug in the kit, "
          + "please report it")
    }
    return try read(await process.answer(to: data, within: limit), of: number, during: what)
  }

  private func read(
    _ answer: Result<Data, AppEnd>, of number: Int, during what: String
  ) throws(AppFailure) -> AppReply {
    switch answer {
    case .success(let data):
      guard let message = AppMessage<AppReply>(data), message.number == number else {
        throw endWithFailure(
          "the app's process sent a malformed answer during \(what); make sure that its code does "
            + "not write to file descriptor \(CPR_CHANNEL), which the kit uses to talk to "
            + "it\(output.excerpt)")
      }
      guard let refusal = message.content.refusal else { return message.content }
      throw endWithFailure(refusal)
    case .failure(let end):
      if case .signal = end, let crash = output.crash {
        host.crash.withLock { $0 = output.text }
        throw endWithFailure("the app crashed during \(what): \(crash)")
      }
      // The new lines are in the message.
      _ = output.newLines()
      throw endWithFailure(
        "the app's process \(end.description(timeLimit: limit)) during \(what)\(end.hint)"
          + output.excerpt)
    }
  }

  /// Records the issues that the app's code recorded, and throws the error that it threw.
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
