import BackupContainer
import BackupDiagnostics
import Foundation
package import Testing

/// Records issues in Swift Testing or XCTest, whichever runs the test.
package enum TestIssue {
  /// An issue that ``collecting(isolation:_:)`` returned instead of recording it.
  package struct CollectedIssue: Sendable {
    package let text: String
    package let isFailure: Bool
    package let sourceLocation: SourceLocation
  }

  /// The list that receives the issues of this task instead of the test library; nil outside of
  /// ``collecting(isolation:_:)``.
  ///
  /// This is no function, because optimized code of Swift 6.3 crashes if a task-local value is one.
  @TaskLocal private static var collectedIssues: Locked<[CollectedIssue]>?

  /// True if a test of the kit collects the issues of this task.
  static var isCollecting: Bool { collectedIssues != nil }

  /// Runs code, and returns the issues that the kit would otherwise record. Only tests of the kit
  /// call this method.
  package static func collecting(
    isolation: isolated (any Actor)? = #isolation, _ code: () async throws -> Void
  ) async rethrows -> [CollectedIssue] {
    let issues = Locked<[CollectedIssue]>([])
    try await $collectedIssues.withValue(issues) { try await code() }
    return issues.withLock { $0 }
  }

  /// True while the kit records an issue of its own. ``reportingFailures(in:_:_:)`` skips this
  /// issue, because the kit itself adds its failures to the report.
  @TaskLocal static var isRecordingOwnIssue = false

  /// Records an issue that belongs to no scenario. If it is a failure, adds it to the report of the
  /// tests.
  package static func record(
    _ text: String, isFailure: Bool = true, at sourceLocation: SourceLocation
  ) {
    let fails = recordWithoutReport(text, isFailure: isFailure, at: sourceLocation)
    if fails { TestProcess.current.add(failure: text, at: sourceLocation) }
  }

  /// Records an issue without adding it to the report, and returns whether it fails the test.
  ///
  /// An `XCTestCase` does not report issues of Swift Testing. If the task has no current test of
  /// Swift Testing, the method therefore also records a failure in XCTest. If XCTest is loaded, but
  /// the kit does not know how to record a failure in it, the method ends the process.
  ///
  /// A detached task has no current test, even if a test of Swift Testing created it. XCTest then
  /// gets a failure although XCTest runs no test. The XCTest that is written in Swift ignores this
  /// failure. The behavior of Apple's XCTest is unknown.
  @discardableResult
  package static func recordWithoutReport(
    _ text: String, isFailure: Bool = true, at sourceLocation: SourceLocation
  ) -> Bool {
    // The text may contain output of the app. This output must not move the cursor of a terminal,
    // and a build server must not execute it as a command.
    let text = text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { String($0).onOneLine.asLogLine }.joined(separator: "\n")
    if let collectedIssues {
      let issue = CollectedIssue(text: text, isFailure: isFailure, sourceLocation: sourceLocation)
      collectedIssues.withLock { $0.append(issue) }
      return isFailure
    }
    let issue = $isRecordingOwnIssue.withValue(true) {
      Issue.record(
        Comment(rawValue: text), severity: isFailure ? .error : .warning,
        sourceLocation: sourceLocation)
    }
    guard isFailure, Test.current == nil else { return issue.isFailure }
    let isAppInTestProcess = TestProcess.current.hasWarnedOfAppInTestProcess.withLock { $0 }
    // XCTest does not show the kit's warning of an app in the test's process, so the failure
    // repeats the warning.
    let note = "\nThe app's code ran in the test's process, because XCTest cannot start its own."
    fail(
      isAppInTestProcess ? text + note : text, file: sourceLocation.filePath,
      line: sourceLocation.line)
    return true
  }

  /// True while this task runs in ``reportingFailures(in:_:_:)``. A nested call then adds no
  /// failure a second time.
  @TaskLocal private static var isReportingFailures = false

  /// Runs code of a test, and adds the failures of this code to the report of the tests: failed
  /// expectations, and the error that the code throws.
  static func reportingFailures(
    in test: Test?, _ testCase: Test.Case?, _ code: @Sendable () async throws -> Void
  ) async throws {
    let process = TestProcess.current
    guard let test, process.hasReport, !isReportingFailures else { return try await code() }
    process.beginReport()
    let issueTrait = IssueHandlingTrait.compactMapIssues { issue in
      if issue.isFailure, !isRecordingOwnIssue {
        process.add(failure: "\(issue)", at: issue.sourceLocation ?? test.sourceLocation)
      }
      return issue
    }
    do {
      try await $isReportingFailures.withValue(true) {
        try await issueTrait.provideScope(for: test, testCase: testCase, performing: code)
      }
    } catch {
      // `Test.cancel` throws a `SkipInfo`, which is no failure.
      if "\(type(of: error))" != "SkipInfo" {
        process.add(failure: "caught error: \(error)", at: test.sourceLocation)
      }
      throw error
    }
  }

  /// Fails the current test of XCTest. Does nothing if XCTest is not loaded.
  ///
  /// The kit does not link XCTest, so it looks for XCTest's function at run time. If XCTest is
  /// loaded but has no function that the kit knows, the method ends the process. Otherwise, a test
  /// that should fail would pass.
  private static func fail(_ message: String, file: String, line: Int) {
    // The names of XCTest's class in Objective-C and in Swift.
    let isLoaded = ["XCTestCase", "XCTest.XCTestCase"].contains { NSClassFromString($0) != nil }
    guard isLoaded else { return }
    if let failureCall {
      failureCall.record(message, file, line)
    } else {
      FileHandle.note(
        "\(file):\(line): error: \(message)\nThe process ends here, because this version of "
          + "XCTest has no failure call that BackupTesting knows\n")
      abort()
    }
  }

  private static let failureCall = XCTestFailureCall { dlsym(dlopen(nil, RTLD_LAZY), $0) }
}

