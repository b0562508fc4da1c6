import Testing
import TrialSupport

@testable import BackupScenarios

@Suite struct `An assertion on a file's contents` {
  /// Steps that save files with a text or a size, and take a backup.
  private let saved = [
    "{ save: 'Documents/a', contents: 'hello' }", "{ save: 'Documents/big', size: '900 GB' }",
    "{ save: 'tmp/t', contents: 'hello' }", "{ backup: 'b' }",
  ]

  /// Returns the message of an assertion that fails after some steps; nil if the assertion holds.
  private func failure(_ expectation: String, after steps: [String] = []) async throws -> String? {
    let failure = try await Trial.failure(saved + steps + ["{ expectFile: \(expectation) }"])
    return failure.map { String($0.drop { $0 != ":" }.dropFirst(2)) }
  }

  @Test(
    arguments: [
      "{ path: 'Documents/a', contents: 'hello' }", "{ path: 'Documents/a', size: 5 }",
      "{ path: 'Documents/a', sameAs: 'b' }", "{ path: 'Documents/big', sameAs: 'b' }",
      "{ path: 'Documents/big', size: '900 GB' }",
    ])
  func `holds for equal contents`(expectation: String) async throws {
    #expect(try await failure(expectation) == nil)
    #expect(try await failure(expectation, after: ["{ restore: 'b' }"]) == nil)
  }

  @Test(
    arguments: [
      (
        "contents: 'hellO'",
        "'Documents/a' is as large as the text, but differs from it at byte 4"
      ),
      ("contents: 'he'", "expected 'Documents/a' to have 2 bytes, but it has 5 bytes"),
      ("size: 1", "expected 'Documents/a' to have 1 byte, but it has 5 bytes"),
    ])
  func `says what differs`(expectation: String, message: String) async throws {
    #expect(try await failure("{ path: 'Documents/a', \(expectation) }") == message)
  }

  @Test func `distinguishes a backup's bytes from later bytes of the same size`() async throws {
    let sameContents = "{ path: 'Documents/a', sameAs: 'b' }"
    #expect(
      try await failure(sameContents, after: ["{ save: 'Documents/a', contents: 'hallo' }"])
        == "'Documents/a' is as large as the backup \"b\", but differs from it at byte 1")
    #expect(
      try await failure(sameContents, after: ["{ save: 'Documents/a', size: 5 }"])
        == "'Documents/a' is as large as the backup \"b\", but differs from it at byte 0")
    #expect(
      try await failure(sameContents, after: ["{ save: 'Documents/a', size: 6 }"])
        == "expected 'Documents/a' to have 5 bytes, but it has 6 bytes")
    #expect(
      try await failure(
        sameContents,
        after: ["{ save: 'Documents/a', contents: 'hallo' }", "{ backup: 'b' }"]) == nil)
  }

  @Test func `needs a file, and one in the backup to compare with`() async throws {
    #expect(
      try await failure("{ path: 'Documents/x', size: 1 }")
        == "expected the file 'Documents/x' to exist, but it is missing")
    #expect(
      try await failure("{ path: 'Documents', size: 1 }")
        == "expected 'Documents' to be a file, but it is not")
    #expect(
      try await failure("{ path: 'tmp/t', sameAs: 'b' }")
        == "the backup \"b\" contains no file 'tmp/t' to compare with")
  }

  @Test func `needs a backup that was taken before`() {
    let text = "{ title: 'T', steps: [\n{ expectFile: { path: 'a', sameAs: 'b' } }] }"
    #expect(
      Trial.mistakes(in: text)
        == [
          "2:1: no backup \"b\" is taken before this step; put a 'backup' step of this label before it"
        ])
  }

  @Test func `needs exactly one condition`() {
    #expect(
      Trial.mistakes(inStep: "{ expectFile: { path: 'a' } }")
        == [
          "15: nothing is asserted; add 'contents', 'size' or 'sameAs'; if the file need only exist, write "
            + "{ expectFiles: { present: [\"a\"] } }"
        ])
    #expect(
      Trial.mistakes(inStep: "{ expectFile: 'a' }").first?.hasSuffix(
        "found a string; if the file need only exist, write { expectFiles: { present: [\"a\"] } }")
        == true)
    #expect(
      Trial.mistakes(inStep: "{ expectFile: { path: 'a', size: 1, sameAs: 'a' } }")
        == ["45: 'sameAs' cannot be given with 'size' or 'contents'; keep one"])
  }
}
