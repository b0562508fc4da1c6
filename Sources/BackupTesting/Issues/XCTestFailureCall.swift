import Foundation

/// The function of XCTest's that fails the current test.
struct XCTestFailureCall: Sendable {
  /// Fails the test with a message at a line of a file.
  let record: @Sendable (_ message: String, _ file: String, _ line: Int) -> Void

  /// The function by which Objective-C's macros fail a test on Apple platforms.
  private static let appleName = "_XCTFailureHandler"
  /// `XCTFail(_:file:line:)` of the XCTest that is written in Swift.
  private static let swiftName = "$s6XCTest7XCTFail_4file4lineySS_s12StaticStringVSutF"

  /// The first function that is there; nil if none is there.
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

  /// A test, whether the failure is expected of code, file, line, what failed, and a format.
  typealias AppleFunction =
    @convention(c) (
      UnsafeRawPointer?, Bool, UnsafePointer<CChar>, UInt, UnsafeRawPointer, UnsafeRawPointer?
    ) -> Void

  /// A function of Swift's, which stands in memory as its address and what it captures.
  private struct SwiftFunction {
    let function: @Sendable (String, StaticString, UInt) -> Void
  }
}

extension StaticString {
  /// A text that is made at run time, and stays for good, as one that the compiler has put there.
  fileprivate init(immortal text: String) {
    let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: text.utf8.count)
    _ = bytes.initialize(from: text.utf8)
    // The flags say that these are bytes and not one character, and that they need not be ASCII.
    let words = (UInt(bitPattern: bytes.baseAddress), UInt(bytes.count), 0 as UInt8)
    self = unsafeBitCast(words, to: StaticString.self)
  }
}
