import BackupContainer
import BackupFileTree

/// A step that could not be done.
package struct StepFailure: Error, Sendable, CustomStringConvertible {
  /// The kind of failure, for `throws`; nil when it has none.
  let code: FileOperationError.Code?
  /// Why, in a sentence.
  package let description: String
  /// Whether a rule reports it, so that the run can go on.
  let isReportedByRule: Bool
  /// Whether `throws` can ask for it; not where the app never got to act.
  let canBeExpected: Bool
  /// The container that could not be read or written, where that is why.
  let cause: FakeContainerError?

  /// A failure in words.
  init(
    _ description: String, code: FileOperationError.Code? = nil, isReportedByRule: Bool = false,
    canBeExpected: Bool = true, cause: FakeContainerError? = nil
  ) {
    self.description = description
    self.code = code
    self.isReportedByRule = isReportedByRule
    self.canBeExpected = canBeExpected
    self.cause = cause
  }

  /// A failed file operation.
  init(_ error: FileOperationError, isReportedByRule: Bool = false) {
    self.init(
      error.description, code: error.code, isReportedByRule: isReportedByRule,
      canBeExpected: error.code != .unsupportedName)
  }

  /// A failed operation of a step; says what to do where a directory is missing.
  init(_ error: FileOperationError, in operation: FileOperation) {
    let isMissingParent = error.code == .noSuchFile && error.path.isAncestor(of: operation.path)
    let advice = isMissingParent ? "; { createDirectory: \"\(error.path)\" } makes it" : ""
    self.init(
      error.description + advice, code: error.code,
      canBeExpected: error.code != .unsupportedName)
  }

  /// A container that could not be read or written.
  init(_ error: FakeContainerError) {
    self.init(error.description, cause: error)
  }
}
