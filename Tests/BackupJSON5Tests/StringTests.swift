import Testing

@testable import BackupDiagnostics
@testable import BackupJSON5

/// Strings, their escapes and line continuations.
@Suite struct StringTests {
  @Test(arguments: [
    (#"'\b\f\n\r\t\v\0'"#, "\u{8}\u{C}\n\r\t\u{B}\0"), (#"'\\\/\'\"'"#, "\\/'\""),
    (#"'\x41\x00\xfF'"#, "A\0ÿ"), (#"'\u0041\u0000\uFFFF'"#, "A\0\u{FFFF}"),
    (#"'\ud83d\ude00\uDBFF\uDFFF'"#, "😀\u{10FFFF}"), (#"'\q\A\é\😀\ '"#, "qAé😀 "),
    (#"'\0a'"#, "\0a"), (#"'\0\0'"#, "\0\0"), (#"'\u00410'"#, "A0"), (#"'\x4100'"#, "A00"),
  ])
  func escapesStandForTheirCharacters(_ text: String, _ expected: String) {
    #expect(string(text).map { Array($0.utf8) } == Array(expected.utf8))
  }

  @Test(arguments: ["\n", "\r", "\r\n", "\u{2028}", "\u{2029}"])
  func lineContinuationsVanish(_ terminator: String) {
    #expect(string("'a\\\(terminator)b'") == "ab")
    #expect(string("'\\\(terminator)'") == "")
    #expect(string("'\\\(terminator)\\\(terminator)'") == "")
  }

  @Test func onlyOneLineEndVanishes() {
    #expect(mistake(in: "'a\\\n\nb'") != nil)
    #expect(mistake(in: "'a\\\n\rb'") != nil)
  }

  @Test func otherQuotesNeedNoEscape() {
    #expect(string(#"'say "a"'"#) == #"say "a""#)
    #expect(string(#""it's""#) == "it's")
  }

  @Test func separatorsMayStandUnescaped() {
    #expect(string("'\u{2028}\u{2029}'") == "\u{2028}\u{2029}")
  }

  @Test func controlCharactersMayStandUnescaped() {
    #expect(string("'\0\u{1}\t\u{1F}\u{7F}'") == "\0\u{1}\t\u{1F}\u{7F}")
  }

  @Test func combiningCharactersStayApart() {
    #expect(string(#"'e\u0301'"#)?.unicodeScalars.count == 2)
    #expect(string("'\u{301}'")?.utf8.count == 2)
  }

  @Test(arguments: [
    #"'\ud83d'"#, #"'\ude00'"#, #"'\ude00\ud83d'"#, #"'\ud83d\u0041'"#, #"'\ud83dA'"#,
    #"'\ud83d\\ude00'"#, #"'\ud83d\x41'"#,
  ])
  func loneSurrogatesAreRefusedAtTheEscape(_ text: String) {
    let mistake = mistake(in: text)
    #expect(mistake?.position.column == 2)
    #expect(mistake?.message.contains("surrogate") == true)
  }

  @Test(arguments: [
    #"'\x'"#, #"'\x4'"#, #"'\xg0'"#, #"'\u'"#, #"'\u123'"#, #"'\u{41}'"#, #"'\u12"#,
  ])
  func shortEscapesAreRefusedAtTheBackslash(_ text: String) {
    let mistake = mistake(in: text)
    #expect(mistake?.position.column == 2)
    #expect(mistake?.message.contains("hexadecimal digits") == true)
  }

  @Test(arguments: [#"'\1'"#, #"'\9'"#, #"'\01'"#, #"'\00'"#])
  func octalEscapesAreRefused(_ text: String) {
    #expect(mistake(in: text)?.position.column == 2)
    #expect(mistake(in: text)?.message.contains("backslash before a digit") == true)
  }

  @Test func longStringsAreReadWhole() {
    let long = String(repeating: "é\\n", count: 50_000)
    #expect(string("'\(long)'")?.utf8.count == 150_000)
  }
}
