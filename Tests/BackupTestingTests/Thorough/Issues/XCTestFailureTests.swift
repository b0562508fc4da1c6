import Foundation
import Testing

@testable import BackupContainer
@testable import BackupTesting

/// XCTest's function for failures is looked up while the tests run. The package Tests/XCTestCase
/// shows that the function fails a test.
@Suite struct XCTestFailureTests {
  /// The calls of the functions below. Each test uses other texts.
  private static let calls = Locked<[String]>([])

  /// Stands for the function of Apple's XCTest.
  private static let appleFunction: XCTestFailureCall.AppleFunction = {
    test, isExpected, file, line, message, format in
    let text = Unmanaged<NSString>.fromOpaque(message).takeUnretainedValue()
    let place = "\(String(cString: file)):\(line)"
    calls.withLock {
      $0.append("\(place) \(text) \(isExpected) \(test == nil) \(format == nil)")
    }
  }

  /// Stands for the function of the open-source XCTest, which is written in Swift.
  private static func swiftFunction(_ message: String, _ file: StaticString, _ line: UInt) {
    calls.withLock { $0.append("\(file):\(line) \(message)") }
  }

  /// A Swift function, with its layout in memory.
  private struct Closure {
    let function: @Sendable (String, StaticString, UInt) -> Void
  }

  @Test func `Apple's function gets the message and the place, for the current test`() throws {
    let address = unsafeBitCast(Self.appleFunction, to: UnsafeMutableRawPointer.self)
    let call = try #require(XCTestFailureCall { $0 == "_XCTFailureHandler" ? address : nil })
    call.record("100 % é", "/tmp/é/a.json5", 7)
    #expect(Self.calls.withLock { $0.contains("/tmp/é/a.json5:7 100 % é true true true") })
  }

  @Test func `the function of the open-source XCTest gets the message and the place`() throws {
    let words = unsafeBitCast(
      Closure(function: Self.swiftFunction), to: (UnsafeMutableRawPointer, UInt).self)
    let call = try #require(
      XCTestFailureCall { $0.hasPrefix("$s6XCTest7XCTFail") ? words.0 : nil })
    call.record("a message that is longer than a register", "/tmp/é/b.json5", 8)
    #expect(
      Self.calls.withLock {
        $0.contains("/tmp/é/b.json5:8 a message that is longer than a register")
      })
  }

  @Test func `an XCTest without such a function is recognised`() {
    #expect(XCTestFailureCall { _ in nil } == nil)
  }
}
