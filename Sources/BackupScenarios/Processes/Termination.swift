import Foundation

/// How a tool ended, and what it printed.
struct Termination: Sendable {
  /// What ended it.
  enum Cause: Hashable, Sendable {
    /// It exited with a status.
    case exited(Int32)
    /// A signal ended it.
    case signal(Int32)
    /// It took too long and was killed.
    case timeLimit
    /// The test was cancelled, and it was killed.
    case cancelled
    /// Another part of this process has taken its status.
    case unknown
  }

  /// What ended it.
  let cause: Cause
  /// What it printed.
  let output: ProcessOutput

  /// Whether it did what it was to do.
  var isSuccess: Bool { cause == .exited(0) }

  /// Whether the tool itself said that it failed.
  var isFailureOfItsOwn: Bool {
    switch cause {
    case .exited, .signal: true
    case .timeLimit, .cancelled, .unknown: false
    }
  }

  /// How it ended, in words that follow its name.
  func description(timeLimit: Double) -> String {
    switch cause {
    case .exited(let status): "ended with status \(status)"
    case .signal(let number):
      "was ended by signal \(number) (\(String(cString: strsignal(number))))"
    case .timeLimit:
      "did not end within its time limit of \(Self.number(timeLimit)) seconds, and was killed with "
        + "all that it started; 'timeLimit' allows more"
    case .cancelled: "was killed because the test was cancelled"
    case .unknown: "ended, but its status is not known: is SIGCHLD ignored in this process?"
    }
  }

  /// A number without needless decimals.
  private static func number(_ value: Double) -> String {
    Int(exactly: value).map { "\($0)" } ?? "\(value)"
  }
}
