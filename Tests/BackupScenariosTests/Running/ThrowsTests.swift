import Testing
import TrialSupport

@testable import BackupScenarios

@Suite struct `A step that has to fail` {
  @Test(arguments: ["true", "'noSuchFile'"])
  func `lets the run continue if it fails`(word: String) async throws {
    #expect(try await Trial.failure(["{ remove: 'tmp/a', throws: \(word) }"]) == nil)
  }

  @Test func `ends the run if it succeeds`() async throws {
    #expect(
      try await Trial.failure(["{ save: 'tmp/a', size: 1, throws: true }"])
        == "step 1: the step succeeded, but its 'throws' requires it to fail; remove 'throws', "
        + "or correct the step")
  }

  @Test func `ends the run if it fails with another error`() async throws {
    #expect(
      try await Trial.failure(["{ remove: 'tmp/a', throws: 'fileExists' }"])
        == "step 1: the step failed, but not with 'fileExists', which its 'throws' requires: no "
        + "such file: 'tmp/a'")
  }

  @Test func `with 'throws: false' ends the run if it fails`() async throws {
    #expect(
      try await Trial.failure(["{ remove: 'tmp/a', throws: false }"])
        == "step 1: no such file: 'tmp/a'")
  }

  @Test func `can require each kind of error`() async throws {
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

  @Test func `that reads a missing file is no finding`() async throws {
    #expect(try await Trial.verdicts(["{ read: 'tmp/a', throws: true }"]) == [])
    #expect(
      try await Trial.verdicts(["{ read: 'tmp/a' }"]) == ["exists-before-use error 1 tmp/a"])
  }

  @Test func `in 'launch' fails at the launch step`() async throws {
    let transcript = try await Trial.transcript(
      ["{ save: 'tmp/a', size: 1 }"], "launch: [{ remove: 'tmp/b' }]")
    #expect(transcript.failure?.step.number == .launch(1))
  }
}
