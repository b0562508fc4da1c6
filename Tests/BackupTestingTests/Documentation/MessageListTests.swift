import Foundation
import TestSupport
import Testing

/// The list of all messages, which is read as a list and reviewed as a diff.
@Suite struct `The list of messages` {
  private static let python = "/usr/bin/python3"

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: python), "needs Python"))
  func `has each message that the sources have`() throws {
    let script = Process()
    script.executableURL = URL(fileURLWithPath: Self.python)
    script.arguments = [Checkout.path(".ci/messages"), "--check"]
    let output = Pipe()
    script.standardOutput = output
    try script.run()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    script.waitUntilExit()
    #expect(script.terminationStatus == 0, "\(text)")
  }
}
