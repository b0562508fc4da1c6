import BackupContainer
import BackupFileTree
import CBackupProcess
package import Foundation

/// A process in which the app's code runs, from its start to its end.
///
/// A thread takes the answers, and reaps the process when it has ended; another waits for that. The
/// last reference ends it.
package final class AppProcess: Sendable {
  private let life: AppLife
  private let channel: AppChannel

  package var id: Int32 { life.child.process }

  /// Starts a process; `startThread` does work on a new thread, or returns an error number if no
  /// thread can be made.
  package init(
    _ command: AppCommand,
    startThread: @escaping @Sendable (@escaping @Sendable () -> Void) -> Int32 = {
      BackupContainer.startThread($0)
    }
  ) async throws(AppFailure) {
    let result: Result<(life: AppLife, channel: AppChannel), AppFailure> =
      await withCheckedContinuation { continuation in
        let error = startThread {
          let result = Result { () throws(AppFailure) in
            try Self.start(command, startThread)
          }
          continuation.resume(returning: result)
          guard case .success(let start) = result else { return }
          do throws(AppEnd) {
            while let message = try start.channel.receive() { start.life.take(message) }
          } catch {
            start.life.kill(because: error)
          }
          start.life.finish()
        }
        if error != 0 {
          continuation.resume(
            returning: .failure(AppFailure(MachineFault.words(forStarting: error), because: error)))
        }
      }
    let start = try result.get()
    self.life = start.life
    self.channel = start.channel
  }

  /// Starts a process, and a thread that waits for its exit; of the connection only this process's
  /// end stays open.
  private static func start(
    _ command: AppCommand, _ startThread: (@escaping @Sendable () -> Void) -> Int32
  ) throws(AppFailure) -> (life: AppLife, channel: AppChannel) {
    let (own, others) = try AppChannel.makePair()
    let life = AppLife(try command.start(with: others), own)
    let error = startThread { life.follow() }
    guard error == 0 else {
      life.kill(because: .ended)
      life.follow()
      life.finish()
      throw AppFailure(MachineFault.words(forStarting: error), because: error)
    }
    return (life, own)
  }

  deinit {
    end()
  }

  /// Waits for a message that was not asked for; after `limit` the process is killed, with nil
  /// never.
  package func message(within limit: Duration?) async -> Result<Data, AppEnd> {
    await exchange(nil, within: limit)
  }

  /// Sends a message and waits for the answer, one at a time; after `limit` the process is killed,
  /// with nil never.
  package func answer(to request: Data, within limit: Duration?) async -> Result<Data, AppEnd> {
    await exchange(request, within: limit)
  }

  private func exchange(_ request: Data?, within limit: Duration?) async -> Result<Data, AppEnd> {
    let life = life
    // Its answer may be there, and this task wait for its turn.
    let alarm = DispatchWorkItem { life.killUnlessAnswered() }
    if let limit {
      DispatchQueue.global().asyncAfter(
        deadline: .now() + limit / .seconds(1), execute: alarm)
    }
    defer { alarm.cancel() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        life.wait(continuation)
        guard let request else { return }
        let error = channel.send(request)
        // Of one that has closed its end, the way it ended says more.
        guard error != 0, error != EPIPE, error != ECONNRESET else { return }
        life.kill(because: .unreachable(error))
      }
    } onCancel: {
      life.kill(because: .cancelled)
    }
  }

  /// How long a process must rest to be quiet.
  private static let rest = Duration.milliseconds(10)
  /// For how long one is let go on that still works, at first; each time for twice as long, up to a
  /// rest.
  private static let firstPause = Duration.milliseconds(1)
  /// How many looks show that it does not come to rest: a second's, or more where the machine is
  /// slow.
  private static let mostLooks = 90

  package enum Activity: Hashable, Sendable {
    /// Nothing any more.
    case quiet
    /// It still works after a second.
    case working
    /// That could not be seen in the end, with the error number.
    case unseen(Int32)
  }

  /// Looks once at what the process's threads do: 0, ESRCH if it is gone, or another error number.
  func look(_ activity: inout cpr_activity) -> Int32 { cpr_look_at(id, &activity) }

  /// Waits until no thread of the process does anything any more, or it is gone.
  package func waitUntilQuiet() async -> Activity { await waitUntilQuiet(by: look) }

  func waitUntilQuiet(by look: (inout cpr_activity) -> Int32) async -> Activity {
    let nothing = cpr_activity(switches: 0, running: -1)
    var former = nothing
    var pause = Self.firstPause
    var error: Int32 = 0
    for _ in 0..<Self.mostLooks {
      var now = nothing
      error = look(&now)
      guard error != ESRCH else { return .quiet }
      if error != 0 { now = nothing }
      if now.running == 0, former.running == 0, now.switches == former.switches { return .quiet }
      former = now
      do {
        try await Task.sleep(for: now.running == 0 ? Self.rest : pause)
      } catch {
        // The test was cancelled, which ends the app.
        return .quiet
      }
      pause = min(pause * 2, Self.rest)
    }
    return error == 0 ? .working : .unseen(error)
  }

  /// Stops all of it, as the system suspends an app.
  ///
  /// - Parameter seconds: How long is waited for that: a thread that waits for a disk does not
  ///   stop, nor does a process whose debugger keeps the signal from it.
  /// - Returns: 0, also if it has ended; or why it does not stand still, as an error number.
  package func suspend(within seconds: Int32) -> Int32 { life.suspend(within: seconds) }

  package func resume() { life.resume() }

  /// Has it end as soon as something else stops it; a debugger would.
  package func endIfStopped() { life.endIfStopped() }

  /// Ends it, if it runs, and waits until it is gone, with what it left running.
  package func end() {
    life.kill(because: .ended)
    life.waitUntilGone()
  }
}
