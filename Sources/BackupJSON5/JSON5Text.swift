import BackupDiagnostics

/// The text of a UTF-8 file. Offsets in it count bytes.
struct JSON5Text: Sendable {
  let bytes: [UInt8]

  private let lineTable: LineTable

  /// Creates a text. Throws an error if the bytes are not valid UTF-8.
  init(_ bytes: [UInt8]) throws(SyntaxError) {
    self.bytes = bytes
    self.lineTable = LineTable(bytes)
    if let offset = Self.firstInvalidOffset(in: bytes) { throw encodingError(at: offset) }
  }

  var count: Int { bytes.count }

  /// The byte at an offset, or nil if the offset is at or after the end.
  subscript(offset: Int) -> UInt8? {
    offset < bytes.count ? bytes[offset] : nil
  }

  /// The text between two offsets. Neither may be inside a character.
  subscript(range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }

  func position(at offset: Int) -> SourcePosition {
    lineTable.position(at: offset)
  }

  /// Returns the character at an offset, or nil if the offset is at or after the end.
  func scalar(at offset: Int) -> Unicode.Scalar? {
    guard let firstByte = self[offset] else { return nil }
    if firstByte < 0x80 { return Unicode.Scalar(firstByte) }
    let end = min(bytes.count, offset + (firstByte < 0xE0 ? 2 : firstByte < 0xF0 ? 3 : 4))
    return self[offset..<end].unicodeScalars.first
  }

  /// Returns the number of bytes in the line terminator at an offset, or nil if no line ends there.
  func lineTerminatorLength(at offset: Int) -> Int? {
    offset < bytes.count ? LineTable.terminatorLength(in: bytes, at: offset) : nil
  }

  /// Describes the text at an offset for a message, such as `'steps'`, `a string` or
  /// `the end of the file`.
  func describedText(at offset: Int) -> String {
    guard let scalar = scalar(at: offset) else { return "the end of the file" }
    if scalar.isIdentifierStart || scalar.properties.generalCategory == .decimalNumber {
      return "'\(excerpt(from: offset, \.isIdentifierPart))'"
    }
    return scalar == "\"" || scalar == "'" ? "a string" : scalar.descriptionForMessage
  }

  /// Describes the character at an offset for a message, even if a word or string begins with it.
  func characterDescription(at offset: Int) -> String {
    scalar(at: offset)?.descriptionForMessage ?? "the end of the file"
  }

  /// Returns the text from an offset up to the first character that does not satisfy a condition.
  /// Cuts the text after 40 characters.
  func excerpt(from start: Int, _ condition: (Unicode.Scalar) -> Bool) -> String {
    var (characters, end) = (String.UnicodeScalarView(), start)
    while let scalar = scalar(at: end), condition(scalar) {
      guard characters.count < 40 else { return String(characters) + "…" }
      characters.append(scalar)
      end += UTF8.width(scalar)
    }
    return String(characters)
  }

  /// Returns the error for the first byte that is not UTF-8. The message says so if the file is
  /// UTF-16.
  private func encodingError(at offset: Int) -> SyntaxError {
    let isUTF16 = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
    let byte = EscapedText.hexadecimal(UInt32(bytes[offset]), digits: 2)
    let problem =
      isUTF16 ? "The file is UTF-16." : "The byte 0x\(byte) is not UTF-8."
    return SyntaxError(
      position: position(at: offset),
      message: "\(problem) Expected UTF-8 text; save the file in that encoding.")
  }

  private static func firstInvalidOffset(in bytes: [UInt8]) -> Int? {
    guard String(validUTF8: bytes) == nil else { return nil }
    var parser = UTF8.ForwardParser()
    var remainingBytes = bytes.makeIterator()
    var offset = 0
    while case .valid(let character) = parser.parseScalar(from: &remainingBytes) {
      offset += character.count
    }
    return offset
  }
}
