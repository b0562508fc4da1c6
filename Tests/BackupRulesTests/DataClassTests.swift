import Testing
import TrialSupport

@testable import BackupRules

/// What the apps of these tests promise.
let promises = """
  files: {
    'Documents/**': 'critical', 'Library/Application Support/**': 'offline',
    'Library/Caches/notes/**': 'critical', 'Library/Caches/fonts/**': 'support',
    'Library/Caches/**': 'cached', 'tmp/**': 'temporary', 'Library/Settings/**': 'support',
  }
  """

@Suite struct `user-data-purgeable finds` {
  /// Steps that save a file in a directory of Caches.
  private func saved(_ folder: String) -> [String] {
    [
      "{ createDirectory: 'Library/Caches/\(folder)' }",
      "{ save: 'Library/Caches/\(folder)/a', size: 1 }", "{ backup: 'b' }",
    ]
  }

  @Test(arguments: ["notes", "fonts"])
  func `data that lasts in Caches, and with it why no backup has it`(folder: String) async throws {
    #expect(
      try await Trial.verdicts(saved(folder), promises)
        == ["user-data-purgeable error 2 Library/Caches/\(folder)/a"])
  }

  @Test func `nothing of what is cached or temporary`() async throws {
    #expect(
      try await Trial.verdicts(
        saved("images") + ["{ save: 'tmp/a', size: 1 }", "{ remove: 'tmp/a' }"], promises) == [])
  }

  @Test func `nothing that is moved away before the system acts`() async throws {
    #expect(
      try await Trial.verdicts(
        Array(saved("notes").dropLast()) + [
          "{ move: 'Library/Caches/notes/a', to: 'Documents/a' }", "{ backup: 'b' }",
        ], promises) == [])
  }

  @Test func `on iOS 5.0 the user's own only`() async throws {
    #expect(try await Trial.verdicts(saved("fonts"), promises + ", system: '5.0'") == [])
    #expect(try await Trial.verdicts(saved("notes"), promises + ", system: '5.0'").count == 1)
  }

  @Test func `nothing that an app on 5.0 moves out after the update of the system`() async throws {
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
        steps + ["{ updateSystem: '9' }", "{ backup: 'b' }"], promises + ", system: '5.0'")
        == ["user-data-purgeable error 2 Library/Caches/fonts/a"])
  }
}

@Suite struct `recreatable-data-backed-up finds` {
  private let movie = "\(support)/Movies/1.mp4"

  @Test func `what can be made again, once, with the backups that hold it`() async throws {
    let findings = try await Trial.findings(
      savedMovie + ["{ backup: 'a' }", "{ backup: 'b' }", "{ backup: 'c\\n' }"], promises)
    #expect(findings.map(\.line) == ["recreatable-data-backed-up error 2 \(movie)"])
    #expect(
      findings.first?.message
        == "'\(movie)' is offline data, which can be made again, but the backups "
        + "\"a\", \"b\" and \"c\\n\" hold it")
  }

  @Test func `nothing that a lost mark explains`() async throws {
    #expect(
      try await Trial.verdicts(
        markedMovie + ["{ save: '\(movie)', size: 1 }", "{ backup: 'a' }"], promises)
        == ["reapply-on-save error 4 \(movie)"])
  }

  @Test func `nothing that is marked while marks are ignored`() async throws {
    let steps = markedMovie + ["{ backup: 'a' }"]
    #expect(try await Trial.verdicts(steps, promises + ", guidance: 'ignored'") == [])
    #expect(
      try await Trial.verdicts(savedMovie + ["{ backup: 'a' }"], promises + ", guidance: 'ignored'")
        .count == 1)
  }

  @Test func `nothing of the user's own, nor what no backup holds`() async throws {
    let files = ["Documents/a", "Library/Caches/a"].map { "{ save: '\($0)', size: 1 }" }
    #expect(try await Trial.verdicts(files + ["{ backup: 'a' }"], promises) == [])
  }

  @Test func `a move at the step that moved`() async throws {
    let steps =
      savedMovie + [
        "{ save: 'tmp/2.mp4', size: 1 }", "{ move: 'tmp/2.mp4', to: '\(support)/Movies/2.mp4' }",
        "{ exclude: '\(movie)' }", "{ backup: 'a' }",
      ]
    #expect(
      try await Trial.verdicts(steps, promises)
        == ["recreatable-data-backed-up error 4 \(support)/Movies/2.mp4"])
  }
}

@Suite struct `temporary-left-behind finds` {
  @Test func `a temporary file at the end, at the step that made it`() async throws {
    let save = "{ save: 'tmp/a', size: 1 }"
    let warning = ["temporary-left-behind warning 1 tmp/a"]
    #expect(try await Trial.verdicts([save], promises) == warning)
    #expect(try await Trial.verdicts([save, "{ relaunch: {} }"], promises) == warning)
    #expect(try await Trial.verdicts([save, "{ remove: 'tmp/a' }"], promises) == [])
    #expect(try await Trial.verdicts([save, "{ purge: 'criticalStorage' }"], promises) == [])
    #expect(try await Trial.verdicts([save]) == [])
  }
}

@Suite struct `undeclared-item finds` {
  @Test func `a file that no pattern names, once`() async throws {
    let steps = [
      "{ save: 'Library/Preferences/a.plist', size: 1 }", "{ backup: 'a' }", "{ backup: 'b' }",
    ]
    #expect(
      try await Trial.verdicts(steps, promises)
        == ["undeclared-item warning 1 Library/Preferences/a.plist"])
    #expect(try await Trial.verdicts(steps) == [])
  }

  @Test func `a link, but no directory`() async throws {
    let steps = [
      "{ createDirectory: 'Library/Preferences/A' }",
      "{ link: 'Library/Preferences/l', to: 'Documents' }",
    ]
    #expect(
      try await Trial.verdicts(steps, promises)
        == ["undeclared-item warning 2 Library/Preferences/l"])
  }

  @Test func `nothing that is gone when the system acts`() async throws {
    let save = "{ save: 'Library/Preferences/a', size: 1 }"
    #expect(
      try await Trial.verdicts([save, "{ remove: 'Library/Preferences/a' }"], promises) == [])
  }
}

@Suite struct `directory-name finds` {
  @Test func `an own directory right in Library, whose name says nothing`() async throws {
    for steps in [
      ["{ createDirectory: 'Library/Movies/New' }"],
      ["{ createDirectory: 'Documents/M' }", "{ move: 'Documents/M', to: 'Library/Movies' }"],
      ["{ createDirectory: 'Documents/M' }", "{ copy: 'Documents/M', to: 'Library/Movies' }"],
    ] {
      #expect(
        try await Trial.verdicts(steps) == ["directory-name advice \(steps.count) Library/Movies"])
    }
  }

  @Test(
    arguments: [
      "{ createDirectory: 'Library/com.example.app' }",
      "{ createDirectory: 'Library/com.example.app.movies' }",
      "{ createDirectory: 'Library/Application Support/Movies' }",
      "{ createDirectory: 'Library/WebKit' }", "{ createDirectory: 'Documents/Library/Movies' }",
      "{ save: 'Library/settings', size: 1 }",
    ])
  func `nothing else`(step: String) async throws {
    #expect(try await Trial.verdicts([step]) == [])
  }

  @Test func `the directory once`() async throws {
    let make = "{ createDirectory: 'Library/M' }"
    #expect(try await Trial.verdicts([make, "{ remove: 'Library/M' }", make]).count == 1)
  }
}
