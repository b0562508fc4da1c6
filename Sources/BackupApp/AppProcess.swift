import BackupContainer
import BackupFileTree
import CBackupProcess
package import Foundation

/// A process that runs the app's code, from its start to its end.
///
/// One thread receives the answers, and reaps the process when it has ended. Another thread waits
/// for its exit. The process is ended with the last reference to this object.
package final class AppProcess: Sendable {
  private let life: AppLife
  private let channel: AppChannel

  package var id: Int32 { life.child.process }

  /// Starts a process. `startThread` does work on a new thread, or returns an error number if no
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
            while let message = try start.channel.receive() { start.life.deliver(message) }
          } catch {
            start.life.kill(because: error)
          }
          start.life.reap()
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

  /// Starts a process, and a thread that waits for its exit. Only this process's end of the
  /// connection stays open.
  private static func start(
    _ command: AppCommand, _ startThread: (@escaping @Sendable () -> Void) -> Int32
  ) throws(AppFailure) -> (life: AppLife, channel: AppChannel) {
    let (own, appEnd) = try AppChannel.makePair()
    let life = AppLife(try command.start(with: appEnd), own)
    let error = startThread { life.waitForExit() }
    guard error == 0 else {
      life.kill(because: .ended)
      life.waitForExit()
      life.reap()
      throw AppFailure(MachineFault.words(forStarting: error), because: error)
    }
    return (life, own)
  }

  deinit {
    end()
  }

  /// Waits for a message without a request. Kills the process after `limit`, or never if that is
  /// nil.
  package func message(within limit: Duration?) async -> Result<Data, AppEnd> {
    await exchange(nil, within: limit)
  }

  /// Sends a request and waits for the answer, one request at a time. Kills the process after
  /// `limit`, or never if that is nil.
  package func answer(to request: Data, within limit: Duration?) async -> Result<Data, AppEnd> {
    await exchange(request, within: limit)
  }

  private func exchange(_ request: Data?, within limit: Duration?) async -> Result<Data, AppEnd> {
    let life = life
    // The answer may have arrived while this task waits for its turn.
    let alarm = DispatchWorkItem { life.killUnlessAnswered() }
    if let limit {
      DispatchQueue.global().asyncAfter(
        deadline: .now() + limit / .seconds(1), execute: alarm)
    }
    defer { alarm.cancel() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        life.addWaiter(continuation)
        guard let request else { return }
        let error = channel.send(request)
        // If the process closed its end, the way in which it ended says more.
        guard error != 0, error != EPIPE, error != ECONNRESET else { return }
        life.kill(because: .unreachable(error))
      }
    } onCancel: {
      life.kill(because: .cancelled)
    }
  }

  /// The time that a process must rest to be quiet.
  private static let rest = Duration.milliseconds(10)
  /// The first pause between two readings of a process that still works. Each later pause is twice as
  /// long, up to a rest.
  private static let firstPause = Duration.milliseconds(1)
  /// The number of readings after which a process counts as working. They take a second, or more if the
  /// machine is slow.
  private static let mostReadings = 90

  package enum Activity: Hashable, Sendable {
    /// The process is idle.
    case quiet
    /// The process still works after a second.
    case working
    /// The last reading failed, with this error number.
    case unseen(Int32)
  }

  /// Reads once what the threads of the process do. Returns 0, ESRCH if it is gone, or another error
  /// number.
  func readActivity(_ activity: inout cpr_activity) -> Int32 { cpr_look_at(id, &activity) }

  /// Waits until all threads of the process are idle, or the process is gone.
  package func waitUntilQuiet() async -> Activity { await waitUntilQuiet(by: readActivity) }

  func waitUntilQuiet(by readActivity: (inout cpr_activity) -> Int32) async -> Activity {
    let nothing = cpr_activity(switches: 0, running: -1)
    var former = nothing
    var pause = Self.firstPause
    var error: Int32 = 0
    for _ in 0..<Self.mostReadings {
      var now = nothing
      error = readActivity(&now)
      guard error != ESRCH else { return .quiet }
      if error != 0 { now = nothing }
      if now.running == 0, former.running == 0, now.switches == former.switches { return .quiet }
      former = now
      do {
        try await Task.sleep(for: now.running == 0 ? Self.rest : pause)
      } catch {
        // The test was canceled, which ends the app.
        return .quiet
      }
      pause = min(pause * 2, Self.rest)
    }
    return error == 0 ? .working : .unseen(error)
  }

  /// Stops the process and all others in its group, as the system suspends an app.
  ///
  /// - Parameter seconds: The time to wait until they stop. A thread that waits for a disk does not
  ///   stop, nor does a process whose debugger keeps the signal from it.
  /// - Returns: 0, also if the process has ended, or the error number that says why they do not
  ///   stand still.
  package func suspend(within seconds: Int32) -> Int32 { life.suspend(within: seconds) }

  package func resume() { life.resume() }

  /// Makes the process end as soon as anything else stops it, for example a debugger.
  package func endIfStopped() { life.endIfStopped() }

  /// Ends the process if it runs, and waits until it and all that it left running are gone.
  package func end() {
    life.kill(because: .ended)
    life.waitUntilGone()
  }
}
