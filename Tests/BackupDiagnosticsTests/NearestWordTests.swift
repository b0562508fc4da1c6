import Testing

@testable import BackupDiagnostics

@Suite struct `The nearest word` {
  /// Some of these words differ only little from each other.
  private static let words = [
    "append", "backup", "copy", "createDirectory", "exclude", "expectBackup", "expectFiles",
    "include", "link", "move", "perform", "purge", "read", "relaunch", "remove", "restore", "run",
    "save", "updateApp", "updateSystem",
  ]

  @Test(
    arguments: [
      ("exlcude", "exclude"), ("EXCLUDE", "exclude"), ("exclud", "exclude"), ("sav", "save"),
      ("backups", "backup"), ("bakcup", "backup"), ("moove", "move"), ("updateapp", "updateApp"),
      ("createDirectoy", "createDirectory"), ("creatDirectorry", "createDirectory"),
      ("createDir", "createDirectory"), ("append", "append"),
    ])
  func `is a few letters away`(word: String, nearest: String) {
    #expect(NearestWord.to(word, in: Self.words) == nearest)
  }

  @Test(arguments: ["", "x", "zzzz", "delete everything", "ab", "size", "update", "expect"])
  func `of an unrelated word is none`(word: String) {
    #expect(NearestWord.to(word, in: Self.words) == nil)
  }

  @Test func `is the first in the alphabet among equally near words`() {
    #expect(NearestWord.to("bat", in: ["cat", "bar", "hat"]) == "bar")
  }

  @Test func `among no words is none`() {
    #expect(NearestWord.to("save", in: [String]()) == nil)
    #expect(NearestWord.advice(for: "sve", in: ["save"]) == "did you mean 'save'?")
    #expect(NearestWord.advice(for: "go", in: ["save", "move"]) == "expected one of save, move")
  }

  @Test func `of a very long word is found quickly`() {
    let word = String(repeating: "save", count: 200_000)
    #expect(NearestWord.to(word, in: Self.words) == nil)
  }
}
