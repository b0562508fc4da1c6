/// Which step of a scenario: one of `steps` or one of `launch`, both from 1, with its place.
public struct StepReference: Hashable, Sendable {
  /// Where a step stands.
  public enum Number: Hashable, Sendable {
    /// In `steps`.
    case step(Int)
    /// In `launch`.
    case launch(Int)
  }

  /// Its number.
  public let number: Number
  /// Where it begins in the scenario file.
  public let position: SourcePosition
  /// What it does, in a few words: `save Documents/a.txt`.
  public let summary: String
}

extension StepReference.Number: CustomStringConvertible {
  /// `5`, or `launch 1`: as an expectation names the step.
  public var description: String {
    switch self {
    case .step(let number): "\(number)"
    case .launch(let number): "launch \(number)"
    }
  }
}

extension StepReference: CustomStringConvertible {
  /// `step 5`, or `launch step 1`.
  public var description: String {
    switch number {
    case .step(let number): "step \(number)"
    case .launch(let number): "launch step \(number)"
    }
  }
}
