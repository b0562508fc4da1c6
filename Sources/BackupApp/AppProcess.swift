import BackupContainer
import BackupFileTree
import CBackupProcess
package import Foundation

/// A process in which the app's code runs, from its start to its end.
///
/// A thread follows it: it takes the answers, and reaps the process when it has ended. The last
/// reference ends it.
package final class AppProcess: Sendable {
  /// What may happen to the process at any moment.
  private let life: AppLife
  /// This process's end of the connection.
  private let channel: AppChannel

  /// The process's id.
  package var id: Int32 { life.process }

  /// Starts a process.
  ///
  /// - Parameters:
  ///   - command: The process.
  ///   - startThread: Does work on a new thread; returns an error number where there is none.
  /// - Throws: ``AppStartError`` where the system refuses.
  package init(
    _ command: AppCommand,
    startThread: (@escaping @Sendable () -> Void) -> Int32 = DetachedThread.start
  ) throws(AppStartError) {
    let started = Locked<Result<Start, AppStartError>?>(nil)
    let isTried = DispatchSemaphore(value: 0)
    // By this thread, which lives as long as the process, since on Linux that ends with the thread.
    let error = startThread {
      let result = Result { () throws(AppStartError) in try Self.start(command) }
      started.withLock { $0 = result }
      isTried.signal()
      guard case .success(let start) = result else { return }
      while let message = start.channel.receive() { start.life.take(message) }
      start.life.finish()
    }
    guard error == 0 else { throw AppStartError(MachineFault.words(forStarting: error)) }
    isTried.wait()
    guard let start = try started.withLock({ $0 })?.get() else {
      throw AppStartError("the thread that was to start it has ended")
    }
    self.life = start.life
    self.channel = start.channel
  }

  /// A process that was just started.
  private struct Start {
    /// What may happen to it.
    let life: AppLife
    /// This process's end of the connection.
    let channel: AppChannel
  }

  /// Starts a process; of the connection only this process's end stays open.
  private static func start(_ command: AppCommand) throws(AppStartError) -> Start {
    let (own, others) = try AppChannel.makePair()
    let process = try command.start(with: others)
    return Start(life: AppLife(process, own, in: command.directory), channel: own)
  }

  deinit {
    end()
  }

  /// Waits for a message that nobody has asked for.
  ///
  /// - Parameter limit: How long is waited before the process is killed; nil for as long as it takes.
  /// - Returns: The message; or how the process ended.
  package func message(within limit: Duration?) async -> Result<Data, AppEnd> {
    await exchange(nil, within: limit)
  }

  /// Sends a message and waits for the answer; one at a time.
  ///
  /// - Parameters:
  ///   - request: The message.
  ///   - limit: How long is waited before the process is killed; nil for as long as it takes.
  /// - Returns: The answer; or how the process ended.
  package func answer(to request: Data, within limit: Duration?) async -> Result<Data, AppEnd> {
    await exchange(request, within: limit)
  }

  /// Sends a message, if any, and waits for one.
  private func exchange(_ request: Data?, within limit: Duration?) async -> Result<Data, AppEnd> {
    let life = life
    let alarm = DispatchWorkItem { life.kill(because: .timeLimit) }
    if let limit {
      DispatchQueue.global().asyncAfter(
        deadline: .now() + limit / .seconds(1), execute: alarm)
    }
    defer { alarm.cancel() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        life.wait(continuation)
        if let request { channel.send(request) }
      }
    } onCancel: {
      life.kill(because: .cancelled)
    }
  }

  /// How long a process has to rest to be quiet.
  private static let rest = Duration.milliseconds(10)
  /// How long is waited for that.
  private static let patience = Duration.seconds(1)

  /// Waits until no thread of the process does anything any more.
  ///
  /// - Returns: Whether it became quiet; false where it still works after a second.
  package func waitUntilQuiet() async -> Bool {
    let deadline = ContinuousClock.now + Self.patience
    var former = cpr_activity(switches: 0, running: -1)
    while true {
      var now = cpr_activity()
      guard cpr_look_at(life.process, &now) == 0 else { return true }
      if now.running == 0, former.running == 0, now.switches == former.switches { return true }
      guard ContinuousClock.now < deadline else { return false }
      former = now
      do { try await Task.sleep(for: Self.rest) } catch { return true }
    }
  }

  /// Stops all of it, as the system suspends an app.
  package func suspend() { life.suspend() }

  /// Lets it go on.
  package func resume() { life.resume() }

  /// Ends it, if it runs, and waits until it is gone.
  package func end() {
    life.kill(because: .ended)
    life.waitUntilGone()
  }
}

