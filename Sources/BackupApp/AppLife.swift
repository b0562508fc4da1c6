import BackupContainer
import CBackupProcess
import Foundation

/// Handles the messages and the end of an app's process. Both may come at any moment, on several
/// threads.
///
/// The process is *reaped* when the kit has read its exit status. Until then, no other process can
/// get its id.
final class AppLife: Sendable {
  typealias Waiter = CheckedContinuation<Result<Data, AppEnd>, Never>

  private struct State {
    /// The code that waits for the next message.
    var waiter: Waiter?
    /// The messages that arrived while no code waited.
    var messages: [Data] = []
    /// The reason why the kit killed the process; nil if it did not.
    var killReason: AppEnd?
    /// The end of the process; nil until it is reaped.
    var end: AppEnd?
  }

  /// The number of seconds in which a process must exit after its connection is closed.
  private static let exitTimeLimit = 5.0

  /// The process. Its keeper is a child of this process until it is reaped.
  let child: cpr_child
  private let channel: AppChannel
  private let state = Locked(State())
  /// Signaled when the process has exited, before it is reaped.
  private let exitSemaphore = DispatchSemaphore(value: 0)
  /// Signaled when the process is reaped.
  private let reapSemaphore = DispatchSemaphore(value: 0)

  init(_ child: cpr_child, _ channel: AppChannel) {
    self.child = child
    self.channel = channel
  }

  /// Resumes a waiter with the next message, or with the end of the process.
  func addWaiter(_ waiter: Waiter) {
    let answer = state.withLock { state -> Result<Data, AppEnd>? in
      if !state.messages.isEmpty { return .success(state.messages.removeFirst()) }
      if let end = state.end { return .failure(end) }
      state.waiter = waiter
      return nil
    }
    if let answer { waiter.resume(returning: answer) }
  }

  /// Resumes the waiter with a message. If no code waits, keeps the message.
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

  /// Kills the process if code still waits for a message. Call this at the end of a time limit.
  func killUnlessAnswered() {
    unlessReaped { state in
      if state.waiter != nil { kill(because: .timeLimit, in: &state) }
    }
  }

  /// Stops all processes of the group. Waits at most this number of seconds until they have
  /// stopped. Returns 0, or an error number if they do not stop.
  func suspend(within seconds: Int32) -> Int32 {
    var error: Int32 = 0
    unlessReaped { _ in error = cpr_suspend(child, seconds) }
    return error
  }

  func resume() { unlessReaped { _ in cpr_resume(child) } }

  func endIfStopped() { unlessReaped { _ in cpr_end_if_stopped(child) } }

  /// Waits until the process is reaped, and the processes that it left running are killed.
  func waitUntilGone() {
    reapSemaphore.wait()
    reapSemaphore.signal()
  }

  /// Waits until the process has exited, and then closes the connection. A process that the app
  /// started may still have the other end open.
  func waitForExit() {
    // If other code has reaped the process, this call fails, and `reap` reports `AppEnd.unknown`.
    _ = cpr_wait(child)
    channel.hangUpWhenRead()
    exitSemaphore.signal()
  }

  /// Reaps the process after its end of the connection is closed.
  func reap() {
    // A process without its connection exits by itself, with the status
    // `AppChannel.connectionLossStatus`.
    let hasExited = exitSemaphore.wait(timeout: .now() + Self.exitTimeLimit) == .success
    unlessReaped { _ in cpr_kill(child) }
    if !hasExited { exitSemaphore.wait() }
    let (waiter, end) = state.withLock { state -> (Waiter?, AppEnd) in
      var status = cpr_end()
      let isReaped = cpr_reap(child, &status) == 0
      let reportedEnd: AppEnd =
        if status.stop != 0 {
          .stopped(status.stop)
        } else {
          status.signal == 0 ? .exited(status.status) : .signal(status.signal)
        }
      let end = state.killReason ?? (isReaped ? reportedEnd : .unknown)
      state.end = end
      defer { state.waiter = nil }
      return (state.waiter, end)
    }
    reapSemaphore.signal()
    waiter?.resume(returning: .failure(end))
  }

  /// Calls `body` unless the process is reaped.
  private func unlessReaped(_ body: (inout State) -> Void) {
    state.withLock { state in
      if state.end == nil { body(&state) }
    }
  }
}
