import Testing
import TrialSupport

@testable import BackupScenarios

@Suite struct `A step that has to fail` {
  @Test(arguments: ["true", "'noSuchFile'"])
  func `goes on when it does`(word: String) async throws {
    #expect(try await Trial.failure(["{ remove: 'tmp/a', throws: \(word) }"]) == nil)
  }

  @Test func `ends the run when it succeeds`() async throws {
    #expect(
      try await Trial.failure(["{ save: 'tmp/a', size: 1, throws: true }"])
        == "step 1: the step succeeded, but its 'throws' requires it to fail; remove 'throws', "
        + "or correct the step")
  }

  @Test func `ends the run when it fails otherwise`() async throws {
    #expect(
      try await Trial.failure(["{ remove: 'tmp/a', throws: 'fileExists' }"])
        == "step 1: the step failed, but not with 'fileExists', which its 'throws' requires: no "
        + "such file: 'tmp/a'")
  }

  @Test func `that need not fail does not go on when it does`() async throws {
    #expect(
      try await Trial.failure(["{ remove: 'tmp/a', throws: false }"])
        == "step 1: no such file: 'tmp/a'")
  }

  @Test func `fails with each word that a scenario may use`() async throws {
    #expect(
      try await Trial.failure([
        "{ save: 'tmp/a', size: 1 }", "{ save: 'tmp/b', size: 1 }",
        "{ move: 'tmp/a', to: 'tmp/b', throws: 'fileExists' }",
        "{ exclude: 'tmp/c', throws: 'noSuchFile' }",
      ]) == nil)
    #expect(
      try await Trial.failure(
        ["{ save: 'tmp/a', size: 1 }", "{ exclude: 'tmp/a', throws: 'unavailable' }"],
        "system: '5.0.1'") == nil)
  }

  @Test func `and is a read of a missing file has coped with it`() async throws {
    #expect(try await Trial.verdicts(["{ read: 'tmp/a', throws: true }"]) == [])
    #expect(
      try await Trial.verdicts(["{ read: 'tmp/a' }"]) == ["exists-before-use error 1 tmp/a"])
  }

  @Test func `among the launch steps fails there`() async throws {
    let transcript = try await Trial.transcript(
      ["{ save: 'tmp/a', size: 1 }"], "launch: [{ remove: 'tmp/b' }]")
    #expect(transcript.failure?.step.number == .launch(1))
  }
}
