import TestSupport
import Testing
import TrialSupport

@testable import BackupScenarios
@testable import BackupVerdicts

@Suite struct `A golden file of format 1` {
  private let folder: TestFolder
  private let store: GoldenStore

  init() throws {
    folder = try TestFolder()
    store = GoldenStore(folder: folder.path)
  }

  @Test func `says the same as the run that wrote it`() async throws {
    let scenario = try Trial.scenario(
      [
        "{ save: 'Documents/a  1', size: 3000000 }",
        "{ createDirectory: 'Library/Application Support/Movies' }",
        "{ save: 'Library/Application Support/Movies/1.mp4', size: 7000000 }",
        "{ exclude: 'Library/Application Support/Movies/1.mp4' }",
        "{ save: 'Library/Caches/c', size: 5 }", "{ backup: 'b' }", "{ purge: 'lowStorage' }",
        "{ restore: 'b' }",
      ])
    try folder.write(
      """
      # golden 1: trial
      system newest, iCloud
      step 6 backup "b": 1 file, 3000000 bytes
      + Documents/a  1  3000000
      - Library/Application Support/Movies/1.mp4  own mark
      - Library/Caches/  location
      + Library/Preferences/
      - tmp/  location
      step 7 purge lowStorage: 5 bytes taken
      - Library/Caches/c  5
      step 8 restore "b"
      + Documents/a  1  3000000
      + Library/Application Support/Movies/
      - Library/Application Support/Movies/1.mp4  own mark
      + Library/Caches/
      - Library/Caches/c  location
      + Library/Preferences/
      + tmp/

      """, to: "trial.golden")
    let result = try await Trial.result(scenario, .never, goldens: store)
    #expect(result.verdict == .passed)
    let converted = try store.converted("trial")
    #expect(converted == result.actualGolden)
    try store.write(result.actualGolden, for: "trial")
    #expect(try store.converted("trial") == nil)
  }

  @Test func `has the items of other containers and of the keychain`() throws {
    let text = """
      # golden 1: trial
      system newest, iCloud
      launch step 2 restore "b"
      container group.x, of a group
      + group.x:/a/b/c.txt  1
      - group.x:/a/d  own mark (extended attribute)
      keychain token  lost
      keychain a  b  kept
      by hand

      """
    #expect(
      FormerNotation.rewriting(text) == """
        # golden 2: trial
        system newest, iCloud
        restore "b"
        container group.x, of a group
          there  group.x:/a/
          there  group.x:/a/b/
          there  group.x:/a/b/c.txt  1 byte
          gone   group.x:/a/d  (not in the backup: own mark (extended attribute))
          gone   token  (keychain item)
          there  a  b  (keychain item)
        by hand

        """)
  }
}

@Suite struct `A golden file stays as it is` {
  private func text(_ steps: [String]) async throws -> String {
    try await Trial.result(try Trial.scenario(steps)).actualGolden
  }

  @Test func `where the app has other steps with the same outcome`() async throws {
    let steps = ["{ save: 'Documents/a', size: 1 }", "{ backup: 'b' }", "{ backup: 'b' }"]
    let more = ["{ save: 'Documents/a', size: 2 }", "{ read: 'Documents/a' }"]
    #expect(try await text(steps) == text(more + steps))
  }

  @Test func `but for a file that a directory begins or ceases to have`() async throws {
    let empty = ["{ createDirectory: 'Documents/d' }", "{ backup: 'b' }"]
    let full = ["{ save: 'Documents/d/a', size: 1 }"]
    let lines = try await [
      text(empty), text([empty[0]] + full + [empty[1]]), text([empty[1]]),
    ].map { text in text.split(separator: "\n").filter { $0.hasPrefix("  in   Documents/d/") } }
    #expect(
      lines == [
        ["  in   Documents/d/"], ["  in   Documents/d/", "  in   Documents/d/a  1 byte"], [],
      ])
  }
}
