import BackupContainer
import CBackupProcess
import Foundation

/// The messages, the kill and the end of an app's process, which may come at any moment.
final class AppLife: Sendable {
  typealias Waiter = CheckedContinuation<Result<Data, AppEnd>, Never>

  private struct State {
    var waiter: Waiter?
    /// The messages that arrived without a waiter.
    var messages: [Data] = []
    /// The reason why the kit killed the process; nil if it did not.
    var killReason: AppEnd?
    /// The way in which the process ended; nil until it is reaped.
    var end: AppEnd?
  }

  /// The number of seconds that a process without its connection may continue.
  private static let longestExit = 5.0

  /// The process. Its keeper is a child of this process until it is reaped.
  let child: cpr_child
  private let channel: AppChannel
  private let state = Locked(State())
  /// Signaled when the process has exited, before it is reaped.
  private let exited = DispatchSemaphore(value: 0)
  /// Signaled when the process is reaped.
  private let reaped = DispatchSemaphore(value: 0)

  init(_ child: cpr_child, _ channel: AppChannel) {
    self.child = child
    self.channel = channel
  }

  /// Passes the next message, or the end of the process, to a waiter.
  func addWaiter(_ waiter: Waiter) {
    let answer = state.withLock { state -> Result<Data, AppEnd>? in
      if !state.messages.isEmpty { return .success(state.messages.removeFirst()) }
      if let end = state.end { return .failure(end) }
      state.waiter = waiter
      return nil
    }
    if let answer { waiter.resume(returning: answer) }
  }

  func deliver(_ message: Data) {
    let waiter = state.withLock { state -> Waiter? in
      defer { state.waiter = nil }
      if state.waiter == nil { state.messages.append(message) }
      return state.waiter
    }
    waiter?.resume(returning: .success(message))
  }

  /// Kills the process and all others in its group, unless it is reaped.
  ///
  /// The connection is closed too, because a process that left the group may have kept the other end.
  func kill(because reason: AppEnd) {
    unlessReaped { kill(because: reason, in: &$0) }
  }

  /// Kills the process; its id must still be its own.
  private func kill(because reason: AppEnd, in state: inout State) {
    if state.killReason == nil { state.killReason = reason }
    cpr_kill(child)
    channel.hangUp()
  }

  /// Kills the process if a message that was due within a time limit is still awaited.
  func killUnlessAnswered() {
    unlessReaped { state in
      if state.waiter != nil { kill(because: .timeLimit, in: &state) }
    }
  }

  /// Stops all processes of the group, waiting at most this number of seconds. Returns 0, or the
  /// error number that says why they do not stand still.
  func suspend(within seconds: Int32) -> Int32 {
    var error: Int32 = 0
    unlessReaped { _ in error = cpr_suspend(child, seconds) }
    return error
  }

  func resume() { unlessReaped { _ in cpr_resume(child) } }

  func endIfStopped() { unlessReaped { _ in cpr_end_if_stopped(child) } }

  /// Waits until the process is reaped, and the processes that it left running are killed.
  func waitUntilGone() {
    reaped.wait()
    reaped.signal()
  }

  /// Waits until the process has exited, and closes the connection, because a process that it started
  /// may have kept the other end.
  func waitForExit() {
    // If other code reaped the process, it has exited too; `reap` finds that out.
    _ = cpr_wait(child)
    channel.hangUpWhenRead()
    exited.signal()
  }

  /// Reaps the process after its end of the connection is closed.
  func reap() {
    // A process that lost the connection exits by itself, with a status that says so.
    let hasExited = exited.wait(timeout: .now() + Self.longestExit) == .success
    unlessReaped { _ in cpr_kill(child) }
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
      let end = state.killReason ?? (isReaped ? own : .unknown)
      state.end = end
      defer { state.waiter = nil }
      return (state.waiter, end)
    }
    reaped.signal()
    waiter?.resume(returning: .failure(end))
  }

  /// Calls `body` unless the process is reaped, so that its id is still its own.
  private func unlessReaped(_ body: (inout State) -> Void) {
    state.withLock { state in
      if state.end == nil { body(&state) }
    }
  }
}
