import BackupApp
import BackupDiagnostics
import BackupFileTree

/// The failure of a step, before its place is known: ``Transcript/Failure`` adds the step.
package struct StepFailure: Error, Sendable, CustomStringConvertible {
  package let outcome: Outcome
  package let description: String
  /// The kind of failure, for `throws`; nil when it has none.
  let code: FileOperation.Failure.Code?
  /// The container that could not be read or written, where that is why.
  let cause: RunError?
  /// The value in the scenario file that is to blame; nil for the step itself.
  private(set) var position: SourcePosition?
  /// The functions on the stack at the `throw` of the app's code; empty if they are not known.
  var callers: [UInt64] = []

  /// An argument that is not what the app's code asks for. No `throws` can expect that.
  init(mistakenArgument message: String, at position: SourcePosition?) {
    self.init(message, .notAllowed)
    self.position = position
  }

  init(
    _ description: String, _ outcome: Outcome = .failed(.simulated),
    code: FileOperation.Failure.Code? = nil, cause: RunError? = nil
  ) {
    self.description = description
    self.outcome = outcome
    self.code = code
    self.cause = cause
  }

  static let cancelled = StepFailure("the test was cancelled before this step", .cancelled)

  static let killed = StepFailure("the app was killed", .killed)

  init(_ error: FileOperation.Failure) {
    let outcome: Outcome =
      switch error.code {
      case .machineFault: .machineFault
      case .unsupportedName: .notAllowed
      default: .failed(.simulated)
      }
    self.init(error.description, outcome, code: error.code)
  }

  /// A simulated call that could not be done, which a rule reports.
  init(reportedByRule error: FileOperation.Failure) {
    self.init(error.description, .reported(.simulated), code: error.code)
  }

  /// A process of the app's, or a tool, that could not be started.
  init(starting failure: AppFailure) {
    self.init(failure.description, failure.isMachineFault ? .machineFault : .notAllowed)
  }

  /// A container that could not be read or written.
  init(_ error: RunError) {
    self.init(error.description, error.isMachineFault ? .machineFault : .notAllowed, cause: error)
  }
}

extension StepFailure {
  /// The kind of a step's failure.
  package enum Outcome: Hashable, Sendable {
    /// The app could not do it, so `throws` can ask for that.
    case failed(Act)
    /// The same, but a rule reports it, so that the run can go on.
    case reported(Act)
    /// The process of the app's code came to its end before the code did.
    case codeEnded
    /// The app's code missed what a step took away in which the app was killed.
    case missedInterruptedItem
    /// The app is not on the device.
    case appMissing
    case killed
    /// The step did not make the change that its `killed` or `storageFull` names.
    case changeNeverCame
    /// The machine lacks something, which says nothing of the app.
    case machineFault
    /// The run does not let the step be done, as by a limit or without permission.
    case notAllowed
    /// The test was cancelled before the step.
    case cancelled

    /// What a step of the app's does.
    package enum Act: Hashable, Sendable {
      case simulated
      case code
    }

    /// Whether `throws` can ask for it, or `mayThrow` allow it.
    var canBeExpected: Bool {
      switch self {
      case .failed, .reported, .missedInterruptedItem: true
      case .codeEnded, .appMissing, .killed, .changeNeverCame, .machineFault, .notAllowed,
        .cancelled:
        false
      }
    }

    package var isReportedByRule: Bool {
      if case .reported = self { true } else { false }
    }

    /// Whether the machine or the run itself is why, and not the app.
    package var isOfRun: Bool {
      switch self {
      case .machineFault, .notAllowed, .cancelled, .killed: true
      case .failed, .reported, .codeEnded, .missedInterruptedItem, .appMissing, .changeNeverCame:
        false
      }
    }

    /// What of the app's failed; nil if something else is why.
    package var failedAct: Act? {
      switch self {
      case .failed(let act), .reported(let act): act
      case .codeEnded: .code
      case .missedInterruptedItem, .appMissing, .killed, .changeNeverCame, .machineFault,
        .notAllowed, .cancelled:
        nil
      }
    }
  }
}
