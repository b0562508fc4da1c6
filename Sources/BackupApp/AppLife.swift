import BackupContainer
import CBackupProcess
import Foundation

/// Handles the messages and the end of an app's process. Both may come at any moment, on several
/// threads.
final class AppLife: Sendable {
  typealias Waiter = CheckedContinuation<Result<Data, AppEnd>, Never>

  private struct State {
    /// The code that waits for the next message.
    var waiter: Waiter?
    /// The messages that arrived while no code waited.
    var messages: [Data] = []
    /// The reason why the kit killed the process; nil if it did not.
    var killReason: AppEnd?
    /// How the process ended; nil until it is reaped.
    var end: AppEnd?
  }

  /// The number of seconds in which a process must exit after its connection is closed.
  private static let exitTimeLimit = 5.0

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

  /// Passes the next message to a waiter. If there is none and the process has ended, passes its
  /// end.
  func addWaiter(_ waiter: Waiter) {
    let answer = state.withLock { state -> Result<Data, AppEnd>? in
      if !state.messages.isEmpty { return .success(state.messages.removeFirst()) }
      if let end = state.end { return .failure(end) }
      state.waiter = waiter
      return nil
    }
    if let answer { waiter.resume(returning: answer) }
  }

  /// Passes a message to the waiter, or keeps it for the next one.
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
  /// The connection is closed too, because a process that has left the group may have the other end
  /// open.
  func kill(because reason: AppEnd) {
    unlessReaped { kill(because: reason, in: &$0) }
  }

  /// Kills the process, which must not be reaped yet.
  private func kill(because reason: AppEnd, in state: inout State) {
    if state.killReason == nil { state.killReason = reason }
    cpr_kill(child)
    channel.hangUp()
  }

  /// Kills the process if it has not sent a message by the end of a time limit.
  func killUnlessAnswered() {
    unlessReaped { state in
      if state.waiter != nil { kill(because: .timeLimit, in: &state) }
    }
  }

  /// Stops all processes of the group, and waits until they have stopped, at most this number of
  /// seconds. Returns 0 or an error number, if they cannot be stopped.
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

  /// Waits until the process has exited, and closes the connection, because a process that it
  /// started may have the other end open.
  func waitForExit() {
    // If other code reaped the process, the call fails, and `reap` returns an unknown end.
    _ = cpr_wait(child)
    channel.hangUpWhenRead()
    exited.signal()
  }

  /// Reaps the process after its end of the connection is closed.
  func reap() {
    // A process without its connection exits by itself, with the status `AppChannel.lossStatus`.
    let hasExited = exited.wait(timeout: .now() + Self.exitTimeLimit) == .success
    unlessReaped { _ in cpr_kill(child) }
    if !hasExited { exited.wait() }
    let (waiter, end) = state.withLock { state -> (Waiter?, AppEnd) in
      var status = cpr_end()
      let isReaped = cpr_reap(child, &status) == 0
      let ownEnd: AppEnd =
        if status.stop != 0 {
          .stopped(status.stop)
        } else {
          status.signal == 0 ? .exited(status.status) : .signal(status.signal)
        }
      let end = state.killReason ?? (isReaped ? ownEnd : .unknown)
      state.end = end
      defer { state.waiter = nil }
      return (state.waiter, end)
    }
    reaped.signal()
    waiter?.resume(returning: .failure(end))
  }

  /// Calls `body` unless the process is reaped. Until then, no other process can have its id.
  private func unlessReaped(_ body: (inout State) -> Void) {
    state.withLock { state in
      if state.end == nil { body(&state) }
    }
  }
}
