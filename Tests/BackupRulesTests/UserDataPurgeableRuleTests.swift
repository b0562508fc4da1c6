import Testing
import TrialSupport

@testable import BackupRules

@Suite struct `user-data-purgeable finds` {
  /// Steps that save a file in a directory of Caches.
  private func saved(_ folder: String) -> [String] {
    [
      "{ createDirectory: 'Library/Caches/\(folder)' }",
      "{ save: 'Library/Caches/\(folder)/a', size: 1 }", "{ backup: 'b' }",
    ]
  }

  @Test(arguments: ["notes", "fonts"])
  func `lasting data in Caches, as the only problem`(folder: String) async throws {
    #expect(
      try await Trial.verdicts(saved(folder), promises)
        == ["user-data-purgeable error 2 Library/Caches/\(folder)/a"])
  }

  @Test func `the user's data that only a web view keeps, as a warning`() async throws {
    let folder = "Library/WebKit/WebsiteData"
    let steps = [
      "{ createDirectory: '\(folder)' }", "{ save: '\(folder)/a', contents: 'x' }",
      "{ createDirectory: 'Documents' }", "{ backup: 'b' }",
    ]
    let files = "files: { '**/a': 'critical' }"
    #expect(try await Trial.verdicts(steps, files) == ["user-data-purgeable warning 2 \(folder)/a"])
    #expect(
      try await Trial.verdicts(steps, "files: { '**/a': 'offline' }, guidance: 'ignored'")
        .allSatisfy { !$0.hasPrefix("user-data-purgeable") })
    #expect(try await Trial.verdicts(steps, "\(files), system: '7'") == [])
    for (copy, isKept) in [("Documents/a", true), ("Library/Caches/c", false)] {
      let copied = steps.dropLast() + ["{ copy: '\(folder)/a', to: '\(copy)' }", "{ backup: 'b' }"]
      #expect(try await Trial.verdicts(Array(copied), files).isEmpty == isKept, "\(copy)")
    }
  }

  @Test func `nothing that is cached or temporary`() async throws {
    #expect(
      try await Trial.verdicts(
        saved("images") + ["{ save: 'tmp/a', size: 1 }", "{ remove: 'tmp/a' }"], promises) == [])
  }

  @Test func `nothing that is moved away before iOS acts`() async throws {
    #expect(
      try await Trial.verdicts(
        Array(saved("notes").dropLast()) + [
          "{ move: 'Library/Caches/notes/a', to: 'Documents/a' }", "{ backup: 'b' }",
        ], promises) == [])
  }

  @Test func `only the user's own on iOS 5.0`() async throws {
    #expect(try await Trial.verdicts(saved("fonts"), promises + ", system: '5.0'") == [])
    #expect(try await Trial.verdicts(saved("notes"), promises + ", system: '5.0'").count == 1)
  }

  @Test func `nothing that the app moves out of Caches after an update from iOS 5.0`() async throws
  {
    let steps = Array(saved("fonts").dropLast())
    let fonts = "Library/Settings"
    #expect(
      try await Trial.verdicts(
        steps + [
          "{ updateSystem: '9' }", "{ createDirectory: '\(fonts)' }", "{ exclude: '\(fonts)' }",
          "{ move: 'Library/Caches/fonts/a', to: '\(fonts)/a' }", "{ backup: 'b' }",
        ], promises + ", system: '5.0'") == ["directory-name advice 4 \(fonts)"])
    #expect(
      try await Trial.verdicts(
        steps + [
          "{ updateSystem: '9' }", "{ read: 'Library/Caches/fonts/a' }", "{ backup: 'b' }",
        ], promises + ", system: '5.0'")
        == ["user-data-purgeable error 2 Library/Caches/fonts/a"])
  }
}
