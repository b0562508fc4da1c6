import TestSupport
import Testing

@testable import BackupDiagnostics
@testable import BackupJSON5

/// Keys with and without quotes.
@Suite struct KeyTests {
  @Test(arguments: [
    ("{a:1}", "a"), ("{$:1}", "$"), ("{_a1:1}", "_a1"), ("{'a b':1}", "a b"), ("{\"\":1}", ""),
    ("{ключ:1}", "ключ"), ("{日本:1}", "日本"), ("{𝒜:1}", "𝒜"), ("{a\u{200D}:1}", "a\u{200D}"),
    ("{null:1}", "null"), ("{Infinity:1}", "Infinity"), (#"{'\u0061\n':1}"#, "a\n"),
  ])
  func keysAreRead(_ text: String, _ key: String) {
    #expect(keys(text) == [key])
  }

  @Test(arguments: [
    (#"{\u0061:1}"#, "a"), (#"{a\u0062c:1}"#, "abc"), (#"{\u0061\u0031:1}"#, "a1"),
    (#"{\u00e9:1}"#, "é"), (#"{\u0024\u005F:1}"#, "$_"), (#"{a\u200C:1}"#, "a\u{200C}"),
  ])
  func escapesInKeysAreResolved(_ text: String, _ key: String) {
    #expect(keys(text) == [key])
  }

  @Test(arguments: [
    #"{\u0031:1}"#, #"{\u0020:1}"#, #"{a\u002D:1}"#, #"{a\uD835\uDC9C:1}"#, #"{\x61:1}"#,
    #"{\n:1}"#,
    #"{\:1}"#, #"{\"#,
  ])
  func escapesMustStandForKeyCharacters(_ text: String) {
    #expect(mistake(in: text)?.message.contains("escape that is not allowed in a key") == true)
  }

  @Test func escapesInKeysMustBeComplete() {
    #expect(mistake(in: #"{a\u00:1}"#)?.position == SourcePosition(line: 1, column: 3))
    #expect(mistake(in: #"{\uD835:1}"#)?.message.contains("surrogate") == true)
  }

  @Test func duplicateKeysAreKeptInOrder() throws {
    #expect(keys("{a:1,b:2,'a':3,\\u0061:4}") == ["a", "b", "a", "a"])
    #expect(try LocatedValue(json5: "{a:1,a:2}").outline == "{a:1,a:2}")
  }

  @Test func canonicallyEquivalentKeysKeepTheirBytes() {
    #expect(keys("{é:1,e\u{301}:2}")?.map(\.utf8.count) == [2, 3])
  }
}
