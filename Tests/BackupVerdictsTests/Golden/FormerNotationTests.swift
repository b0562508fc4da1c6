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

  @Test func `is equal to the run that wrote it`() async throws {
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
    let converted = try store.convertedText("trial")
    #expect(converted == result.actualGolden)
    try store.write(result.actualGolden, for: "trial")
    #expect(try store.convertedText("trial") == nil)
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

@Suite struct `A line of format 1` {
  private func rewriting(_ lines: String...) -> [String] {
    let title = "step 1 updateApp 2.0"
    let text = (["# golden 1: trial", title] + lines).joined(separator: "\n")
    return FormerNotation.rewriting(text).split(separator: "\n").dropFirst(2).map(String.init)
  }

  @Test(
    arguments: [
      ("+ x   6", "  there  x   6 bytes"),
      ("- x   not carried over", "  gone   x   (not carried over)"),
      ("+ x  10  ×2/", "  there  x  10  ×2/"), ("+ x  00  link", "  there  x  00  (link)"),
      ("+ x  10  link", "  there  x  10  (link)"), ("+ x  10  y", "  there  x  10  y"),
    ])
  func `keeps a name that contains two spaces or ends with one`(former: String, present: String) {
    #expect(rewriting(former) == [present])
  }

  @Test func `has the directories of a name with two spaces`() {
    #expect(rewriting("+ a/b  c/d/") == ["  there  a/", "  there  a/b  c/", "  there  a/b  c/d/"])
  }

  @Test func `has a directory whose name begins with an accent`() {
    #expect(
      rewriting("+ a/\u{301}/b  1") == [
        "  there  a/", "  there  a/\u{301}/", "  there  a/\u{301}/b  1 byte",
      ])
  }

  @Test func `of great depth is rewritten quickly`() {
    let depth = 1_000_000
    #expect(rewriting("+ \(String(repeating: "a/", count: depth))b  1").count < depth)
  }

  @Test func `about a missing item adds no line for its directory`() {
    #expect(rewriting("- a/b  not carried over") == ["  gone   a/b  (not carried over)"])
    #expect(
      rewriting("- a/b  not carried over", "+ a/c  1") == [
        "  there  a/", "  gone   a/b  (not carried over)", "  there  a/c  1 byte",
      ])
  }

  @Test func `with a size that begins with 0 has no size`() {
    #expect(rewriting("+ x  010") == ["  there  x  010"])
  }
}

@Suite struct `A golden file stays as it is` {
  private func text(_ steps: [String]) async throws -> String {
    try await Trial.result(try Trial.scenario(steps)).actualGolden
  }

  @Test func `if the app has other steps with the same outcome`() async throws {
    let steps = ["{ save: 'Documents/a', size: 1 }", "{ backup: 'b' }", "{ backup: 'b' }"]
    let otherSteps = ["{ save: 'Documents/a', size: 2 }", "{ read: 'Documents/a' }"]
    #expect(try await text(steps) == text(otherSteps + steps))
  }

  @Test func `except for the lines of a file that a directory gets`() async throws {
    let emptyDirectorySteps = ["{ createDirectory: 'Documents/d' }", "{ backup: 'b' }"]
    let saveInDirectory = ["{ save: 'Documents/d/a', size: 1 }"]
    let lines = try await [
      text(emptyDirectorySteps),
      text([emptyDirectorySteps[0]] + saveInDirectory + [emptyDirectorySteps[1]]),
      text([emptyDirectorySteps[1]]),
    ].map { text in text.split(separator: "\n").filter { $0.hasPrefix("  in   Documents/d/") } }
    #expect(
      lines == [
        ["  in   Documents/d/"], ["  in   Documents/d/", "  in   Documents/d/a  1 byte"], [],
      ])
  }
}
