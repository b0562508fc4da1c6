import BackupApp
import BackupDiagnostics
import BackupFileTree

/// The failure of a step. ``Transcript/Failure`` adds the step.
package struct StepFailure: Error, Sendable, CustomStringConvertible {
  package let outcome: Outcome
  package let description: String
  /// The error that the key `throws` can name; nil for any other failure.
  let code: FileOperation.Failure.Code?
  /// The error of reading or writing the container; nil for any other cause.
  let containerError: RunError?
  /// The position of the wrong value in the scenario file; nil for the step itself.
  private(set) var position: SourcePosition?
  /// The return addresses on the stack where the app's code threw the error; empty if they are
  /// unknown.
  var returnAddresses: [UInt64] = []

  /// Creates the failure for an argument that the app's code cannot use. The key `throws` cannot
  /// expect this failure.
  init(mistakenArgument message: String, at position: SourcePosition?) {
    self.init(message, .notAllowed)
    self.position = position
  }

  init(
    _ description: String, _ outcome: Outcome = .failed(.simulated),
    code: FileOperation.Failure.Code? = nil, containerError: RunError? = nil
  ) {
    self.description = description
    self.outcome = outcome
    self.code = code
    self.containerError = containerError
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

  /// Creates a failure of a simulated step. A rule reports this failure.
  init(reportedByRule error: FileOperation.Failure) {
    self.init(error.description, .reported(.simulated), code: error.code)
  }

  /// Creates the failure to start a process of the app, or of a tool.
  init(starting failure: AppFailure) {
    self.init(failure.description, failure.isMachineFault ? .machineFault : .notAllowed)
  }

  /// Creates the failure to read or write a container.
  init(_ error: RunError) {
    self.init(
      error.description, error.isMachineFault ? .machineFault : .notAllowed, containerError: error)
  }
}

extension StepFailure {
  /// The kind of a step's failure.
  package enum Outcome: Hashable, Sendable {
    /// The app could not perform the step. The key `throws` can expect this failure.
    case failed(StepExecution)
    /// The app could not perform the step. A rule reports the failure, so the run can continue.
    case reported(StepExecution)
    /// The process of the app's code ended before the code returned.
    case codeEnded
    /// The app's code did not find an item that an interrupted step had removed.
    case missedInterruptedItem
    /// The app is not on the device.
    case appMissing
    case killed
    /// The step did not make the change that its `killed` or `storageFull` names.
    case noChangeToInterrupt
    /// The machine lacks something, for example memory or free storage. The app is not responsible.
    case machineFault
    /// The run does not allow the step, because of a limit or a missing permission.
    case notAllowed
    /// The test was cancelled before the step.
    case cancelled

    /// The execution of a step of the app: the kit simulates it, or the app's own code runs.
    package enum StepExecution: Hashable, Sendable {
      case simulated
      case code
    }

    /// True if `throws` can expect the failure, or `mayThrow` can allow it.
    var canBeExpected: Bool {
      switch self {
      case .failed, .reported, .missedInterruptedItem: true
      case .codeEnded, .appMissing, .killed, .noChangeToInterrupt, .machineFault, .notAllowed,
        .cancelled:
        false
      }
    }

    package var isReportedByRule: Bool {
      if case .reported = self { true } else { false }
    }

    /// True if the cause is the machine or the run itself, and not the app.
    package var hasCauseOutsideApp: Bool {
      switch self {
      case .machineFault, .notAllowed, .cancelled, .killed: true
      case .failed, .reported, .codeEnded, .missedInterruptedItem, .appMissing,
        .noChangeToInterrupt:
        false
      }
    }

    /// The execution of the step, if its outcome is `failed`, `reported` or `codeEnded`; nil for
    /// any other outcome.
    package var failedExecution: StepExecution? {
      switch self {
      case .failed(let execution), .reported(let execution): execution
      case .codeEnded: .code
      case .missedInterruptedItem, .appMissing, .killed, .noChangeToInterrupt, .machineFault,
        .notAllowed, .cancelled:
        nil
      }
    }
  }
}
