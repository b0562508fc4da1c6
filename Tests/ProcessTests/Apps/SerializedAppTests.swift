#if os(macOS) || os(Linux)
import Foundation
import TestSupport
import Testing

@testable import BackupTesting

/// Tests that run one after the other can launch apps.
@Suite(.serialized) struct SerializedAppTests {
  @Test(arguments: ["queue", "thread"])
  func `each test case has its own app process`(_ name: String) async throws {
    let trial = try await AppTrial(
      HabitsApp.self, ["{ perform: 'count' }", "{ perform: '\(name)' }", "{ backup: 'one' }"])
    #expect(trial.failure == nil && trial.files.contains("Documents/\(name)"))
  }
}
#endif
