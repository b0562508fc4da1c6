import BackupFileTree
import BackupJSON5

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

  /// The key that every step of the app may have.
  static let field = Field(
    "throws", .expectedFailure, default: .value(false),
    "The step must fail: in any way (true), or in just this way.")

  /// The same key where a step that is not the app's has it.
  static let refusedField = Field("throws", .refusedFailure, "How the step must fail.")

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

extension Form where Value == ExpectedFailure {
  /// How a step has to fail; nothing for `false`.
  fileprivate static var expectedFailure: Form {
    let code = word(ExpectedFailure.codes.map { ($0.name, ExpectedFailure.code($0)) })
    let words: [Schema] = [true, false] + ExpectedFailure.codes.map { .text($0.name) }
    return Form(
      expected: code.expected, words: "`true`, `false`, \(code.words)",
      schema: ["enum": .list(words)]
    ) { reader in
      if case .bool(let isExpected) = reader.value.kind { return isExpected ? .any : nil }
      return code.read(reader)
    }.named("throws", "How a step must fail: in any way (true), or in just this way.")
  }

  /// Nothing: for a step that is not the app's.
  fileprivate static var refusedFailure: Form {
    Form(expected: "nothing", words: "nothing", schema: false) { reader in
      reader.note("'throws' is for steps of the app; this one cannot fail")
      return nil
    }
  }
}
