/// Reads JSON5 text into values that know their line and column.
///
/// Never recursive, so the nesting of the input costs no stack; one pass, linear in its length.
package struct JSON5Reader {
  /// The input.
  let text: JSON5Text

  /// How many arrays and objects may be open at once.
  let maximumDepth: Int

  /// The offset of the next byte to read.
  var offset = 0

  /// The arrays and objects around the next byte, outermost first.
  var open: [OpenContainer] = []

  /// Reads a whole file that holds one value.
  ///
  /// - Parameters:
  ///   - bytes: The content of the file; UTF-8, with or without a byte order mark.
  ///   - maximumDepth: How deep arrays and objects may nest; at most 512.
  /// - Returns: The value, with all members in the order of the file.
  /// - Throws: The first mistake; nothing else, whatever the bytes.
  package static func read(
    _ bytes: [UInt8], maximumDepth: Int = 128
  ) throws(JSON5SyntaxError) -> LocatedValue {
    var reader = JSON5Reader(text: try JSON5Text(bytes), maximumDepth: min(maximumDepth, 512))
    return try reader.readDocument()
  }

  /// Reads one value and what may surround it.
  private mutating func readDocument() throws(JSON5SyntaxError) -> LocatedValue {
    try skipSpace()
    guard offset < text.count else { throw emptyInput() }
    let value = try readTree()
    try skipSpace()
    guard offset == text.count else { throw trailingContent() }
    return value
  }

  /// Reads a value with everything inside it.
  private mutating func readTree() throws(JSON5SyntaxError) -> LocatedValue {
    var value = try readValue()
    while true {
      if let finished = value {
        guard !open.isEmpty else { return finished }
        open[open.endIndex - 1].append(finished)
      }
      value = try readNext()
    }
  }

  /// An error at an offset.
  func mistake(at offset: Int, _ message: String) -> JSON5SyntaxError {
    JSON5SyntaxError(position: text.position(at: offset), message: message)
  }
}
