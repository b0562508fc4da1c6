import BackupDiagnostics
import TestSupport
import Testing

/// Names of any bytes are printed on one line.
@Suite struct EscapedTextTests {
  @Test(arguments: [
    "Documents/notes.txt", "é", "日本語", "😀", "e\u{301}", "a b", "'", "👨‍👩‍👧", "❤️", "1️⃣", "می‌روم", "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
  ])
  func `readable text is not changed`(text: String) {
    #expect(Array(EscapedText.escape(text).utf8) == Array(text.utf8))
  }

  @Test(arguments: [[], [0x61, 0xC3, 0xA9], [0xEF, 0xBB, 0xBF, 0x61], [0xEF, 0xBF, 0xBD], [0]])
  func `bytes that are UTF-8 are a text of just these bytes`(bytes: [UInt8]) {
    #expect(String(validUTF8: bytes).map { Array($0.utf8) } == bytes)
  }

  @Test(arguments: [
    [0xFF], [0x61, 0xC3], [0xC0, 0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80],
  ])
  func `bytes that are not UTF-8 are no text`(bytes: [UInt8]) {
    #expect(String(validUTF8: bytes) == nil)
  }

  @Test(arguments: [
    ("a\nb", "a\\nb"), ("\r\t", "\\r\\t"), ("\\n", "\\\\n"), ("\u{0}", "\\u{0}"),
    ("\u{1B}[31m", "\\u{1B}[31m"), ("\u{7F}", "\\u{7F}"), ("\u{85}", "\\u{85}"),
    ("\u{2028}\u{2029}", "\\u{2028}\\u{2029}"), ("a\u{202E}b", "a\\u{202E}b"),
    ("\u{2066}\u{2069}", "\\u{2066}\\u{2069}"), ("\u{FEFF}", "\\u{FEFF}"),
    ("\u{200B}\u{2060}", "\\u{200B}\\u{2060}"), ("\u{61C}\u{AD}", "\\u{61C}\\u{AD}"),
    ("a\u{200D}", "a\\u{200D}"), ("1\u{200C}", "1\\u{200C}"), ("\u{FE0F}", "\\u{FE0F}"),
  ])
  func `characters that break a line, reverse it or are invisible are escaped`(
    text: String, escaped: String
  ) {
    #expect(EscapedText.escape(text) == escaped)
    if !text.contains("\\") { #expect(text.onOneLine == escaped) }
  }

  @Test(
    arguments: [
      ([0xFF], "\\xFF"), ([0x41, 0xC3], "A\\xC3"), ([0xC0, 0xAF], "\\xC0\\xAF"),
      ([0xED, 0xA0, 0x80], "\\xED\\xA0\\x80"), ([0xE2, 0x82, 0x41], "\\xE2\\x82A"), ([0x0A], "\\n"),
    ] as [([UInt8], String)])
  func `bytes that are no UTF-8 are written one by one`(bytes: [UInt8], escaped: String) {
    #expect(EscapedText.escape(bytes) == escaped)
  }

  @Test(arguments: 1...20 as ClosedRange<UInt64>)
  func `different bytes never read the same`(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    let alphabet: [UInt8] = [0x0A, 0x5C, 0x78, 0x46, 0x6E, 0xC3, 0xA9, 0xFF, 0x75, 0x7B]
    var seen: [String: [UInt8]] = [:]
    for _ in 0..<2_000 {
      let length = Int.random(in: 0...5, using: &random)
      let bytes = (0..<length).map { _ in
        alphabet[Int.random(in: 0..<alphabet.count, using: &random)]
      }
      let text = EscapedText.escape(bytes)
      #expect(!text.contains("\n"))
      if let other = seen.updateValue(bytes, forKey: text) { #expect(other == bytes) }
    }
  }
}
