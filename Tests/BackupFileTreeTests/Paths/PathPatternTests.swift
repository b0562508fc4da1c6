import BackupDiagnostics
import BackupFileTree
import Testing
import TreeSupport

@Suite struct PathPatternTests {
  /// Whether a pattern matches a path.
  private func matches(_ pattern: String, _ path: String) throws -> Bool {
    try PathPattern(pattern).matches(try ContainerPath(path))
  }

  @Test(arguments: [
    ("Documents/notes.txt", "Documents/notes.txt"), ("Documents/*", "Documents/a"),
    ("Documents/*.txt", "Documents/.txt"), ("*/a", "Documents/a"), ("Documents/a*", "Documents/a"),
    ("a*b*c", "abc"), ("a*b*c", "a--b-bc--c"), ("*a", "aaa"), ("a**b", "a-b"), ("***", "abc"),
    ("?", "a"), ("a?c", "abc"), ("??*", "ab"), ("*?", "a"), ("?*?", "ab"),
    ("Documents/", "Documents"),
  ])
  func `wildcards match within a component`(pattern: String, path: String) throws {
    #expect(try matches(pattern, path))
  }

  @Test(arguments: [
    ("Documents/*", "Documents"), ("Documents/*", "Documents/a/b"), ("*", "a/b"), ("?", "ab"),
    ("a?c", "ac"), ("Documents/*.txt", "Documents/a.txt2"), ("a*b*c", "ab"), ("a*b", "a/b"),
    ("a?b", "a/b"), ("??*", "a"), ("?*?", "a"), ("documents/a", "Documents/a"), ("a**b", "a/b"),
    ("Documents/notes.txt", "Documents/notes"), ("a.c", "abc"), ("[ab]", "a"), ("{a,b}", "a"),
    ("a+", "aa"), ("\\*", "*"),
  ])
  func `wildcards do not match across components, and no other wildcards exist`(
    pattern: String, path: String
  ) throws {
    #expect(try !matches(pattern, path))
  }

  @Test(arguments: [
    ("Documents/**", "Documents"), ("Documents/**", "Documents/a"),
    ("Documents/**", "Documents/a/b/c"), ("**", "a"), ("**", "a/b/c"), ("**/c", "c"),
    ("**/c", "a/b/c"), ("a/**/c", "a/c"), ("a/**/c", "a/b/b/c"), ("a/**/c", "a/c/c"),
    ("**/b/**", "b"), ("**/b/**", "a/b/c"), ("**/**", "a"), ("a/**/**/b", "a/b"),
    ("**/*.txt", "a/b/c.txt"), ("**/b/c", "b/b/c"), ("**/a/*/c", "a/a/b/c"),
    ("Documents/**/*", "Documents/a"),
  ])
  func `two asterisks match any number of components`(pattern: String, path: String) throws {
    #expect(try matches(pattern, path))
  }

  @Test(arguments: [
    ("Documents/**", "Documents2"), ("Documents/**", "Library/Documents/a"), ("a/**/c", "a/b"),
    ("a/**/c", "a/c/b"), ("**/c", "a/c/b"), ("a/**/b/**/c", "a/c/b"),
    ("Documents/**/*", "Documents"),
    ("**/*/*", "a"), ("tmp", "Documents/tmp"), ("a", "b/a"), ("a", "a/b"), ("b/c", "a/b/c"),
  ])
  func `patterns are anchored at both ends`(pattern: String, path: String) throws {
    #expect(try !matches(pattern, path))
  }

  @Test func `a question mark is one Unicode scalar`() throws {
    #expect(try matches("?", "\u{E9}"))
    #expect(try !matches("?", "e\u{301}"))
    #expect(try matches("??", "e\u{301}"))
    #expect(try matches("?", "\u{1F600}"))
  }

  @Test func `names that only look the same do not match`() throws {
    #expect(try !matches("\u{E9}", "e\u{301}"))
    #expect(try !matches("e\u{301}", "\u{E9}"))
    #expect(try matches("e*", "e\u{301}"))
    #expect(try matches("*\u{301}", "e\u{301}"))
  }

  @Test(arguments: ["\u{202E}txt", "\r\n", " ", "\u{FEFF}", "a\u{0301}\u{0302}", "🇩🇪", "٣", "\t"])
  func `odd characters stand for themselves`(name: String) throws {
    #expect(try matches("Documents/" + name, "Documents/" + name))
    #expect(try matches("**/" + name, "Documents/" + name))
    #expect(try !matches("Documents/x", "Documents/" + name))
  }

  @Test func `bytes that are no UTF-8 match wildcards`() throws {
    let path = try ContainerPath(bytes: Array("Documents/".utf8) + [0xFF, 0x61])
    #expect(try PathPattern("Documents/*a").matches(path))
    #expect(try PathPattern("Documents/?a").matches(path))
    #expect(try !PathPattern("Documents/a").matches(path))
  }

  @Test(arguments: [
    "", "/", "/Documents", "a//b", "../x", "a/../b", "a/./b", ".", "**/..", "a\u{0}b", "//",
    String(repeating: "x", count: 256), String(repeating: "ab/", count: 400),
  ])
  func `a pattern that no path can match is an error`(pattern: String) {
    #expect(throws: RunError.self) { try PathPattern(pattern) }
  }

  @Test(arguments: [
    ("Documents/**", "Documents"), ("Documents/a/*.txt", "Documents/a"), ("**", ""), ("a?/b", ""),
    ("Documents/a/b", "Documents/a/b"),
    ("Library/Application Support/*/x", "Library/Application Support"),
    ("Documents/*\u{301}/x", "Documents"), ("Documents/?\u{301}/x", "Documents"),
    ("Documents/\u{301}*", "Documents"), ("Documents/\u{301}/*", "Documents/\u{301}"),
  ])
  func `the fixed prefix ends before the first wildcard`(pattern: String, prefix: String) throws {
    #expect(try PathPattern(pattern).fixedPrefix.utf8.elementsEqual(prefix.utf8))
  }

  @Test func `the description is the text of the pattern`() throws {
    for text in ["Documents/**", "**/*.txt", "a?", "Documents/"] {
      #expect(try PathPattern(text).description == text)
    }
  }
}

/// A pattern covers another if it surely matches all paths that the other matches.
@Suite struct PathPatternCoverTests {
  @Test(
    arguments: [
      ("**", "Documents/**"), ("a/**", "a/b/*"), ("a/**", "a"), ("a/*/**", "a/b/c"),
      ("a?/**", "ab/x"), ("a/**", "a/**"),
    ])
  func `a pattern covers another pattern if it matches all its paths`(wide: String, narrow: String)
    throws
  {
    let (wide, narrow) = (wide, narrow)
    #expect(try PathPattern(wide).surelyCovers(PathPattern(narrow)))
  }

  @Test(
    arguments: [
      ("a/*", "a/**"), ("a/**", "**"), ("a/**", "b/**"), ("a/b/**", "a/*/**"), ("a?/**", "a*/x"),
      ("**/a", "b/a"), ("a/b/**", "a"), ("a/*/**", "a/**"),
    ])
  func `a pattern does not cover another pattern if it may miss one of its paths`(
    wide: String, narrow: String
  ) throws {
    let (wide, narrow) = (wide, narrow)
    #expect(try !PathPattern(wide).surelyCovers(PathPattern(narrow)))
  }
}
