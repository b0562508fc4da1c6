import BackupCollections

/// A line and a column of a text file, counted as compilers and editors do.
public struct SourcePosition: Hashable, Sendable, Comparable {
  /// The line, counted from 1; LF, CR, CRLF, U+2028 and U+2029 each end a line.
  public var line: Int

  /// The column, counted from 1 in UTF-8 bytes.
  public var column: Int

  /// Creates a position from a line and a column.
  ///
  /// - Parameters:
  ///   - line: The line, counted from 1.
  ///   - column: The column, counted from 1 in UTF-8 bytes.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }

  package static let start = SourcePosition(line: 1, column: 1)

  /// Returns `file:line:column`, which Xcode and editors turn into a link.
  package func location(in file: String) -> String { "\(file):\(line):\(column)" }

  /// Returns true if the left position comes before the right one in a file.
  public static func < (left: SourcePosition, right: SourcePosition) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}

/// Turns byte offsets in a text into lines and columns.
package struct LineTable: Sendable {
  /// The offsets of the first byte of each line, in ascending order. There is at least one line.
  private var lineStarts: [Int]

  /// Creates the table for a text. A byte order mark takes three columns of the first line, as in
  /// the positions of swiftc.
  package init(_ bytes: [UInt8]) {
    lineStarts = [0]
    var offset = 0
    while offset < bytes.count {
      let length = Self.terminatorLength(in: bytes, at: offset)
      offset += length ?? 1
      if length != nil { lineStarts.append(offset) }
    }
  }

  /// Returns the position of the byte at an offset, which is counted from 0. At the end of the
  /// text, returns the position after the last byte.
  package func position(at offset: Int) -> SourcePosition {
    let line = lineStarts.partitioningIndex { $0 > offset }
    return SourcePosition(line: line, column: offset - lineStarts[line - 1] + 1)
  }

  /// Returns the bytes of a line without its terminator, or nil if the text has no such line. Lines
  /// are counted from 1.
  package func line(_ number: Int, in bytes: [UInt8]) -> ArraySlice<UInt8>? {
    guard lineStarts.indices.contains(number - 1) else { return nil }
    guard lineStarts.indices.contains(number) else { return bytes[lineStarts[number - 1]...] }
    let line = bytes[lineStarts[number - 1]..<lineStarts[number]]
    let endLength = [3, 2, 1].first { length in
      length <= line.count
        && Self.terminatorLength(in: bytes, at: line.endIndex - length) == length
    }
    return line.dropLast(endLength ?? 0)
  }

  /// Returns the number of bytes in the line terminator that begins at an offset. Returns nil if no
  /// terminator begins there.
  package static func terminatorLength(in bytes: [UInt8], at offset: Int) -> Int? {
    switch bytes[offset] {
    case 0x0A: return 1
    case 0x0D: return offset + 1 < bytes.count && bytes[offset + 1] == 0x0A ? 2 : 1
    case 0xE2: return isSeparator(bytes, offset) ? 3 : nil
    default: return nil
    }
  }

  /// Returns true if U+2028 or U+2029 begins at the offset.
  private static func isSeparator(_ bytes: [UInt8], _ offset: Int) -> Bool {
    guard offset + 2 < bytes.count else { return false }
    return bytes[offset + 1] == 0x80 && (0xA8...0xA9).contains(bytes[offset + 2])
  }
}

/// The first syntax error in a text.
package struct SyntaxError: Error, Hashable, Sendable {
  /// The position at which to look for the mistake.
  package let position: SourcePosition
  /// Sentences on what the reader found, what it expected, and what to do.
  package let message: String

  package init(position: SourcePosition, message: String) {
    self.position = position
    self.message = message
  }

  package init(at line: Int, column: Int = 1, _ message: String) {
    self.init(position: SourcePosition(line: line, column: column), message: message)
  }
}
