import TestSupport
import Testing

@testable import BackupDiagnostics
@testable import BackupJSON5

/// Input that could break a reader: deeply nested, cut off, badly encoded or large.
@Suite struct RobustnessTests {
  @Test(arguments: ["[", "{a:", "[{a:"]) func nestingIsBounded(_ opening: String) {
    let text = String(repeating: opening, count: 100_000)
    let mistake = mistake(in: text)
    #expect(mistake?.message.contains("at most 128") == true)
    #expect(mistake?.position.line == 1)
  }

  @Test func nestingUpToTheLimitIsRead() {
    #expect(mistake(in: nested(128)) == nil)
    #expect(mistake(in: nested(129))?.position == SourcePosition(line: 1, column: 129))
    #expect(mistake(in: nested(3), maximumDepth: 3) == nil)
    #expect(mistake(in: nested(4), maximumDepth: 3)?.message.contains("at most 3") == true)
    #expect(mistake(in: nested(1), maximumDepth: 0) != nil)
    #expect(mistake(in: Array("1".utf8), maximumDepth: 0) == nil)
  }

  @Test func theLimitItselfIsLimited() {
    #expect(mistake(in: nested(512), maximumDepth: .max) == nil)
    #expect(mistake(in: nested(513), maximumDepth: .max)?.message.contains("512") == true)
  }

  @Test func closedContainersDoNotCountAsDepth() {
    #expect(mistake(in: "[" + String(repeating: "[],{},", count: 1000) + "]") == nil)
  }

  @Test func everyTruncationIsAMistake() {
    let bytes = Array(Self.document.utf8)
    for length in 0..<bytes.count {
      #expect(mistake(in: Array(bytes[..<length])) != nil, "\(length) bytes")
    }
    #expect(mistake(in: bytes) == nil)
  }

  @Test func everyTruncationIsLocatedInsideTheInput() {
    let bytes = Array(Self.document.utf8)
    for length in 0..<bytes.count {
      let cut = Array(bytes[..<length])
      let end = LineTable(cut).position(at: length)
      #expect((mistake(in: cut)?.position ?? end) <= end, "\(length) bytes")
    }
  }

  @Test func anyByteAnywhereIsReadOrRefused() {
    let bytes = Array("{a:['\\u0061',-1.5e3],/**/}".utf8)
    for index in bytes.indices {
      let mistakes = (UInt8.min...UInt8.max).map { byte in
        var changed = bytes
        changed[index] = byte
        return mistake(in: changed)
      }
      #expect(mistakes.contains { $0 == nil } && mistakes.contains { $0 != nil }, "\(index)")
    }
  }

  @Test(
    arguments: [
      [0xFF], [0xC3], [0x80], [0xC0, 0xAF], [0xC1, 0xBF], [0xE0, 0x9F, 0x80], [0xED, 0xA0, 0x80],
      [0xED, 0xBF, 0xBF], [0xF0, 0x8F, 0x80, 0x80], [0xF4, 0x90, 0x80, 0x80],
      [0xF5, 0x80, 0x80, 0x80],
      [0xE2, 0x82], [0xE2, 0x28, 0xA1], [0xE2, 0x82, 0x28], [0xF0, 0x9F, 0x98],
      [0xF0, 0x9F, 0x98, 0x28],
      [0xF8, 0x88, 0x80, 0x80],
    ] as [[UInt8]])
  func invalidUTF8IsRefusedWhereItBegins(_ bytes: [UInt8]) {
    let input = Array("['é\n".utf8) + bytes + Array("']".utf8)
    #expect(mistake(in: input)?.position == SourcePosition(line: 2, column: 1))
    #expect(mistake(in: input)?.message.contains("is not UTF-8") == true)
    #expect(mistake(in: Array("//\n".utf8) + bytes)?.position.line == 2)
  }

  @Test func theInvalidByteIsNamed() {
    #expect(
      mistake(in: [0x0A, 0xFE])?.message
        == "The byte 0xFE is not UTF-8. Expected UTF-8 text; save the file in that encoding.")
  }

  @Test(arguments: [[0xFF, 0xFE, 0x31, 0], [0xFE, 0xFF, 0, 0x31]] as [[UInt8]])
  func utf16IsNamed(_ bytes: [UInt8]) {
    #expect(mistake(in: bytes)?.message.contains("UTF-16") == true)
  }

  @Test func lastCharactersOfEachLengthAreRead() {
    for scalar in ["\u{7F}", "\u{80}", "\u{7FF}", "\u{800}", "\u{D7FF}", "\u{E000}", "\u{10FFFF}"] {
      #expect(string("'\(scalar)'") == scalar)
    }
  }

  @Test func manyMembersAndLinesAreRead() throws {
    let text = "{" + (0..<5000).map { "k\($0): [\($0), 'é'],\n" }.joined() + "}"
    let value = try LocatedValue(json5: text)
    #expect(keys(text)?.count == 5000)
    guard case .object(let members) = value.kind else { return }
    #expect(members.last?.keyPosition == SourcePosition(line: 5000, column: 1))
  }

  /// Returns `depth` nested arrays.
  private func nested(_ depth: Int) -> [UInt8] {
    Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
  }

  /// A document with every kind of token. No prefix of it is a document.
  private static let document = """
    \u{FEFF}{ // comment
      title: "A 'film' \\u00e9\\x41\\ud83d\\ude00\\
    continued", /* comment é */
      'single': 'q"', ключ: [null, true, false,],
      numbers: [0x1F, -1.5e+3, .5, 5., +Infinity, NaN], $_: {},
    }
    """
}
