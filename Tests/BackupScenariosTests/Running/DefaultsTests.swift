import BackupFileTree
import Foundation
import Testing
import TrialSupport

@testable import BackupScenarios

@Suite struct `An app's defaults` {
  /// The file that stores the defaults.
  private let file = "Library/Preferences/com.example.app.plist"

  /// Performs steps, and returns their failure.
  private func failure(_ steps: String...) async throws -> String? {
    try await Trial.failure(steps)
  }

  @Test func `are read as they were set`() async throws {
    #expect(
      try await failure(
        "{ setDefault: { t: 'a <b> & \"c\"\\n\\t\u{e9}', i: 3, d: -1.5, y: true, n: false } }",
        "{ setDefault: { i: 4, 'a key & more': 1 } }",
        "{ readDefault: 't', expect: 'a <b> & \"c\"\\n\\t\u{e9}' }",
        "{ readDefault: 'i', expect: 4 }",
        "{ readDefault: 'i', expect: 4.0 }", "{ readDefault: 'd', expect: -1.5 }",
        "{ readDefault: 'y', expect: true }", "{ readDefault: 'n', expect: false }",
        "{ readDefault: 'a key & more', expect: 1 }", "{ readDefault: 'z', expect: null }",
        "{ readDefault: 'z' }") == nil)
  }

  @Test func `that differ from the expected values fail the step`() async throws {
    let set = "{ setDefault: { a: true } }"
    #expect(
      try await failure(set, "{ readDefault: 'a', expect: 1 }")
        == "step 2: expected the default 'a' to be 1, but it is true")
    #expect(
      try await failure(set, "{ readDefault: 'a', expect: null }")
        == "step 2: expected the default 'a' to be not set, but it is true")
    #expect(
      try await failure(set, "{ readDefault: 'b', expect: 'x' }")
        == "step 2: expected the default 'b' to be \"x\", but it is not set")
    #expect(try await failure(set, "{ readDefault: 'b', expect: 'x', throws: true }") == nil)
  }

  @Test func `survive a kill, an update and a restore, but not a deletion of the app`() async throws
  {
    let set = "{ setDefault: { a: 1 } }"
    let read = "{ readDefault: 'a', expect: 1 }"
    for ending in ["{ kill: {} }", "{ updateApp: '2' }", "{ purge: 'criticalStorage' }"] {
      #expect(try await failure(set, ending, read) == nil)
    }
    #expect(
      try await failure(
        set, "{ backup: 'b' }", "{ setDefault: { a: 2 } }", "{ restore: 'b' }", read) == nil)
    #expect(
      try await failure(set, "{ reinstall: {} }", "{ readDefault: 'a', expect: null }") == nil)
  }

  @Test func `of a suite are in their own file, and those of a group in the group's container`()
    async throws
  {
    let transcript = try await Trial.transcript(
      [
        "{ setDefault: { a: 1 }, suite: 'com.example.s' }", "{ setDefault: { a: 2 } }",
        "{ setDefault: { a: 3 }, suite: 'group.x' }",
        "{ readDefault: 'a', expect: 1, suite: 'com.example.s' }",
        "{ readDefault: 'a', expect: 2 }",
        "{ readDefault: 'a', expect: 3, suite: 'group.x' }",
      ], "app: { groups: ['group.x'] }")
    #expect(transcript.failure == nil)
    let paths = [
      "Library/Preferences/com.example.s.plist", file, "group.x:/Library/Preferences/group.x.plist",
    ]
    #expect(try paths.allSatisfy { transcript.lastTree.contains(try ContainerPath($0)) })
  }

  @Test func `are a file of the app, which has the same size in every run`() async throws {
    let transcript = try await Trial.transcript(
      ["{ setDefault: { b: 1, a: 'x' } }", "{ setDefault: { a: 'y' } }"])
    let sizes = transcript.entries.compactMap { [path = try path] in $0.tree[path]?.size }
    #expect(sizes.count >= 2 && Set(sizes).count == 1)
    let preferences = ["b": StoredValue.integer(1), "a": .text("y")].propertyListText
    #expect(Int64(preferences.utf8.count) == sizes.last)
    let values = try PropertyListSerialization.propertyList(
      from: Data(preferences.utf8), format: nil)
    #expect((values as? [String: Any])?.keys.sorted() == ["a", "b"])
  }

  private var path: ContainerPath { get throws { try ContainerPath(file) } }

  @Test func `in a file that is no suitable property list are an error`() async throws {
    let message =
      "'\(file)' is not a property list of texts, numbers, true and false, the only values that "
      + "this step supports; let the app's own code read and write it, with 'perform'"
    #expect(
      try await failure("{ save: '\(file)', contents: 'no' }", "{ readDefault: 'a' }")
        == "step 2: \(message)")
    let list = "<plist version=\\\"1.0\\\"><dict><key>a</key><array/></dict></plist>"
    #expect(
      try await failure("{ save: '\(file)', contents: \"\(list)\" }", "{ setDefault: { b: 1 } }")
        == "step 2: \(message)")
    #expect(
      try await failure("{ createDirectory: '\(file)' }", "{ setDefault: { b: 1 } }")
        == "step 2: '\(file)' is a directory")
  }

  @Test func `are created even if their directory is missing`() async throws {
    #expect(
      try await failure(
        "{ remove: 'Library/Preferences' }", "{ setDefault: { a: 1 } }",
        "{ readDefault: 'a', expect: 1 }") == nil)
  }
}
