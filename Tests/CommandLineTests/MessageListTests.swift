import Foundation
import TestSupport
import Testing

/// The list of all messages, which is read as a list and reviewed as a diff.
@Suite struct `The list of messages` {
  private static let python = "/usr/bin/python3"

  @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: python), "needs Python"))
  func `has each message that the sources have`() async throws {
    let check = "'\(Self.python)' '\(Checkout.path(".ci/messages"))' --check"
    let run = try await Workspace().shell(check)
    #expect(run.status == 0, "\(run.output)\(run.errors)")
  }
}
