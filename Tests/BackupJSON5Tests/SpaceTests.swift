import TestSupport
import Testing

@testable import BackupDiagnostics
@testable import BackupJSON5

@Suite struct SpaceTests {
  /// Every character that JSON5 treats as white space or as a line end.
  static let spaces: [String] = [
    "\t", "\n", "\u{B}", "\u{C}", "\r", " ", "\u{A0}", "\u{1680}", "\u{2000}", "\u{2001}",
    "\u{2002}",
    "\u{2003}", "\u{2004}", "\u{2005}", "\u{2006}", "\u{2007}", "\u{2008}", "\u{2009}", "\u{200A}",
    "\u{2028}", "\u{2029}", "\u{202F}", "\u{205F}", "\u{3000}", "\u{FEFF}",
  ]

  @Test(arguments: spaces) func spaceMayStandBetweenAllTokens(_ space: String) throws {
    let text = ["", "{", "a", ":", "[", "1", ",", "'b'", ",", "]", ",", "}", ""]
    #expect(try LocatedValue(json5: text.joined(separator: space)).outline == "{a:[1,'b']}")
  }

  @Test(arguments: ["\u{85}", "\u{180E}", "\u{200B}", "\u{2060}", "\0", "\u{1C}", "\u{200C}"])
  func otherInvisibleCharactersAreRefused(_ character: String) {
    #expect(mistake(in: character + "1")?.position == SourcePosition(line: 1, column: 1))
    #expect(mistake(in: "[\(character)]")?.message.contains("the character U+") == true)
  }

  @Test(arguments: [
    "//\n", "// c\r", "/**/", "/***/", "/*/*/", "/* // */", "//*\n", "// é\u{2028}",
  ])
  func commentMayStandBetweenAllTokens(_ comment: String) throws {
    let text = ["", "{", "a", ":", "[", "1", ",", "'b'", ",", "]", ",", "}", ""]
    #expect(try LocatedValue(json5: text.joined(separator: comment)).outline == "{a:[1,'b']}")
  }

  @Test func lineCommentMayEndTheInput() throws {
    #expect(try LocatedValue(json5: "1//").outline == "1")
    #expect(try LocatedValue(json5: "1 // c").outline == "1")
  }

  @Test(arguments: ["/*", "/* *", "/*/", "/* /* ", "/* é"])
  func openCommentIsRefusedWhereItBegins(_ comment: String) {
    let mistake = mistake(in: "[1,\n \(comment)")
    #expect(mistake?.position == SourcePosition(line: 2, column: 2))
    #expect(mistake?.message.contains("comment is not closed") == true)
  }

  @Test func commentsDoNotNest() {
    #expect(mistake(in: "/* /* */ */ 1")?.position.column == 10)
  }

  @Test func commentsSeparateNothingByThemselves() {
    #expect(mistake(in: "1/**/2") != nil)
    #expect(mistake(in: "[tr/**/ue]") != nil)
  }
}