/// XCTest's function that fails the current test.
struct XCTestFailureCall: Sendable {
  let record: @Sendable (_ message: String, _ file: String, _ line: Int) -> Void

  /// The symbol of the function that the Objective-C macros of XCTest call on Apple platforms.
  private static let appleName = "_XCTFailureHandler"
  /// The symbol of `XCTFail(_:file:line:)` in the XCTest that is written in Swift.
  private static let swiftName = "$s6XCTest7XCTFail_4file4lineySS_s12StaticStringVSutF"

  /// Finds Apple's function or the function in Swift. Returns nil if neither is loaded.
  init?(at address: (String) -> UnsafeMutableRawPointer?) {
    if let function = address(Self.appleName) {
      let call = unsafeBitCast(function, to: AppleFunction.self)
      self.record = { message, file, line in
        // Without a test, Apple's function fails the current test. Without a format, it reads no
        // further arguments.
        withExtendedLifetime(NSString(string: message)) { text in
          call(nil, true, file, UInt(line), Unmanaged.passUnretained(text).toOpaque(), nil)
        }
      }
    } else if let function = address(Self.swiftName) {
      let call = unsafeBitCast((function, nil as UnsafeRawPointer?), to: SwiftFunction.self)
      self.record = { message, file, line in
        call.function(message, StaticString(immortal: file), UInt(line))
      }
    } else {
      return nil
    }
  }

  /// Apple's function. Its parameters are the test, whether the failure was expected, the file, the
  /// line, the condition that failed, and a format for more text.
  typealias AppleFunction =
    @convention(c) (
      UnsafeRawPointer?, Bool, UnsafePointer<CChar>, UInt, UnsafeRawPointer, UnsafeRawPointer?
    ) -> Void

  /// The function in Swift. Swift stores a function as its address and the values that it captures.
  private struct SwiftFunction {
    let function: @Sendable (String, StaticString, UInt) -> Void
  }
}

extension StaticString {
  /// Creates a static string from text at run time. The text stays in memory until the process
  /// ends.
  fileprivate init(immortal text: String) {
    let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.utf8.count)
    _ = bytes.initialize(from: text.utf8)
    // The flags 0 mean that the string is a pointer to bytes, and that some bytes are perhaps not
    // ASCII.
    let fields = (UInt(bitPattern: bytes.baseAddress), UInt(bytes.count), 0 as UInt8)
    self = unsafeBitCast(fields, to: StaticString.self)
  }
}
