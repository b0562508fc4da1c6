import CBackupProcess
import Foundation

package enum AppEnd: Hashable, Sendable {
  case exited(Int32)
  /// A signal ended it that the kit has not sent.
  case signal(Int32)
  /// What it was asked for took too long, and it was killed.
  case timeLimit
  /// The test was cancelled, and it was killed.
  case cancelled
  case ended
  /// It has sent what is no message, and was killed.
  case garbage
  /// Another part of this process has taken its status.
  case unknown

  package func description(timeLimit: Duration?) -> String {
    switch self {
    case .exited(let status): "exited with status \(status)"
    case .signal(let number):
      "was ended by signal \(number) (\(String(cString: strsignal(number))))"
    case .timeLimit:
      "did not answer within \(timeLimit.map { "\($0)" } ?? "its time limit"), and was killed"
    case .cancelled: "was killed because the test was cancelled"
    case .ended: "was ended by the system"
    case .garbage:
      "has sent what is no answer by descriptor \(CPR_CHANNEL), by which the kit talks to it, and was "
        + "killed: have its code write to no descriptor that it has not opened"
    case .unknown: "ended, but its status is not known: is SIGCHLD ignored in this process?"
    }
  }
}

extension AppEnd {
  /// What may have brought it about, to be put behind a sentence; empty if that is said.
  package var hint: String {
    switch self {
    case .signal(SIGKILL):
      ". Its own code or the system may have sent that; or the kit, where the process has written "
        + "to descriptor \(CPR_CHANNEL), by which the kit talks to it, has closed that, or has "
        + "executed another program"
    case .exited(AppChannel.lossStatus):
      ". The kit ends a process with that status when its code has closed descriptor "
        + "\(CPR_CHANNEL), by which the kit talks to it"
    default: ""
    }
  }
}

/// An app that could not be started, or has ended before its code did: never what a `throws` asks
/// for.
package struct AppFailure: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String

  package init(_ description: String) {
    self.description = description
  }
}
