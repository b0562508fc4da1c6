import BackupJSON5
import TestSupport
import Testing

/// Inputs on which the reader and `JSONDecoder` with `allowsJSON5` agree, in verdict and value.
@Suite struct FoundationTableTests {
  @Test func bothAccept() throws {
    for text in Self.accepted {
      let expected = try #require(FoundationValue.read(Array(text.utf8)))
      #expect(expected.matches(try LocatedValue(json5: text)), "\(text)")
    }
  }

  @Test func bothRefuse() {
    for text in Self.refused {
      #expect(FoundationValue.read(Array(text.utf8)) == nil, "\(text)")
      #expect(mistake(in: text) != nil, "\(text)")
    }
  }
}

extension FoundationTableTests {
  /// Valid JSON5 that Foundation reads as the specification says.
  static let accepted: [String] = words + numbers + strings + containers + keyed + spaced

  private static let words = [
    "null", "true", "false", "[true,false,null]", " null ", "Infinity", "+Infinity", "-Infinity",
    "NaN", "+NaN", "-NaN", "[NaN,Infinity]", "{a:NaN}", "{a:-Infinity}",
  ]

  private static let numbers = [
    "0", "-0", "+0", "1", "+1", "-1", "1.", "1.0", "1.5", ".5", "+.5", "-.5", "-1.25", "0.", "-0.",
    "0.5", "-0.0", "0e0", "1e5", "1E5", "1E+5", "1e-5", "1.e3", ".5e1",
    "0.1e1", "100e-2", "0e999", "0.0e-400", "5e-324", "1e-320", "1e308", "1e18", "1e19",
    "123456789", "9007199254740993", "9007199254740993.0", "9223372036854775807",
    "-9223372036854775808", "9223372036854775808", "12345678901234567890123", "0x1F", "0X1f",
    "-0x10", "+0x10", "0x0", "-0x0", "0xAbCdEf", "0x7FFFFFFFFFFFFFFF", "0x8000000000000000",
    "-0x8000000000000000", "0x20000000000001", "[0x1,]", "[1.]", "[1,2,3.]", "[+.5,-.5,+0x1]",
    "{a:0x1}", "{a:1.}", "{a:+1}", "1.00000000000000000000", "0.1000000000000000055511151231257827",
  ]

  /// Strings with the escapes that Foundation knows.
  private static let strings = [
    #""""#, "''", #""a""#, "'a'", #"'a"b'"#, #""a'b""#, #"'a\'b'"#, #""a\"b""#, #""\'\"""#,
    #""\b\f\n\r\t\/\\""#, #""\x41""#, #""\xe9""#, #""\xE9""#, #""\x01""#, #""\u0041""#,
    #""\u00e9""#, #""\u2028""#, #""\uFFFF""#, #""\ud83d\ude00""#, #""\uD835\uDC9C""#, "'é'",
    "'日本'", "'😀'", "'\u{7F}'", "'\u{85}'", "'\u{2028}'", "'\u{2029}'", "'\u{FEFF}'",
    "'e\u{301}'", #"'e\u0301'"#, "'// no comment'", "'/* nor this */'", "'{[,:]}'",
  ]

  private static let containers = [
    "[]", "[ ]", "[1]", "[1,]", "[1,2]", "[[]]", "[[],]", "[[],[]]", "[{}]", "{}", "{ }", "{a:1}",
    "{a:1,}", "{a:[]}", "{a:{}}", "{a:{b:{c:[1,{d:2}]}}}", "[[[[[[[[]]]]]]]]", "['a','b']",
    "{a:1,b:2}", "{a:1 , b:2 , }", "{a:'1','b':\"2\"}", "{a:1,a:2}", #"{a:1,"\u0061":2}"#,
  ]

  /// Keys with and without quotes.
  private static let keyed = [
    "{$:1}", "{_:1}", "{a1$_:1}", "{$1:1}", "{__proto__:1}", "{'a b':1}", "{\"a\":1}", "{'':1}",
    "{\"\":1}", "{é:1}", "{日本:1}", "{ключ:1}", "{ª:1}", "{ǅ:1}", "{ʰ:1}", "{Ⅰ:1}", "{𝒜:1}",
    "{a\u{301}:1}", "{a\u{200C}:1}", "{a\u{200D}b:1}", "{a\u{203F}b:1}", "{a\u{660}:1}", "{null:1}",
    "{true:1}", "{Infinity:1}", "{NaN:1}", "{if:1}", "{a :1}", "{ a:1 }", "{'\\x61':1}",
  ]

