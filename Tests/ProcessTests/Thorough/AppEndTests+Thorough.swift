#if os(macOS) || os(Linux)
import Foundation
import TestSupport
import Testing

@testable import BackupTesting
extension AppEndTests {
  @Test func `the failure after a crash has the message and a line of the app`() async throws {
    let trial = try await perform("fatal")
    let failure = try #require(trial.failure)
    #expect(failure.hasPrefix("the app crashed during the action 'fatal': "), "\(failure)")
    #expect(failure.contains("it had to be") && failure.contains("DyingApp.swift:"), "\(failure)")
    #expect(!failure.contains("\n"), "\(failure)")
    #expect(trial.errors.first?.line == 2)
  }
}
#endif
