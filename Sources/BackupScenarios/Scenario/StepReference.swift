public import BackupDiagnostics

extension Scenario {
  /// Which step of a scenario: one of `steps` or one of `launch`, both from 1, with its place; or
  /// which call of a test without a scenario file.
  public struct StepReference: Hashable, Sendable {
    /// Where a step stands.
    @nonexhaustive
    public enum Number: Hashable, Sendable {
      /// In `steps`.
      case step(Int)
      /// In `launch`.
      case launch(Int)
      /// A test's call, counted from 1, at a line of the test's file.
      case call(Int, line: Int)
    }

    /// Its number.
    public let number: Number
    /// Where it begins in the scenario file, or the test's.
    public let position: SourcePosition
    /// What it does, in a few words: `save Documents/a.txt`.
    public let summary: String
  }
}

extension Scenario.StepReference.Number: CustomStringConvertible {
  /// `5`, or `launch 1`: as an expectation names the step; `line 42` for a test's call.
  public var description: String {
    switch self {
    case .step(let number): "\(number)"
    case .launch(let number): "launch \(number)"
    case .call(_, let line): "line \(line)"
    }
  }
}

extension Scenario.StepReference: CustomStringConvertible {
  /// `step 5`, `launch step 1`, or `line 42` for a test's call.
  public var description: String {
    switch number {
    case .step(let number): "step \(number)"
    case .launch(let number): "launch step \(number)"
    case .call(_, let line): "line \(line)"
    }
  }
}
