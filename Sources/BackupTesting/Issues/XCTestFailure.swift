import Foundation

/// The failure of a test of XCTest's, which the kit does not link.
enum XCTestFailure {
  /// Fails the test that XCTest runs; nothing where XCTest is not there.
  ///
  /// Where XCTest is there without a call that fails a test, the process is ended: a test that
  /// should fail is never green.
  static func record(_ message: String, file: String, line: Int) {
    guard isLoaded else { return }
    if let call {
      call.record(message, file, line)
    } else {
      let text =
        "\(file):\(line): error: \(message)\nXCTest has no failure call that BackupTesting knows, "
        + "so this ends the process\n"
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
