import BackupContainer
import CBackupProcess
import Foundation

/// What may happen to a process at any moment.
final class AppLife: Sendable {
  typealias Waiter = CheckedContinuation<Result<Data, AppEnd>, Never>

  private struct State {
    var waiter: Waiter?
    /// The messages that arrived without a waiter.
    var messages: [Data] = []
    /// Why the kit has killed it; nil if it has not.
    var reason: AppEnd?
    /// How it ended; nil until it is reaped.
    var end: AppEnd?
  }

  /// For how many seconds a process that has lost its connection may go on.
  private static let longestExit = 5.0

  /// The process, whose keeper is this one's until it is reaped.
  let child: cpr_child
  private let channel: AppChannel
  private let state = Locked(State())
  /// Is signalled when it has exited, and is not reaped yet.
  private let exited = DispatchSemaphore(value: 0)
  /// Is signalled when it is reaped.
  private let gone = DispatchSemaphore(value: 0)

  init(_ child: cpr_child, _ channel: AppChannel) {
    self.child = child
    self.channel = channel
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
    cpr_kill(child)
    channel.hangUp()
  }

  /// Kills the process if a message that was due within a time limit is still awaited.
  func killUnlessAnswered() {
    ifThere { state in
      if state.waiter != nil { kill(because: .timeLimit, in: &state) }
    }
  }

  /// Stops all of it, waiting at most so many seconds; 0, or why it does not stand still, as an
  /// error number.
  func suspend(within seconds: Int32) -> Int32 {
    var error: Int32 = 0
    ifThere { _ in error = cpr_suspend(child, seconds) }
    return error
  }

  func resume() { ifThere { _ in cpr_resume(child) } }

  func endIfStopped() { ifThere { _ in cpr_end_if_stopped(child) } }

  /// Waits until it is reaped, and what it left running is killed.
  func waitUntilGone() {
    gone.wait()
    gone.signal()
  }

  /// Waits until it has exited, and ends the connection: what it has started may have kept its end.
  func follow() {
    // If other code has reaped it, it has exited too; `finish` finds that out.
    _ = cpr_wait(child)
    channel.hangUpWhenRead()
    exited.signal()
  }

  /// Reaps it, once its end of the connection is closed.
  func finish() {
    // One that has lost the connection exits by itself, with a status that says so.
    let hasExited = exited.wait(timeout: .now() + Self.longestExit) == .success
    ifThere { _ in cpr_kill(child) }
    if !hasExited { exited.wait() }
    let (waiter, end) = state.withLock { state -> (Waiter?, AppEnd) in
      var status = cpr_end()
      let isReaped = cpr_reap(child, &status) == 0
      let own: AppEnd =
        if status.stop != 0 {
          .stopped(status.stop)
        } else {
          status.signal == 0 ? .exited(status.status) : .signal(status.signal)
        }
      let end = state.reason ?? (isReaped ? own : .unknown)
      state.end = end
      defer { state.waiter = nil }
      return (state.waiter, end)
    }
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
