import Testing
import TrialSupport

@testable import BackupRules

@Suite struct `exists-before-use finds, for items that iOS removed,` {
  /// Steps in which iOS removes a file in Library/Caches, or does not restore it, and their words
  /// in messages.
  private static let losses: [(steps: [String], words: String)] = [
    (["{ purge: 'idle' }"], "the purge 'idle' in step 3"),
    (
      ["{ updateApp: '2', losing: ['Library/Caches/**'] }"],
      "the update of the app in step 3, which did not keep it"
    ),
    (
      ["{ backup: 'b' }", "{ restore: 'b' }"],
      "the restore in step 4 (excluded from the backup \"b\", as is everything in Library/Caches)"
    ),
    (["{ offload: {} }", "{ reinstall: {} }"], "the app was offloaded in step 3"),
    (["{ reinstall: {} }"], "the app was deleted in step 3"),
  ]
  private static let create = "{ createDirectory: 'Library/Caches' }"
  private static let save = "{ save: 'Library/Caches/a', size: 1 }"

  /// Steps in which the app uses the file unchecked, and their verbs in messages.
  private static let uses: [(step: String, words: String)] = [
    ("{ move: 'Library/Caches/a', to: 'Documents/b' }", "moves"),
    ("{ copy: 'Library/Caches/a', to: 'Documents/b' }", "copies"),
    ("{ append: 'Library/Caches/a', size: 1 }", "appends to"),
    ("{ remove: 'Library/Caches/a' }", "removes"),
    ("{ exclude: 'Library/Caches/a' }", "marks"),
  ]

