import BackupContainer
import BackupFileTree

extension Scenario {
  /// One step of a scenario.
  public struct Step: Sendable {
    /// Its number, place and summary.
    public let reference: Scenario.StepReference
    /// How it has to fail; nil when it has to succeed.
    let expectedFailure: ExpectedFailure?
    /// What it does.
    let action: any StepAction
  }
}

/// How a step says it must fail.
enum ExpectedFailure: Hashable, Sendable {
  /// `throws: true`.
  case any
  /// `throws: "noSuchFile"` and the like.
  case code(FileOperationError.Code)

  /// The words a scenario may use.
  static let codes: [FileOperationError.Code] = [.noSuchFile, .fileExists, .unavailable]

  /// Whether a failure is the expected one.
  func matches(_ failure: StepFailure) -> Bool {
    switch self {
    case .any: true
    case .code(let code): failure.code == code
    }
  }
}

extension ExpectedFailure: CustomStringConvertible {
  /// The word a scenario uses.
  var description: String {
    switch self {
    case .any: "any error"
    case .code(let code): "'\(code.name)'"
    }
  }
}

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

/// What a kind of step does; adding one means one file and one line in ``StepKind/all``.
protocol StepAction: Sendable {
  /// The key by which a scenario file names it.
  static var keyword: String { get }

  /// Reads it from a step's object; nil when the mistakes it noted leave nothing to run.
  init?(reading step: inout StepReader)

  /// What it does, in a few words.
  var summary: String { get }

  /// Who does it.
  static var actor: StepActor { get }

  /// Does it.
  func perform(in run: inout ScenarioRun) async throws(StepFailure)
}

/// Who does a step.
enum StepActor: Hashable, Sendable {
  /// The app, which is started for it where it does not run.
  case app
  /// The system.
  case system
  /// Nobody: the step only looks.
  case observer
}

/// Every kind of step.
enum StepKind {
  /// The kinds, in the order the documentation lists them.
  static let all: [any StepAction.Type] = [
    CreateDirectoryStep.self, SaveStep.self, AppendStep.self, ExcludeStep.self, IncludeStep.self,
    MoveStep.self, CopyStep.self, RemoveStep.self, LinkStep.self, ReadStep.self, PerformStep.self,
    RunStep.self, BackupStep.self, PurgeStep.self, UpdateAppStep.self, UpdateSystemStep.self,
    RestoreStep.self, RelaunchStep.self, ExpectFilesStep.self, ExpectBackupStep.self,
  ]

  /// The keys that name a step.
  static let keywords = all.map { $0.keyword }
}
