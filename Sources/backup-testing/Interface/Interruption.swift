import BackupContainer
import BackupScenarios
import CBackupProcess
import Foundation

/// Ends the tool by a signal as it should be: with its containers removed, and what runs in them
/// killed.
///
/// The first signal cancels the command, whose runs then end as those of a cancelled test do. The
/// tool ends by the same signal as soon as nothing is left to be removed. A second one does not wait.
enum Interruption {
  /// The signals by which a user, a terminal or a build machine ends a tool.
  private static let signals = [SIGINT, SIGTERM, SIGHUP]

  /// Has signals cancel a command; those that were ignored when the tool was started stay ignored.
  ///
  /// Where no pipe or no thread can be made, a signal ends the tool at once, and what is left goes
  /// with the next run.
  static func cancels<Success>(_ command: Task<Success, Never>) {
    var ends: [Int32] = [0, 0]
    guard cpr_pipe(&ends) == 0 else { return }
    let descriptor = ends[0]
    let error = DetachedThread.start {
      guard let signal = nextSignal(from: descriptor) else { return }
      // In this order: a command that was cancelled ends as if it were done, and may say so.
      UnfinishedWork.shared.whenNothingIsLeft { cpr_end_by_signal(signal) }
      command.cancel()
      if let second = nextSignal(from: descriptor) { cpr_end_by_signal(second) }
    }
    guard error == 0 else { return ends.forEach { close($0) } }
    for signal in signals { _ = cpr_catch_signal(signal, ends[1]) }
  }

  /// Waits for a signal; nil where the pipe cannot be read, and then a second one ends the tool.
  private static func nextSignal(from descriptor: Int32) -> Int32? {
    var number: UInt8 = 0
    var count: Int
    repeat { count = read(descriptor, &number, 1) } while count < 0 && errno == EINTR
    return count == 1 ? Int32(number) : nil
  }
}
