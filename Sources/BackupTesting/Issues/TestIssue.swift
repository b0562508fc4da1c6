import Testing

/// What is wrong, said to whichever library runs the test.
enum TestIssue {
  /// Records an issue, and outside of Swift Testing's tests a failure of XCTest's too: in an
  /// `XCTestCase` nobody hears of an issue.
  ///
  /// A task that a test of Swift Testing detached has no current test either. Its issue is heard;
  /// the failure is XCTest's too, of which no test runs then. The XCTest that is written in Swift
  /// passes over it, what Apple's does is unknown, and where XCTest is loaded without a call that
  /// the kit knows, the process is ended.
  ///
  /// - Parameters:
  ///   - text: What is wrong, and what to do.
  ///   - isFailure: Whether it fails the test; else it is a warning, which XCTest does not have.
  ///   - sourceLocation: Where it is shown.
  static func record(
    _ text: String, isFailure: Bool = true, at sourceLocation: SourceLocation
  ) {
    Issue.record(
      Comment(rawValue: text), severity: isFailure ? .error : .warning,
      sourceLocation: sourceLocation)
    guard isFailure, Test.current == nil else { return }
    XCTestFailure.record(text, file: sourceLocation.filePath, line: sourceLocation.line)
  }
}
