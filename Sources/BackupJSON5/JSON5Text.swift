import BackupDiagnostics

/// The bytes of a file, known to be UTF-8, with their lines.
struct JSON5Text: Sendable {
  /// The whole input.
  let bytes: [UInt8]

  /// The lines of the input.
  private let lines: LineTable

  /// Checks the encoding of the whole input.
  ///
  /// - Throws: An error at the first byte that is not UTF-8.
  init(_ bytes: [UInt8]) throws(JSON5SyntaxError) {
    self.bytes = bytes
    self.lines = LineTable(bytes)
    if let offset = UTF8Check.firstInvalidOffset(in: bytes) { throw encodingError(at: offset) }
  }

  /// The number of bytes.
  var count: Int { bytes.count }

  /// The byte at an offset, or nil at and after the end.
  subscript(offset: Int) -> UInt8? {
    offset < bytes.count ? bytes[offset] : nil
  }

  /// The text between two offsets that do not split a character.
  subscript(range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }

  /// The line and column of a byte.
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

  /// The bytes in the line terminator at an offset, or nil if there is none.
  func lineTerminatorLength(at offset: Int) -> Int? {
    offset < bytes.count ? LineTable.terminatorLength(in: bytes, at: offset) : nil
  }

  /// Says which byte is not UTF-8, and what the file may be instead.
  private func encodingError(at offset: Int) -> JSON5SyntaxError {
    let isUTF16 = bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
    let found =
      isUTF16 ? "The input is UTF-16." : "The byte 0x\(hexadecimal(bytes[offset])) is not UTF-8."
    return JSON5SyntaxError(
      position: position(at: offset),
      message: "\(found) Expected UTF-8 text; save the file in that encoding.")
  }

  /// A byte as two digits of base 16.
  private func hexadecimal(_ byte: UInt8) -> String {
    (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
  }
}
