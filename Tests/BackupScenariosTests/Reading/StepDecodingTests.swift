import BackupFileTree
import Testing
import TrialSupport

@testable import BackupDiagnostics
@testable import BackupScenarios

@Suite struct `Every kind of step is read` {
  @Test(
    arguments: [
      ("{ createDirectory: 'Documents/A' }", "createDirectory Documents/A"),
      ("{ createDirectory: 'Documents/A', intermediates: false }", "createDirectory Documents/A"),
      ("{ save: 'Documents/a', size: 10 }", "save Documents/a"),
      ("{ save: 'Documents/a', contents: '', how: 'inPlace' }", "save Documents/a"),
      ("{ append: 'Documents/a', contents: 'x' }", "append Documents/a"),
      ("{ exclude: 'Documents/a' }", "exclude Documents/a"),
      ("{ exclude: 'Documents/a', using: 'extendedAttribute' }", "exclude Documents/a"),
      ("{ include: 'Documents/a' }", "include Documents/a"),
      ("{ move: 'tmp/a', to: 'Documents/a', over: true }", "move tmp/a to Documents/a"),
      ("{ copy: 'tmp/a', to: 'Documents/a' }", "copy tmp/a to Documents/a"),
      ("{ remove: 'tmp/a' }", "remove tmp/a"),
      ("{ link: 'tmp/a', to: 'Documents/a' }", "link tmp/a to Documents/a"),
      ("{ read: 'tmp/a' }", "read tmp/a"),
      ("{ read: 'tmp/a', ifMissing: 'skip' }", "read tmp/a"),
      ("{ read: 'tmp/a', ifMissing: 'recreate', size: '1 KB' }", "read tmp/a"),
      ("{ perform: 'download' }", "perform download"),
      ("{ run: ['./tool', 'a b'], timeLimit: 5 }", "run ./tool a b"),
      ("{ backup: 'first' }", "backup \"first\""),
      ("{ purge: 'lowStorage' }", "purge lowStorage"),
      ("{ purge: 'criticalStorage' }", "purge criticalStorage"),
      ("{ purge: ['tmp/**', 'Library/Caches/a?'] }", "purge tmp/**, Library/Caches/a?"),
      ("{ updateApp: '2.0', keeping: ['tmp'] }", "updateApp 2.0"),
      ("{ updateSystem: '9' }", "updateSystem 9"),
      ("{ updateSystem: 18 }", "updateSystem 18"),
      ("{ updateSystem: 'newest' }", "updateSystem newest"),
      ("{ kill: {} }", "kill"), ("{ relaunch: {} }", "relaunch"),
      ("{ expectFiles: { present: ['tmp'] } }", "expectFiles"),
      ("{ expectBackup: { lacks: ['tmp/**'] } }", "expectBackup"),
    ])
  func `with its summary`(step: String, summary: String) throws {
    let scenario = try Trial.scenario(["{ backup: 'before' }", step], "system: '5.0'")
    #expect(scenario.steps.last?.reference.summary == summary)
  }

  @Test func `a restore too, after the backup it names`() throws {
    let steps = try Trial.scenario(["{ backup: 'first' }", "{ restore: 'first' }"]).steps
    #expect(steps.map(\.reference.summary) == ["backup \"first\"", "restore \"first\""])
  }

  @Test func `and no keyword appears twice`() throws {
    #expect(StepKind.keywords.count == Set(StepKind.keywords).count)
  }

  @Test func `with its number and position`() throws {
    let steps = try Trial.scenario(["{ backup: 'a' }", "  { backup: 'b' }"]).steps
    #expect(steps.map(\.reference.number) == [.step(1), .step(2)])
    #expect(steps.map(\.reference.position.line) == [2, 3])
    #expect(steps.map(\.reference.position.column) == [1, 3])
  }

  /// Returns the app's changes in a run.
  private func changes(_ steps: [String]) async throws -> [FileTree.Change] {
    let transcript = try await Trial.transcript(steps)
    #expect(transcript.failure == nil)
    return transcript.entries.flatMap { entry -> [FileTree.Change] in
      if case .changes(let changes) = entry.event { changes } else { [] }
    }
  }

  @Test func `with the default values that the documentation names`() async throws {
    let changes = try await changes([
      "{ save: 'tmp/a', size: 1 }", "{ save: 'tmp/a', size: 1 }",
      "{ createDirectory: 'tmp/b/c' }", "{ save: 'tmp/d', size: 1 }",
      "{ move: 'tmp/a', to: 'tmp/d', throws: 'fileExists' }", "{ exclude: 'tmp/d' }",
      "{ updateApp: '2' }", "{ expectFiles: { absent: ['tmp/*'] } }",
    ])
    #expect(changes.contains(.replaced(try ContainerPath("tmp/a"))))
    #expect(changes.contains(.created(try ContainerPath("tmp/b/c"))))
    #expect(changes.last == .marked(try ContainerPath("tmp/d"), .resourceValue))
  }

  @Test func `with every way to save and to fail`() async throws {
    let path = try ContainerPath("tmp/a")
    for method in FileOperation.WriteMethod.allCases {
      let step = "{ save: 'tmp/a', size: 1, how: '\(method.rawValue)' }"
      #expect(
        try await changes([step, step]).last
          == (method == .inPlace ? .savedInPlace(path) : .replaced(path)))
    }
    let words = ["true", "false", "'noSuchFile'", "'fileExists'", "'unavailable'"]
    let failures = try words.map {
      try Trial.scenario(["{ remove: 'tmp/a', throws: \($0) }"]).steps.first?.expectedFailure
    }
    #expect(
      failures == [.any, nil, .code(.noSuchFile), .code(.fileExists), .code(.unavailable)])
  }
}
