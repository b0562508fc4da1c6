import BackupDiagnostics

/// The bytes of a file in UTF-8, and its lines.
struct JSON5Text: Sendable {
  let bytes: [UInt8]

  private let lines: LineTable

  /// Checks that the whole input is UTF-8.
  init(_ bytes: [UInt8]) throws(SyntaxError) {
    self.bytes = bytes
    self.lines = LineTable(bytes)
    if let offset = Self.firstInvalidOffset(in: bytes) { throw encodingError(at: offset) }
  }

  var count: Int { bytes.count }

  /// The byte at an offset, or nil at and after the end.
  subscript(offset: Int) -> UInt8? {
    offset < bytes.count ? bytes[offset] : nil
  }

  /// The text between two offsets that do not split a character.
  subscript(range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }

  func position(at offset: Int) -> SourcePosition {
    lines.position(at: offset)
  }

  /// The character at an offset, or nil at and after the end.
  func scalar(at offset: Int) -> Unicode.Scalar? {
    guard let lead = self[offset] else { return nil }
    if lead < 0x80 { return Unicode.Scalar(lead) }
    let end = min(bytes.count, offset + (lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4))
    return self[offset..<end].unicodeScalars.first
  }

  /// The length in bytes of the line terminator at an offset, or nil if the offset has none.
  func lineTerminatorLength(at offset: Int) -> Int? {
    offset < bytes.count ? LineTable.terminatorLength(in: bytes, at: offset) : nil
  }

  /// Returns a description of the text at an offset, for the middle of a sentence.
  func found(at offset: Int) -> String {
    guard let scalar = scalar(at: offset) else { return "the end of the file" }
    if scalar.isIdentifierStart || scalar.properties.generalCategory == .decimalNumber {
      return "'\(excerpt(from: offset, \.isIdentifierPart))'"
    }
    return scalar == "\"" || scalar == "'" ? "a string" : scalar.described
  }

  /// Returns a description of the character at an offset, even if it begins a word or string.
  func foundCharacter(at offset: Int) -> String {
    scalar(at: offset)?.described ?? "the end of the file"
  }

  /// Returns the characters from an offset on that satisfy a condition, cut if they are many.
  func excerpt(from start: Int, _ isIncluded: (Unicode.Scalar) -> Bool) -> String {
    var (characters, end) = (String.UnicodeScalarView(), start)
    while let scalar = scalar(at: end), isIncluded(scalar) {
      guard characters.count < 40 else { return String(characters) + "…" }
      characters.append(scalar)
      end += UTF8.width(scalar)
    }
    return String(characters)
  }

  /// Returns the error for the first byte that is not UTF-8, with the likely encoding of the file.
  private func encodingError(at offset: Int) -> SyntaxError {
    let isUTF16 = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
    let byte = EscapedText.hexadecimal(UInt32(bytes[offset]), digits: 2)
    let found =
      isUTF16 ? "The file is UTF-16." : "The byte 0x\(byte) is not UTF-8."
    return SyntaxError(
      position: position(at: offset),
      message: "\(found) Expected UTF-8 text; save the file in that encoding.")
  }

  private static func firstInvalidOffset(in bytes: [UInt8]) -> Int? {
    guard String(validUTF8: bytes) == nil else { return nil }
    var parser = UTF8.ForwardParser()
    var rest = bytes.makeIterator()
    var offset = 0
    while case .valid(let character) = parser.parseScalar(from: &rest) { offset += character.count }
    return offset
  }
}
