import BackupContainer
import BackupFileTree
import CBackupProcess
import Foundation

/// What may happen to a process at any moment.
final class AppLife: Sendable {
  typealias Waiter = CheckedContinuation<Result<Data, AppEnd>, Never>

  private struct State {
    var waiter: Waiter?
    /// The messages that nobody waited for.
    var messages: [Data] = []
    /// Why the kit has killed it; nil where it has not.
    var reason: AppEnd?
    /// How it ended; nil until it is reaped.
    var end: AppEnd?
    /// What the machine lacked to look for what it left running, as an error number.
    var fault: Int32?
  }

  /// For how many seconds a process that has lost its connection may go on.
  private static let longestExit = 5.0

  /// The process's id, which is its own until it is reaped.
  let process: Int32
  private let channel: AppChannel
  /// When it began, as the system counts it; nil where it does not say.
  private let begin: UInt64?
  private let directory: String
  private let state = Locked(State())
  /// Is signalled when it has exited, and is not reaped yet.
  private let exited = DispatchSemaphore(value: 0)
  /// Is signalled when it is reaped.
  private let gone = DispatchSemaphore(value: 0)

  init(_ process: Int32, _ channel: AppChannel, in directory: String) {
    var begin: UInt64 = 0
    self.process = process
    self.channel = channel
    self.begin = cpr_begin_of(process, &begin) == 0 ? begin : nil
    self.directory = directory
  }

  func wait(_ waiter: Waiter) {
    let answer = state.withLock { state -> Result<Data, AppEnd>? in
      if !state.messages.isEmpty { return .success(state.messages.removeFirst()) }
      if let end = state.end { return .failure(end) }
      state.waiter = waiter
      return nil
    }
    if let answer { waiter.resume(returning: answer) }
  }

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
    ifThere { kill(because: reason, in: &$0) }
  }

  /// Kills it while its id is its own.
  private func kill(because reason: AppEnd, in state: inout State) {
    if state.reason == nil { state.reason = reason }
    cpr_kill(process)
    channel.hangUp()
  }

  /// Kills it where somebody still waits for a message that was to come within a time.
  func killUnlessAnswered() {
    ifThere { state in
      if state.waiter != nil { kill(because: .timeLimit, in: &state) }
    }
  }

  /// Stops all of it, waiting at most so many seconds; 0, or why it does not stand still, as an
  /// error number.
  func suspend(within seconds: Int32) -> Int32 {
    var error: Int32 = 0
    ifThere { _ in error = cpr_suspend(process, seconds) }
    return error
  }

  func resume() { ifThere { _ in cpr_resume(process) } }

  /// Waits until it is reaped, and what it left running is killed.
  ///
  /// - Returns: What the machine lacked to look for that, as an error number; nil for nothing.
  func waitUntilGone() -> Int32? {
    gone.wait()
    gone.signal()
    return state.withLock { $0.fault }
  }

  /// Waits until it has exited, and ends the connection: what it has started may have kept its end.
  func follow() {
    _ = cpr_wait(process)
    channel.hangUpWhenRead()
    exited.signal()
  }

  /// Reaps it, once its end of the connection is closed; what it left running is killed, in its group
  /// and out of it.
  func finish() {
    // One that has lost the connection exits by itself, with a status that says so.
    let hasExited = exited.wait(timeout: .now() + Self.longestExit) == .success
    ifThere { _ in cpr_kill(process) }
    if !hasExited { exited.wait() }
    let (waiter, end) = state.withLock { state -> (Waiter?, AppEnd) in
      var status = cpr_end()
      let isReaped = cpr_reap(process, &status) == 0
      let own = status.signal == 0 ? AppEnd.exited(status.status) : .signal(status.signal)
      let end = state.reason ?? (isReaped ? own : .unknown)
      state.end = end
      defer { state.waiter = nil }
      return (state.waiter, end)
    }
    let fault = DeviceFolder.killProcesses(in: directory, since: begin)
    state.withLock { $0.fault = fault }
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
