import BackupCollections
import Testing

@testable import BackupDiagnostics

@Suite struct `The wording of messages` {
  @Test(arguments: [(0, "0 files"), (1, "1 file"), (2, "2 files"), (-1, "-1 files")])
  func `uses the singular only for a count of one`(count: Int, text: String) {
    #expect(count.counted("file") == text)
  }

  @Test func `lists five names, each on one line, and counts the rest`() {
    #expect(["a\n", "b"].shortList == "a\\n, b")
    #expect(["a", "b", "c", "d", "e", "f", "g"].shortList == "a, b, c, d, e and 2 more")
  }

  @Test func `uses an irregular plural`() {
    #expect(1.counted("entry", plural: "entries") == "1 entry")
    #expect(3.counted("entry", plural: "entries") == "3 entries")
    #expect([1, 2].map { $0.wordForm("holds", plural: "hold") } == ["holds", "hold"])
  }

  @Test(
    arguments: [
      ([], ""), (["a"], "a"), (["a", "b"], "a and b"), (["a", "b", "c"], "a, b and c"),
    ])
  func `separates the words of a list with commas and 'and'`(words: [String], text: String) {
    #expect(words.joinedInWords == text)
  }

  @Test func `cuts long texts`() {
    #expect("abc".cut(to: 3) == "abc")
    #expect("abcd".cut(to: 3) == "abc…")
    #expect(String(repeating: "a", count: 61).escapedExcerpt.count == 61)
    #expect(["a/", "a//", "/", "//", ""].map(\.withoutEndingSlash) == ["a", "a", "/", "/", ""])
  }
}

@Suite struct `A binary search` {
  @Test(arguments: 0...9)
  func `finds where the second part begins`(count: Int) {
    for first in 0...count {
      #expect((0..<count).partitioningIndex { $0 >= first } == first)
      let slice = Array(-3..<count)[3...]
      #expect(slice.partitioningIndex { $0 >= first } == first + 3)
    }
  }

  @Test(arguments: [
    ("a-b/c.d", "a-b/c.d"), ("", "''"), ("a b", "'a b'"), ("a'b", "'a'\\''b'"),
    // A combining accent, which joins the quote before it.
    ("'\u{301};x", "''\\''\u{301};x'"),
  ])
  func `a word for the shell is one word, whatever is in it`(word: String, quoted: String) {
    #expect(Array(word.quotedForShell.utf8) == Array(quoted.utf8))
  }
}
