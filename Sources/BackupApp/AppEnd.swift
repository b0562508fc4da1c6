import BackupFileTree
import CBackupProcess
import Foundation

package enum AppEnd: Error, Hashable {
  case exited(Int32)
  /// A signal that the kit did not send ended the app.
  case signal(Int32)
  /// A signal that the kit did not send stopped the app, which was then killed.
  case stopped(Int32)
  /// The app took too long to answer, and was killed.
  case timeLimit
  /// The test was canceled, and the app was killed.
  case cancelled
  case ended
  /// The app sent something that is not a message, and was killed.
  case garbage
  /// A request could not be sent, with this error number, and the app was killed.
  case unreachable(Int32)
  /// Another part of this process took the app's status.
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
      "could not get the kit's request (\(MachineFault.words(for: number))), and was killed"
    case .unknown: "ended with an unknown status"
    }
  }

  /// The possible cause, as words after a sentence; empty if the description says it.
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

/// An error about an app that could not be started, or that ended before its code did. It never
/// meets the `throws` of a step.
package struct AppFailure: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String
  /// The system's error number, or nil if the system refused nothing.
  package let number: Int32?

  package init(_ description: String, because number: Int32? = nil) {
    self.description = description
    self.number = number
  }

  package var isMachineFault: Bool { number.map(MachineFault.isOne) ?? false }
}
