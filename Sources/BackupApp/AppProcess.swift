import BackupContainer
import BackupFileTree
import CBackupProcess
package import Foundation

/// A process that runs the app's code, from its start to its end.
///
/// One thread receives the answers, and reads the exit status when the process has ended. Another
/// thread waits for the process to exit. The process is killed with the last reference to this
/// object.
package final class AppProcess: Sendable {
  private let life: AppLife
  private let channel: AppChannel

  package var id: Int32 { life.child.process }

  /// Starts a process. `startThread` runs work on a new thread. It returns 0, or an error number if
  /// the machine has no thread left.
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
          guard case .success(let process) = result else { return }
          do throws(AppEnd) {
            while let message = try process.channel.receive() { process.life.deliver(message) }
          } catch {
            process.life.kill(because: error)
          }
          process.life.reap()
        }
        if error != 0 {
          continuation.resume(
            returning: .failure(
              AppFailure(MachineFault.words(forFailedStart: error), because: error)))
        }
      }
    let process = try result.get()
    self.life = process.life
    self.channel = process.channel
  }

  /// Starts a process, and a thread that waits for its exit. In this process, only
  /// the kit's end of the connection stays open.
  private static func start(
    _ command: AppCommand, _ startThread: (@escaping @Sendable () -> Void) -> Int32
  ) throws(AppFailure) -> (life: AppLife, channel: AppChannel) {
    let (kitEnd, appEnd) = try AppChannel.makePair()
    let life = AppLife(try command.start(with: appEnd), kitEnd)
    let error = startThread { life.waitForExit() }
    guard error == 0 else {
      life.kill(because: .endedBySystem)
      life.waitForExit()
      life.reap()
      throw AppFailure(MachineFault.words(forFailedStart: error), because: error)
    }
    return (life, kitEnd)
  }

  deinit {
    end()
  }

  /// Waits for a message that answers no request. If none arrives within `limit`, kills the
  /// process. If `limit` is nil, there is no time limit.
  package func message(within limit: Duration?) async -> Result<Data, AppEnd> {
    await exchange(nil, within: limit)
  }

  /// Sends a request and waits for the answer. Callers must send one request at a time. If no
  /// answer arrives within `limit`, kills the process. If `limit` is nil, there is no time limit.
  package func answer(to request: Data, within limit: Duration?) async -> Result<Data, AppEnd> {
    await exchange(request, within: limit)
  }

  private func exchange(_ request: Data?, within limit: Duration?) async -> Result<Data, AppEnd> {
    let life = life
    // The alarm may run after the answer has arrived, so it kills only a process without an answer.
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
        // If the process has closed its end, its exit status says more than this error.
        guard error != 0, error != EPIPE, error != ECONNRESET else { return }
        life.kill(because: .unreachable(error))
      }
    } onCancel: {
      life.kill(because: .cancelled)
    }
  }

  /// A process is quiet if its threads do nothing for this time.
  private static let quietTime = Duration.milliseconds(10)
  /// The first pause between two readings of a busy process. Each later pause is twice as long, but
  /// at most `quietTime`.
  private static let firstPause = Duration.milliseconds(1)
  /// After this number of readings, the process counts as working. The readings take a second, or
  /// more on a slow machine.
  private static let readingLimit = 90

  package enum Activity: Hashable, Sendable {
    /// The process is idle or gone, or the test was canceled.
    case quiet
    /// The process was still at work after ``readingLimit`` readings.
    case working
    /// The last reading failed with this error number.
    case readingFailed(Int32)
  }

  /// Reads once what the threads of the process do. Returns 0, ESRCH if it is gone, or another
  /// error number.
  func readActivity(_ activity: inout cpr_activity) -> Int32 { cpr_look_at(id, &activity) }

  /// Waits until all threads of the process are idle, or the process is gone. Gives up after
  /// ``readingLimit`` readings.
  package func waitUntilQuiet() async -> Activity { await waitUntilQuiet(by: readActivity) }

  func waitUntilQuiet(by readActivity: (inout cpr_activity) -> Int32) async -> Activity {
    let unknownActivity = cpr_activity(switches: 0, running: -1)
    var previousActivity = unknownActivity
    var pause = Self.firstPause
    var error: Int32 = 0
    for _ in 0..<Self.readingLimit {
      var currentActivity = unknownActivity
      error = readActivity(&currentActivity)
      guard error != ESRCH else { return .quiet }
      if error != 0 { currentActivity = unknownActivity }
      if currentActivity.running == 0, previousActivity.running == 0,
        currentActivity.switches == previousActivity.switches
      {
        return .quiet
      }
      previousActivity = currentActivity
      do {
        try await Task.sleep(for: currentActivity.running == 0 ? Self.quietTime : pause)
      } catch {
        // The test was canceled, which ends the app.
        return .quiet
      }
      pause = min(pause * 2, Self.quietTime)
    }
    return error == 0 ? .working : .readingFailed(error)
  }

  /// Stops the process and all others in its group, as iOS suspends an app.
  ///
  /// - Parameter seconds: The time to wait until they have stopped. A thread that waits for a disk
  ///   does not stop. Neither does a process if a debugger holds the signal back.
  /// - Returns: 0, or an error number if the processes do not stop. Also 0 if the process has
  ///   ended.
  package func suspend(within seconds: Int32) -> Int32 { life.suspend(within: seconds) }

  package func resume() { life.resume() }

  /// From now on, the process is killed if anything else stops it, for example a debugger.
  package func endIfStopped() { life.endIfStopped() }

  /// Kills the process if it runs. Waits until it and all processes that it left running are gone.
  package func end() {
    life.kill(because: .endedBySystem)
    life.waitUntilGone()
  }
}
