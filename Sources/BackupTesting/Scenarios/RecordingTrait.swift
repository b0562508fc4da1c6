public import BackupVerdicts
public import Testing

/// A trait that decides when the scenarios of a test or suite write golden files.
public struct RecordingTrait: TestTrait, SuiteTrait, TestScoping {
  @TaskLocal static var current: RecordMode?

  let mode: RecordMode

  /// A Boolean value that indicates that the trait of a suite applies to its tests.
  public var isRecursive: Bool { true }

  /// Runs a test whose scenarios write golden files in the trait's mode.
  ///
  /// - Parameters:
  ///   - test: The test.
  ///   - testCase: The test case; nil for a suite.
  ///   - function: The function that runs the test.
  /// - Throws: The error that the test throws.
  public func provideScope(
    for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
  ) async throws {
    try await Self.$current.withValue(mode) { try await function() }
  }
}

extension Trait where Self == RecordingTrait {
  /// Decides when the scenarios of a test or suite write golden files, whatever the environment
  /// says.
  ///
  /// ```swift
  /// @Suite(.recording(.never)) struct RecordedTests {}
  /// ```
  ///
  /// - Parameter mode: The mode that decides when golden files are written.
  /// - Returns: A trait for a test or a suite.
  public static func recording(_ mode: RecordMode) -> Self { RecordingTrait(mode: mode) }
}
