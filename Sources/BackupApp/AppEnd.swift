import BackupFileTree
import CBackupProcess
import Foundation

/// The end of the app's process.
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
  /// The kit ended the app, as iOS does.
  case endedBySystem
  /// The app sent something that is not a message, and was killed.
  case invalidMessage
  /// A request could not be sent, with this error number, and the app was killed.
  case unreachable(Int32)
  /// Other code in this process took the app's exit status.
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
    case .endedBySystem: "was ended by the system"
    case .invalidMessage:
      "was killed because it wrote to file descriptor \(CPR_CHANNEL), through which the kit talks "
        + "to the app"
    case .unreachable(let number):
      "could not get the kit's request (\(MachineFault.words(for: number))), and was killed"
    case .unknown: "ended with an unknown status"
    }
  }

  /// Words about a possible cause, which follow the description in a message; empty if the
  /// description says enough.
  package var hint: String {
    switch self {
    case .signal(SIGKILL):
      ". The app's own code or the system may have sent that signal. The kit sends it if the app "
        + "executes another program, or writes to or closes file descriptor \(CPR_CHANNEL), "
        + "through which the kit talks to the app"
    case .stopped:
      ". The app's own code may have sent that signal, or has read from a terminal"
    case .exited(AppChannel.connectionLossStatus):
      ". The kit ends the app with that status if its code closes file descriptor \(CPR_CHANNEL), "
        + "through which the kit talks to the app"
    case .invalidMessage: ". The app's code must write only to descriptors that it has opened"
    case .unknown: ". Check whether the test's process ignores SIGCHLD"
    default: ""
    }
  }
}

/// An error of an app that could not be started, or that ended while its code ran. The app's code
/// has not thrown it, so the key `throws` of a step does not expect it.
package struct AppFailure: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String
  /// The error number of the failed system call; nil if no call failed.
  package let errorNumber: Int32?

  package init(_ description: String, because number: Int32? = nil) {
    self.description = description
    self.errorNumber = number
  }

  package var isMachineFault: Bool { errorNumber.map(MachineFault.includes) ?? false }
}
