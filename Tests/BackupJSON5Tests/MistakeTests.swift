import Testing

@testable import BackupDiagnostics
@testable import BackupJSON5

/// The reader explains common mistakes, and names their positions.
@Suite struct MistakeTests {
  @Test(arguments: cases) func mistakeIsLocatedAndExplained(_ example: Example) {
    let mistake = mistake(in: example.text)
    #expect(mistake?.position == SourcePosition(line: example.line, column: example.column))
    for word in example.words { #expect(mistake?.message.contains(word) == true, "\(word)") }
    #expect(mistake?.message.hasSuffix(".") == true)
  }

  @Test func messageIsWholeSentences() {
    #expect(
      mistake(in: "{\n  a: 1\n  b: 2\n}")?.message
        == "Found 'b' after the value of 'a'. Expected ',' or '}'; put a comma before it.")
    #expect(
      mistake(in: #"{ a: "b, c: "d" }"#)?.message
        == "Found 'd' after the value of 'a'. Expected ',' or '}'; a quote before it is missing or too "
        + "many, or put a comma before it.")
    #expect(
      mistake(in: #""a": 1"#)?.message
        == "Found ':' after the end of the value. Expected the end of the file; write '{' and '}' "
        + "around the members.")
    #expect(
      mistake(in: "{ a = 1 }")?.message
        == "Found '=' after the key 'a'. Expected ':'; write ':' instead of '='.")
  }

  @Test func messageStaysShortAndOnOneLine() {
    let long = String(repeating: "a", count: 100_000)
    for text in ["{\(long) 1}", "{\(long):1 2}", long, "{a:1 \(long)}", "1\(long)", "{'\(long)':}"]
    {
      #expect((mistake(in: text)?.message.count ?? .max) < 250)
    }
    #expect(mistake(in: #"{"a\nb" 1}"#)?.message.contains("\n") == false)
  }

  /// A text with a mistake, and the expected position and message.
  struct Example: Sendable, CustomTestStringConvertible {
    let text: String
    let line: Int
    let column: Int
    /// Texts that the message must contain.
    let words: [String]

    init(_ text: String, _ line: Int, _ column: Int, _ words: String...) {
      (self.text, self.line, self.column, self.words) = (text, line, column, words)
    }

    var testDescription: String { text.debugDescription }
  }
}

extension MistakeTests {
  static let cases: [Example] = separators + brackets + tokens + documents

  private static let separators = [
    Example("{a: 1 b: 2}", 1, 7, "Found 'b'", "',' or '}'", "comma"),
    Example("[1 2]", 1, 4, "Found '2' after a value", "',' or ']'", "comma"),
    Example("['a' 'b']", 1, 6, "Found a string after a value", "comma"),
    Example("{a: 1; b: 2}", 1, 6, "Found ';'", "',' or '}'"),
    Example("{a 1}", 1, 4, "Found '1' after the key 'a'", "Expected ':'"),
    Example("{a = 1}", 1, 4, "Found '='", "Expected ':'", "instead of '='"),
    Example("{a-b: 1}", 1, 3, "Found '-' after the key 'a'", "quotes"),
    Example("{a}", 1, 3, "Found '}' after the key 'a'", "Expected ':'"),
    Example("{a:}", 1, 4, "Found '}'", "value for the key 'a'"),
    Example("[1,,2]", 1, 4, "Found ','", "Expected a value", "remove the comma"),
    Example("[,]", 1, 2, "Found ','", "remove the comma"),
    Example("{,}", 1, 2, "Found ','", "Expected a key", "remove the comma"),
    Example("{:1}", 1, 2, "Found ':'", "Expected a key", "before the colon"),
    Example("{a:1 # c\n}", 1, 6, "Found '#'", "'//'"),
    Example("{# c\n}", 1, 2, "Found '#'", "'//'"),
  ]

  private static let brackets = [
    Example("{\n a: [1,\n", 3, 1, "end of the file", "'['", "line 2, column 5", "']'"),
    Example("{\n a: 1,\n", 3, 1, "end of the file", "'{'", "line 1, column 1", "'}'"),
    Example("{a: [1}", 1, 7, "Found '}'", "'['", "line 1, column 5", "']'"),
    Example("[{]", 1, 3, "Found ']'", "'{'", "line 1, column 2", "'}'"),
    Example("{a:1]", 1, 5, "Found ']'", "'{'", "'}'"),
    Example("]", 1, 1, "Found ']'", "Expected a value", "remove the bracket"),
    Example("[1]]", 1, 4, "Found ']' after the end", "Expected the end"),
    Example("{{}}", 1, 2, "Found '{'", "Expected a key", "a key and ':'"),
    Example("[1, // ]", 1, 9, "end of the file", "line 1, column 1"),
  ]

  private static let tokens = [
    Example("{a: \"b\n}", 1, 5, "not closed", "end of the line", "\""),
    Example("{a: 'b", 1, 5, "not closed", "end of the file", "'"),
    Example("{a: 'it's'}", 1, 9, "Found 's'", "',' or '}'"),
    Example("{a: 'b\\", 1, 5, "not closed", "end of the file"),
    Example("{a: “b”}", 1, 5, "“", "U+201C", "straight quotes"),
    Example("{“a”: 1}", 1, 2, "“", "straight quotes", "key"),
    Example("`a`", 1, 1, "'`'", "straight quotes"),
    Example("[True]", 1, 2, "Found 'True'", "write true"),
    Example("[FALSE]", 1, 2, "Found 'FALSE'", "write false"),
    Example("[yes]", 1, 2, "Found 'yes'", "write true"),
    Example("[None]", 1, 2, "Found 'None'", "write null"),
    Example("[nil, 1]", 1, 2, "Found 'nil'", "write null"),
    Example("[undefined]", 1, 2, "Found 'undefined'", "write null"),
    Example("[nan]", 1, 2, "Found 'nan'", "write NaN"),
    Example("[Inf]", 1, 2, "Found 'Inf'", "write Infinity"),
    Example("[iCloud]", 1, 2, "Found 'iCloud'", "text in quotes"),
    Example("{size: 5MB}", 1, 8, "Found '5MB'", "text in quotes"),
    Example("[1.2.3]", 1, 2, "Found '1.2.3'", "text in quotes"),
    Example("[007]", 1, 2, "Found '007'", "leading zero"),
    Example("[-01]", 1, 2, "Found '-01'", "leading zero"),
    Example("[0x]", 1, 2, "Found '0x'", "Expected a number"),
    Example("[1e]", 1, 2, "Found '1e'", "Expected a number"),
    Example("[+]", 1, 2, "Found '+'", "Expected a number"),
    Example("{1: 2}", 1, 2, "Found '1'", "Expected a key", "quotes"),
  ]

  /// Mistakes in the document as a whole.
  private static let documents = [
    Example("", 1, 1, "is empty", "a template"),
    Example(" // c\n", 2, 1, "is empty"),
    Example("\u{FEFF}", 1, 4, "is empty"),
    Example("{} {}", 1, 4, "Found '{' after the end", "Expected the end", "remove"),
    Example("{},", 1, 3, "Found ',' after the end"),
    Example("1 # c", 1, 3, "Found '#'", "'//'"),
    Example("title: 'a'", 1, 1, "Found 'title'", "'{' and '}'"),
    Example("{}\0", 1, 3, "the character U+0000"),
    Example("\0{", 1, 1, "the character U+0000", "UTF-8"),
  ]
}