  @Test(arguments: uses.indices, losses.indices)
  func `each unchecked use, and since when the item is missing`(use: Int, loss: Int) async throws {
    let (use, loss) = (Self.uses[use], Self.losses[loss])
    let steps = [Self.create, Self.save] + loss.steps + [use.step]
    let findings = try await Trial.findings(steps)
    #expect(findings.map(\.line) == ["exists-before-use error \(steps.count) Library/Caches/a"])
    #expect(
      findings.first?.message
        == "the app \(use.words) 'Library/Caches/a' without checking, but it has been missing "
        + "since \(loss.words)")
  }

  @Test(arguments: uses.indices, losses.indices)
  func `nothing if the app checks first`(use: Int, loss: Int) async throws {
    let careful = Self.uses[use].step.dropLast(2) + ", ifMissing: 'skip' }"
    let steps = [Self.create, Self.save] + Self.losses[loss].steps + [String(careful)]
    #expect(try await Trial.verdicts(steps) == [])
    #expect(try await Trial.failure(steps) == nil)
  }

  @Test(arguments: uses.indices)
  func `nothing for an item that never existed, which is a mistake in the scenario`(
    use: Int
  ) async throws {
    let step = Self.uses[use].step
    guard !step.contains("exclude") else { return }
    #expect(try await Trial.verdicts([step]) == [])
    #expect(
      try await Trial.failure([step]) == "step 1: no such file: 'Library/Caches/a'")
  }

  @Test func `an item that was saved after the restored backup`() async throws {
    let findings = try await Trial.findings([
      "{ backup: 'b' }", "{ save: 'Documents/a', size: 1 }", "{ restore: 'b' }",
      "{ move: 'Documents/a', to: 'Documents/b' }",
    ])
    #expect(
      findings.map(\.message) == [
        "the app moves 'Documents/a' without checking, but it has been missing since the restore in "
          + "step 3 (it is not in the backup \"b\")"
      ])
  }

  @Test func `nothing once the item is back`() async throws {
    #expect(
      try await Trial.verdicts([
        Self.save, "{ purge: 'idle' }", Self.save, "{ remove: 'Library/Caches/a' }",
      ]) == [])
  }

  @Test func `nothing for an item that came back, and that the app itself removed`() async throws {
    let folder = ["{ createDirectory: 'Documents/f' }", "{ save: 'Documents/f/a', size: 1 }"]
    let waysBack = [[Self.save], folder + ["{ move: 'Documents/f/a', to: 'Library/Caches/a' }"]]
    for back in waysBack {
      let steps =
        [Self.save, "{ purge: 'idle' }"] + back
        + ["{ remove: 'Library/Caches/a' }", "{ remove: 'Library/Caches/a' }"]
      #expect(try await Trial.verdicts(steps) == [])
      #expect(try await Trial.failure(steps)?.hasSuffix("no such file: 'Library/Caches/a'") == true)
    }
    let inFolder =
      [
        "{ createDirectory: 'Library/Caches/f' }", "{ save: 'Library/Caches/f/a', size: 1 }",
        Self.save, "{ reinstall: {} }",
      ] + folder + [
        "{ createDirectory: 'Library/Caches' }",
        "{ move: 'Documents/f', to: 'Library/Caches/f' }", "{ remove: 'Library/Caches/f/a' }",
        "{ remove: 'Library/Caches/f/a' }",
      ]
    #expect(try await Trial.verdicts(inFolder) == [])
  }

  @Test func `nothing for the user's file that a mark kept out of the backup, which is reported`()
    async throws
  {
    #expect(
      try await Trial.verdicts(
        [
          "{ save: 'Documents/a', size: 1 }", "{ exclude: 'Documents/a' }", "{ backup: 'b' }",
          "{ restore: 'b' }", "{ move: 'Documents/a', to: 'Documents/b' }",
        ], "files: { 'Documents/**': 'critical' }"
      ).map { $0.prefix { $0 != " " } }
        == ["user-data-excluded"])
  }

  @Test func `nothing if the step must fail`() async throws {
    let steps = [
      Self.save, "{ purge: 'idle' }", "{ remove: 'Library/Caches/a', throws: 'noSuchFile' }",
    ]
    #expect(try await Trial.verdicts(steps) == [])
    #expect(try await Trial.failure(steps) == nil)
  }

  @Test(
    arguments: [
      ("move: 'tmp/a', to: 'Documents/a'", "moves"), ("copy: 'tmp/a', to: 'Documents/a'", "copies"),
      ("append: 'tmp/a', size: 1", "appends to"),
    ])
  func `a warning if the item happens to remain in tmp`(use: String, words: String) async throws {
    let findings = try await Trial.findings([
      "{ save: 'tmp/a', size: 1 }", "{ relaunch: {} }", "{ \(use) }",
    ])
    #expect(findings.map(\.line) == ["exists-before-use warning 3 tmp/a"])
    #expect(findings.first?.message.hasPrefix("the app \(words) 'tmp/a' without checking") == true)
    #expect(
      try await Trial.verdicts([
        "{ save: 'tmp/a', size: 1 }", "{ relaunch: {} }", "{ \(use), ifMissing: 'skip' }",
      ]) == [])
  }

  @Test func `no warning if the folder in tmp has only files that the app has just saved`()
    async throws
  {
    let folder = ["{ createDirectory: 'tmp/f' }", "{ save: 'tmp/f/a', size: 1 }"]
    let move = "{ move: 'tmp/f', to: 'Documents/f' }"
    #expect(try await Trial.verdicts(folder + ["{ relaunch: {} }"] + folder + [move]) == [])
    #expect(
      try await Trial.verdicts(folder + ["{ relaunch: {} }", move])
        == ["exists-before-use warning 4 tmp/f"])
  }

  @Test func `nothing behind a link into the former container, which is gone after an update`()
    async throws
  {
    let steps = [
      "{ save: 'Documents/a', size: 1 }",
      "{ link: 'Documents/last', to: 'Documents/a', absolute: true }", "{ updateApp: '2' }",
    ]
    let append = "append: 'Documents/last', size: 1"
    #expect(try await Trial.failure(steps + ["{ \(append) }"]) != nil)
    #expect(try await Trial.failure(steps + ["{ \(append), ifMissing: 'skip' }"]) == nil)
  }
}