  /// White space and comments that Foundation knows.
  private static let spaced = [
    "\t1", "\u{B}1", "\u{C}1", "\n1", "\r1", "\r\n1", "1\n", "[1\n\u{B}\u{C}\r\t]", "// c\n1",
    "// c\r1", "1 // c", "1 //", "1//x", "1/**/", "/**/1", "/* c */ 1", "/* c **/ 1", "/***/1",
    "/* /* */ 1", "/*\n*/1", "[1/**/,/**/2/**/]", "{/**/a/**/:/**/1/**/}", "{//\na://\n1//\n}",
    "[//]\n]", "/* é */ 1", "//é\n1", "\u{FEFF}1",
  ]
}

extension FoundationTableTests {
  /// Invalid JSON5 that Foundation refuses too.
  static let refused: [String] = badWords + badNumbers + badStrings + badContainers + badKeys + rest

  /// Words that are no values.
  private static let badWords = [
    "nul", "nullx", "tru", "True", "TRUE", "False", "None", "nil", "undefined", "truefalse",
    "[truefalse]", "infinity", "Infinit", "Infinityx", "Infinity1", "inf", "nan", "Nan", "NaN1",
    "-infinity", "a", "é", "true1", "nullé",
  ]

  /// What begins like a number and is none.
  private static let badNumbers = [
    "+", "-", ".", "+.", "-.", "- 1", "+ 1", "+-1", "--1", "++1", "01", "00", "-01", "+01", "0x",
    "+0x", "[0x]", "0xG", "0x1G", "0x1.8", "0x-1", "0xe+1", "1e", "1.e", ".e3", "1e5.5",
    "1_000", "1.5.5", "[.5.5]", "[1-2]", "1Infinity", "1.5NaN", "1e400", "-1e400",
    "5MB", "1a", "1$", "1\\u0030",
  ]

  /// Strings with a missing quote or a wrong escape.
  private static let badStrings = [
    "\"a", "'a", "\"a'", "'a\"", "'", "'\\'", "'\\", #"'\01'"#, #"'\1'"#, #"'\9'"#, #"'\x4'"#,
    #"'\xZZ'"#, #"'\u004'"#, #"'\u{41}'"#, #"'\u'"#, #"'\ud83d'"#, #"'\ude00'"#, #"'\ud83dx'"#,
    #"'\ud83d\u0041'"#, #"'\ud83d\ud83d'"#, #"'\ud83d\n'"#, "'a\nb'", "'a\rb'", "'a\r\nb'", "“a”",
    "‘a’", "`a`", "'a''b'", "'a' 'b'",
  ]

  /// Brackets, commas and colons out of order.
  private static let badContainers = [
    "[", "]", "{", "}", "[,]", "[,1]", "[1,,]", "[1,,2]", "[1 2]", "[1", "[1,", "[1}", "[}", "[1]]",
    "{]", "{,}", "{,a:1}", "{a:1,,}", "{a:1]", "{a:1}}", "{a:1", "{a:1,", "{a:", "{a", "{a}",
    "{a,}", "{a:}", "{a:,}", "{a::1}", "{a:1 b:2}", "{a:1;b:2}", "{a=1}", "{a=>1}", "{a 1}",
    "[a:1]", "{{}}", "{[]}", "[(1)]", "{a:'b' // x", "[1,2//]",
  ]

  /// Keys that need quotes or are broken.
  private static let badKeys = [
    "{:1}", "{1:2}", "{1a:2}", "{a-b:1}", "{a b:1}", "{a.b:1}", "{a*b:1}", "{a@b:1}", "{@a:1}",
    "{-a:1}", "{😀:1}", "{²:1}", "{a²:1}", "{«a»:1}", "{“a”:1}", "{`a`:1}", "{\u{301}:1}",
    "{\u{200C}a:1}", "{\u{660}:1}", #"{\u0020:1}"#, #"{a\u0020:1}"#, #"{\u{61}:1}"#, #"{\u61:1}"#,
    #"{a\ud83d\ude00:1}"#, #"{\n:1}"#, "{'a:1}",
  ]

  /// Wrong documents, comments and invisible characters.
  private static let rest = [
    "", " ", "\n", "// c", "/**/", "\u{FEFF}", "1 2", "1,", "{} {}", "[] 1", "/ 1", "1 /", "/*/1",
    "/*", "1 /*", "1 /* *", "/* c * / 1", "/* a */ */ 1", "1/**/2", "# c\n1", "-- c\n1", "{//",
    "\u{85}1", "\u{180E}1", "\u{200B}1", "\u{1}", "1\u{1}", "1 2\0", "a: 1", "a = 1", "<a/>",
    "a: 1, b: 2", "'a': 1", "%", "\\", "\\u0031",
  ]
}
