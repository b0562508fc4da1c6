import BackupDiagnostics
import Foundation
import Testing

/// What is wrong, said to whichever library runs the test.
enum TestIssue {
  /// Records an issue and, outside of Swift Testing's tests, a failure of XCTest's too: an
  /// `XCTestCase` does not report issues.
  ///
  /// A task that a test of Swift Testing detached has no current test either. Its issue is
  /// reported; the failure goes to XCTest too, which runs no test at that time. The XCTest that is
  /// written in Swift ignores it, what Apple's does is unknown, and if XCTest is loaded without a
  /// call that the kit knows, the process is ended.
  ///
  /// - Parameters:
  ///   - text: What is wrong, and what to do.
  ///   - isFailure: Whether it fails the test; else it is a warning, which XCTest does not have.
  ///   - sourceLocation: Where it is shown.
  static func record(
    _ text: String, isFailure: Bool = true, at sourceLocation: SourceLocation
  ) {
    let text = text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { inLog(String($0)) }.joined(separator: "\n")
    Issue.record(
      Comment(rawValue: text), severity: isFailure ? .error : .warning,
      sourceLocation: sourceLocation)
    guard isFailure, Test.current == nil else { return }
    fail(text, file: sourceLocation.filePath, line: sourceLocation.line)
  }

  /// A line as a log takes it: what an app says moves no cursor, and is no command of a build
  /// machine.
  private static func inLog(_ line: String) -> String {
    let line = line.onOneLine
    let start = line.drop { $0 == " " }
    return start.hasPrefix("::") || start.hasPrefix("##[") ? "'\(line)'" : line
  }

  /// Fails the test that XCTest runs, which the kit does not link; nothing where XCTest is not
  /// there.
  ///
  /// Where XCTest is there without a call that fails a test, the process is ended: a test that
  /// should fail is never green.
  private static func fail(_ message: String, file: String, line: Int) {
    guard isLoaded else { return }
    if let call {
      call.record(message, file, line)
    } else {
      let text =
        "\(file):\(line): error: \(message)\nThe process ends here, because this version of "
        + "XCTest has no failure call that BackupTesting knows\n"
      try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
      abort()
    }
  }

  /// Whether XCTest is in this process: by its class in Objective-C, or in Swift.
  private static var isLoaded: Bool {
    ["XCTestCase", "XCTest.XCTestCase"].contains { NSClassFromString($0) != nil }
  }

  /// The call of this process's XCTest.
  private static let call = XCTestFailureCall { dlsym(dlopen(nil, RTLD_LAZY), $0) }
}
