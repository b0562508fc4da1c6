#if os(macOS) || os(Linux)
import Foundation
import TestSupport
import Testing

@testable import BackupTesting
extension AppEndTests {
  @Test func `a crash says its signal and what the app printed`() async throws {
    let trial = try await perform("fatal")
    let failure = try #require(trial.failure)
    #expect(
      failure.contains("was ended by signal") && failure.contains("during the action 'fatal'"))
    #expect(failure.contains("before the end") && failure.contains("it had to be"))
    #expect(trial.errors.first?.line == 2)
  }
}
#endif