/// What may happen to a process at any moment.
private final class AppLife: Sendable {
  /// Who waits for a message.
  typealias Waiter = CheckedContinuation<Result<Data, AppEnd>, Never>

  /// What changes.
  private struct State {
    /// Who waits for the next message.
    var waiter: Waiter?
    /// The messages that nobody waited for.
    var messages: [Data] = []
    /// Why the kit has killed it; nil where it has not.
    var reason: AppEnd?
    /// How it ended; nil until it is reaped.
    var end: AppEnd?
  }

  /// The process's id, which is its own until it is reaped.
  let process: Int32
  /// This process's end of the connection.
  private let channel: AppChannel
  /// When it began, as the system counts it; nil where it does not say.
  private let begin: UInt64?
  /// The container that it runs in.
  private let directory: String
  /// What happened so far.
  private let state = Locked(State())
  /// Is signalled when it is reaped.
  private let gone = DispatchSemaphore(value: 0)

  /// A process that was just started.
  init(_ process: Int32, _ channel: AppChannel, in directory: String) {
    var begin: UInt64 = 0
    self.process = process
    self.channel = channel
    self.begin = cpr_begin_of(process, &begin) == 0 ? begin : nil
    self.directory = directory
  }

  /// Waits for a message, of which one may have come.
  func wait(_ waiter: Waiter) {
    let answer = state.withLock { state -> Result<Data, AppEnd>? in
      if !state.messages.isEmpty { return .success(state.messages.removeFirst()) }
      if let end = state.end { return .failure(end) }
      state.waiter = waiter
      return nil
    }
    if let answer { waiter.resume(returning: answer) }
  }

  /// Hands on a message.
  func take(_ message: Data) {
    let waiter = state.withLock { state -> Waiter? in
      defer { state.waiter = nil }
      if state.waiter == nil { state.messages.append(message) }
      return state.waiter
    }
    waiter?.resume(returning: .success(message))
  }

  /// Kills it with all in its group, unless it is reaped.
  ///
  /// The connection ends too: what has left the group may have kept the other end.
  func kill(because reason: AppEnd) {
    ifThere { state in
      if state.reason == nil { state.reason = reason }
      cpr_kill(process)
      channel.hangUp()
    }
  }

  func suspend() { ifThere { _ in _ = cpr_suspend(process) } }

  func resume() { ifThere { _ in cpr_resume(process) } }

  /// Waits until it is reaped.
  func waitUntilGone() {
    gone.wait()
    gone.signal()
  }

  /// Reaps it, once its end of the connection is closed; what it left running is killed, in its group
  /// and out of it.
  func finish() {
    ifThere { _ in cpr_kill(process) }
    _ = cpr_wait(process)
    let (waiter, end) = state.withLock { state -> (Waiter?, AppEnd) in
      var status = cpr_end()
      let isReaped = cpr_reap(process, &status) == 0
      let own = status.signal == 0 ? AppEnd.exited(status.status) : .signal(status.signal)
      let end = state.reason ?? (isReaped ? own : .unknown)
      state.end = end
      defer { state.waiter = nil }
      return (state.waiter, end)
    }
    // What it lacks to look for them is found by whatever is done next.
    _ = DeviceSweep.killProcesses(in: directory, since: begin)
    gone.signal()
    waiter?.resume(returning: .failure(end))
  }

  /// Does something with the process while its id is its own.
  private func ifThere(_ body: (inout State) -> Void) {
    state.withLock { state in
      if state.end == nil { body(&state) }
    }
  }
}

extension AppEnd: Error {}
