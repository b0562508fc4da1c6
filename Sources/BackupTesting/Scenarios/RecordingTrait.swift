public import BackupVerdicts
public import Testing

/// A trait that decides when the scenarios of a test or suite write their golden files.
public struct RecordingTrait: TestTrait, SuiteTrait, TestScoping {
  @TaskLocal static var current: RecordMode?

  let mode: RecordMode

  /// Always `true`, so that the trait of a suite applies to each test in the suite.
  public var isRecursive: Bool { true }

  /// Runs a test. Its scenarios write golden files as the trait's mode says.
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
  /// Decides when the scenarios of a test or suite write their golden files.
  ///
  /// The trait takes precedence over the environment variable `BACKUP_TESTING_RECORD`.
  ///
  /// ```swift
  /// @Suite(.recording(.never)) struct RecordedTests {}
  /// ```
  ///
  /// - Parameter mode: The mode, such as `.never` or `.missing`.
  /// - Returns: A trait for a test or a suite.
  public static func recording(_ mode: RecordMode) -> Self { RecordingTrait(mode: mode) }
}
