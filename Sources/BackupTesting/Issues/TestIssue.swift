import BackupContainer
import BackupDiagnostics
import Foundation
package import Testing

/// Reports problems to the library that runs the test: Swift Testing or XCTest.
package enum TestIssue {
  /// An issue that was collected instead of recorded.
  package struct Collected: Sendable {
    package let text: String
    package let isFailure: Bool
    package let sourceLocation: SourceLocation
  }

  /// The function that receives the issues of a task in place of the test library; nil outside of ``collecting(_:)``.
  @TaskLocal private static var collect: (@Sendable (Collected) -> Void)?

  /// True if a test of the kit expects the issues of this task.
  static var isCollecting: Bool { collect != nil }

  /// Runs code, and returns the issues that the kit would record. Tests of the kit's issues use it.
  package static func collecting(
    isolation: isolated (any Actor)? = #isolation, _ code: () async throws -> Void
  ) async rethrows -> [Collected] {
    let issues = Locked<[Collected]>([])
    try await $collect.withValue({ issue in issues.withLock { $0.append(issue) } }) {
      try await code()
    }
    return issues.withLock { $0 }
  }

  /// True while the kit records an issue that it does not add to the results, for example because they have it.
  @TaskLocal static var isInResults = false

  /// Records an issue that belongs to no scenario, and adds a failure to the results that tests
  /// write.
  package static func record(
    _ text: String, isFailure: Bool = true, at sourceLocation: SourceLocation
  ) {
    let fails = show(text, isFailure: isFailure, at: sourceLocation)
    if fails { TestProcess.current.add(failure: text, at: sourceLocation) }
  }

  /// Records an issue that is in the result of a scenario, and returns whether it fails the test.
  ///
  /// Outside of a test of Swift Testing, it is also a failure in XCTest, because an `XCTestCase`
  /// does not report issues.
  ///
  /// A task that a test of Swift Testing detached has no current test either. Its issue is
  /// reported, and the failure also goes to XCTest, which runs no test at that time. The XCTest
  /// that is written in Swift ignores the failure; the behavior of Apple's XCTest is unknown. If XCTest is
  /// loaded without a call that the kit knows, the process is ended.
  @discardableResult
  package static func show(
    _ text: String, isFailure: Bool = true, at sourceLocation: SourceLocation
  ) -> Bool {
    // Text from an app must not move the cursor, or be taken for a command of a build machine.
    let text = text.split(separator: "\n", omittingEmptySubsequences: false)
      .map { String($0).onOneLine.asLogLine }.joined(separator: "\n")
    if let collect {
      collect(Collected(text: text, isFailure: isFailure, sourceLocation: sourceLocation))
      return isFailure
    }
    let issue = $isInResults.withValue(true) {
      Issue.record(
        Comment(rawValue: text), severity: isFailure ? .error : .warning,
        sourceLocation: sourceLocation)
    }
    guard isFailure, Test.current == nil else { return issue.isFailure }
    let isGuest = TestProcess.current.hasWarnedOfGuest.withLock { $0 }
    // XCTest shows no warnings.
    let note = "\nThe app's code ran in the test's process, because XCTest cannot start its own."
    fail(isGuest ? text + note : text, file: sourceLocation.filePath, line: sourceLocation.line)
    return true
  }

  /// True while ``reportingFailures(in:_:_:)`` adds the failures of this task's code.
  @TaskLocal private static var isReportingFailures = false

  /// Runs code of a test, and adds the failures that the kit does not record itself to the results:
  /// failed expectations, and the error that the code throws.
  static func reportingFailures(
    in test: Test?, _ testCase: Test.Case?, _ code: @Sendable () async throws -> Void
  ) async throws {
    let process = TestProcess.current
    guard let test, process.hasReport, !isReportingFailures else { return try await code() }
    process.beginReport()
    let watch = IssueHandlingTrait.compactMapIssues { issue in
      if issue.isFailure, !isInResults {
        process.add(failure: "\(issue)", at: issue.sourceLocation ?? test.sourceLocation)
      }
      return issue
    }
    do {
      try await $isReportingFailures.withValue(true) {
        try await watch.provideScope(for: test, testCase: testCase, performing: code)
      }
    } catch {
      // This is how `Test.cancel` leaves a test.
      if "\(type(of: error))" != "SkipInfo" {
        process.add(failure: "caught error: \(error)", at: test.sourceLocation)
      }
      throw error
    }
  }

  /// Fails the current test of XCTest, which the kit does not link; does nothing if XCTest is not
  /// loaded.
  ///
  /// If XCTest is loaded without a call that fails a test, the process is ended, so that a test
  /// that should fail never passes.
  private static func fail(_ message: String, file: String, line: Int) {
    // The names of XCTest's class in Objective-C and in Swift.
    let isLoaded = ["XCTestCase", "XCTest.XCTestCase"].contains { NSClassFromString($0) != nil }
    guard isLoaded else { return }
    if let call {
      call.record(message, file, line)
    } else {
      FileHandle.note(
        "\(file):\(line): error: \(message)\nThe process ends here, because this version of "
          + "XCTest has no failure call that BackupTesting knows\n")
      abort()
    }
  }

  private static let call = XCTestFailureCall { dlsym(dlopen(nil, RTLD_LAZY), $0) }
}

/// The function of XCTest that fails the current test.
struct XCTestFailureCall: Sendable {
  let record: @Sendable (_ message: String, _ file: String, _ line: Int) -> Void

  /// The function by which Objective-C's macros fail a test on Apple platforms.
  private static let appleName = "_XCTFailureHandler"
  /// `XCTFail(_:file:line:)` of the XCTest that is written in Swift.
  private static let swiftName = "$s6XCTest7XCTFail_4file4lineySS_s12StaticStringVSutF"

  /// Finds the first of the functions that is loaded; returns nil if none is.
  init?(at address: (String) -> UnsafeMutableRawPointer?) {
    if let function = address(Self.appleName) {
      let call = unsafeBitCast(function, to: AppleFunction.self)
      self.record = { message, file, line in
        // No test means the current one; without a format no further arguments are read.
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

  /// Apple's function. Its parameters are the test, whether the failure is an expected one, the
  /// file, the line, the condition that failed, and a format.
  typealias AppleFunction =
    @convention(c) (
      UnsafeRawPointer?, Bool, UnsafePointer<CChar>, UInt, UnsafeRawPointer, UnsafeRawPointer?
    ) -> Void

  /// A function of Swift, which is stored as its address and the values that it captures.
  private struct SwiftFunction {
    let function: @Sendable (String, StaticString, UInt) -> Void
  }
}

extension StaticString {
  /// Creates a static string from text at run time. The text stays in memory for good.
  fileprivate init(immortal text: String) {
    let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.utf8.count)
    _ = bytes.initialize(from: text.utf8)
    // The flags say that these are bytes and not one character, and that they need not be ASCII.
    let words = (UInt(bitPattern: bytes.baseAddress), UInt(bytes.count), 0 as UInt8)
    self = unsafeBitCast(words, to: StaticString.self)
  }
}
