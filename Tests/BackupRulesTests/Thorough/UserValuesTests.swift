import BackupContainer
import Foundation
import Testing
import TrialSupport

@testable import BackupRules
@testable import BackupScenarios

/// After a kill, the rule compares values, whatever their paths.
@Suite struct `user-data-lost compares` {
  private let otherKeys = "files: { 'Documents/**': 'critical', '**': 'cached' }"

  private func findingLines(_ steps: String...) async throws -> [String] {
    try await Trial.verdicts(steps, otherKeys)
  }

  private let list = #"{ save: 'Documents/a.json', contents: '{"notes":["one","two"]}' }"#

  @Test func `leaves, in any order and in any file`() async throws {
    let merged = #"{ save: 'Documents/b.json', contents: '{"more":1,"notes":["two","one"]}' }"#
    let remove = "{ remove: 'Documents/a.json', killed: { before: 'remove' } }"
    #expect(try await findingLines(list, merged, remove) == [])
    let removed = "{ remove: 'Documents/a.json' }"
    let kill =
      "{ save: 'Documents/b.json', contents: '{\"notes\":[\"one\",\"two\"]}', killed: { before: 'rename' } }"
    #expect(
      try await findingLines(list, removed, kill) == ["user-data-lost error 3 Documents/a.json"])
  }

  @Test func `how often a value occurs`() async throws {
    let save = #"{ save: 'Documents/a.json', contents: '["x","x"]', how: 'inPlace' }"#
    let kill =
      #"{ save: 'Documents/a.json', contents: '["x","x","y"]', how: 'deleteFirst', killed: { before: 'create' } }"#
    #expect(try await findingLines(save, kill) == ["user-data-lost error 2 Documents/a.json"])
  }

  @Test func `a binary file by its bytes, also under another name`() async throws {
    let photo = "{ save: 'Documents/photo', size: 100 }"
    let moved = [
      "{ copy: 'Documents/photo', to: 'Documents/kept' }",
      "{ remove: 'Documents/photo', killed: { before: 'remove' } }",
    ]
    #expect(try await findingLines(photo, moved[0], moved[1]) == [])
  }

  @Test func `nothing if one thing is deleted and another is saved`() async throws {
    #expect(
      try await findingLines(
        "{ save: 'Documents/photo', size: 100 }", "{ purge: 'idle' }",
        "{ remove: 'Documents/photo' }",
        "{ save: 'Documents/index', contents: 'none', killed: { before: 'rename' } }") == [])
  }

  @Test func `the repeated activity, done once or twice`() async throws {
    let save = "{ save: 'Documents/log', contents: 'one' }"
    let kill = "{ append: 'Documents/log', contents: 'two', killed: { before: 'write' } }"
    let appendAgain = "{ append: 'Documents/log', contents: 'two' }"
    #expect(
      try await findingLines(save, "{ backup: 'a' }", kill, appendAgain, "{ backup: 'b' }") == [])
    #expect(
      try await findingLines(
        save, "{ backup: 'a' }", kill, appendAgain, appendAgain, "{ backup: 'b' }") == [])
  }
}
