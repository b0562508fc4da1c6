#if os(macOS) || os(Linux)
import Foundation
import TestSupport
import Testing

@testable import BackupTesting

/// Apps in tests of which one runs after the other.
@Suite(.serialized) struct SerializedAppTests {
  @Test(arguments: ["queue", "thread", "detached", "operation", "main"])
  func `each case has its own app`(_ name: String) async throws {
    let trial = try await AppTrial(
      HabitsApp.self, ["{ perform: 'count' }", "{ perform: '\(name)' }", "{ backup: 'one' }"])
    #expect(trial.failure == nil && trial.files.contains("Documents/\(name)"))
  }
}
#endif
