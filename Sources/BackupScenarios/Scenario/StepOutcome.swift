import BackupDiagnostics
import BackupFileTree

struct StepFailure: Error, Sendable, CustomStringConvertible {
  /// The kind of failure, for `throws`; nil when it has none.
  let code: FileOperationError.Code?
  let description: String
  /// Whether a rule reports it, so that the run can go on.
  let isReportedByRule: Bool
  /// Whether `throws` can ask for it; not where the app never got to act.
  let canBeExpected: Bool
  /// Whether the app was killed, as its step says.
  var isKill = false
  /// Whether the machine lacks something, which says nothing of the app.
  var isMachineFault = false
  /// Whether code of the app's own failed.
  var isOfCode = false
  /// Whether the step never came to the change that its `killed` or `storageFull` names.
  var neverCame = false
  /// Whether such a step is impossible in the present state.
  var isImpossible = false
  /// The container that could not be read or written, where that is why.
  let cause: RunError?

  init(
    _ description: String, code: FileOperationError.Code? = nil, isReportedByRule: Bool = false,
    canBeExpected: Bool = true, cause: RunError? = nil
  ) {
    self.description = description
    self.code = code
    self.isReportedByRule = isReportedByRule
    self.canBeExpected = canBeExpected
    self.cause = cause
  }

  /// The failure of a step that did not begin, since its test was cancelled.
  static let cancelled = StepFailure(
    "the test was cancelled before this step", canBeExpected: false)

  static let killed: StepFailure = {
    var failure = StepFailure("the app was killed", canBeExpected: false)
    failure.isKill = true
    return failure
  }()

  init(_ error: FileOperationError, isReportedByRule: Bool = false) {
    self.init(
      error.description, code: error.code, isReportedByRule: isReportedByRule,
      // What the kit or the machine cannot do is no failure of the app's.
      canBeExpected: error.code != .unsupportedName && error.code != .machineFault)
    self.isMachineFault = error.code == .machineFault
  }

  /// The failure of the app's code that the machine is to blame for.
  static func machineFault(_ description: String) -> StepFailure {
    var failure = StepFailure(description, canBeExpected: false)
    failure.isMachineFault = true
    return failure
  }

  /// A container that could not be read or written.
  init(_ error: RunError) {
    self.init(error.description, canBeExpected: false, cause: error)
    self.isMachineFault = error.isMachineFault
  }
}
