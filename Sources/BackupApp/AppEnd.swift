import BackupFileTree
import CBackupProcess
import Foundation

package enum AppEnd: Error, Hashable {
  case exited(Int32)
  /// A signal ended it that the kit has not sent.
  case signal(Int32)
  /// A signal stopped it that the kit has not sent, and it was killed.
  case stopped(Int32)
  /// What it was asked for took too long, and it was killed.
  case timeLimit
  /// The test was cancelled, and it was killed.
  case cancelled
  case ended
  /// It has sent what is no message, and was killed.
  case garbage
  /// A request could not be sent to it, with the error number, and it was killed.
  case unreachable(Int32)
  /// Another part of this process has taken its status.
  case unknown

  package func description(timeLimit: Duration?) -> String {
    switch self {
    case .exited(let status): "exited with status \(status)"
    case .signal(let number):
      "was ended by signal \(number) (\(String(cString: strsignal(number))))"
    case .stopped(let number):
      "was stopped by signal \(number) (\(String(cString: strsignal(number)))), and was killed"
    case .timeLimit:
      "did not answer within \(timeLimit.map { "\($0)" } ?? "its time limit"), and was killed"
    case .cancelled: "was killed because the test was cancelled"
    case .ended: "was ended by the system"
    case .garbage:
      "was killed because it wrote to file descriptor \(CPR_CHANNEL), through which the kit talks "
        + "to the app"
    case .unreachable(let number):
      "could not be asked (\(MachineFault.words(for: number))), and was killed"
    case .unknown: "ended with an unknown status"
    }
  }

  /// What may have brought it about, to be put behind a sentence; empty if that is said.
  package var hint: String {
    switch self {
    case .signal(SIGKILL):
      ". The app's own code or the system may have sent that signal. The kit sends it if the app "
        + "executes another program, or writes to or closes file descriptor \(CPR_CHANNEL), "
        + "through which the kit talks to the app"
    case .stopped:
      ". The app's own code may have sent that signal, or has read from a terminal"
    case .exited(AppChannel.lossStatus):
      ". The kit ends the app with that status if its code closes file descriptor \(CPR_CHANNEL), "
        + "through which the kit talks to the app"
    case .garbage: ". The app's code must write only to descriptors that it has opened"
    case .unknown: ". Check whether the test's process ignores SIGCHLD"
    default: ""
    }
  }
}

/// An app that could not be started, or has ended before its code did: never what a `throws` asks
/// for.
package struct AppFailure: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String
  /// The error number with which the system refused something; nil if it did not.
  package let number: Int32?

  package init(_ description: String, because number: Int32? = nil) {
    self.description = description
    self.number = number
  }

  package var isMachineFault: Bool { number.map(MachineFault.isOne) ?? false }
}
