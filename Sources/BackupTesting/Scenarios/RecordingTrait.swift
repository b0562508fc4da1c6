public import BackupVerdicts
public import Testing

/// Says when the scenarios of a test or suite write golden files.
public struct RecordingTrait: TestTrait, SuiteTrait, TestScoping {
  /// What the trait of the current test says; nil without one.
  @TaskLocal static var current: RecordMode?

  let mode: RecordMode

  /// Applies the trait of a suite to its tests.
  public var isRecursive: Bool { true }

  /// Runs a test whose scenarios write golden files as the trait says.
  ///
  /// - Parameters:
  ///   - test: The test.
  ///   - testCase: The test case; nil for a suite.
  ///   - function: Runs it.
  /// - Throws: What the test throws.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await Self.$current.withValue(mode) { try await function() }
  }
}

extension Trait where Self == RecordingTrait {
  /// Says when the scenarios of a test or suite write golden files, whatever the environment says.
  ///
  /// ```swift
  /// @Suite(.recording(.never)) struct RecordedTests {}
  /// ```
  ///
  /// - Parameter mode: When golden files are written.
  /// - Returns: A trait for a test or a suite.
  public static func recording(_ mode: RecordMode) -> Self { RecordingTrait(mode: mode) }
}
