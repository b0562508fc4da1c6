import BackupDiagnostics

/// Where each line of a text begins, to turn byte offsets into positions.
package struct LineTable: Sendable {
  /// The offset of each line's first byte, in ascending order, never empty.
  private var starts: [Int]

  /// Finds the lines of a text; a byte order mark counts as three bytes, as it does for swiftc.
  package init(_ bytes: [UInt8]) {
    starts = [0]
    var offset = 0
    while offset < bytes.count {
      let length = Self.terminatorLength(in: bytes, at: offset)
      offset += length ?? 1
      if length != nil { starts.append(offset) }
    }
  }

  /// The line and column of a byte.
  func position(at offset: Int) -> SourcePosition {
    var (low, high) = (0, starts.count)
    while high - low > 1 {
      let middle = low + (high - low) / 2
      if starts[middle] <= offset { low = middle } else { high = middle }
    }
    return SourcePosition(line: low + 1, column: offset - starts[low] + 1)
  }

  /// The bytes of a line, counted from 1, without its terminator; nil where there is no such line.
  package func line(_ number: Int, in bytes: [UInt8]) -> ArraySlice<UInt8>? {
    guard starts.indices.contains(number - 1) else { return nil }
    guard starts.indices.contains(number) else { return bytes[starts[number - 1]...] }
    let line = bytes[starts[number - 1]..<starts[number]]
    let terminator = [3, 2, 1].first { length in
      length <= line.count
        && Self.terminatorLength(in: bytes, at: line.endIndex - length) == length
    }
    return line.dropLast(terminator ?? 0)
  }

  /// The bytes in the line terminator that begins at an offset, or nil if none does.
  static func terminatorLength(in bytes: [UInt8], at offset: Int) -> Int? {
    switch bytes[offset] {
    case 0x0A: return 1
    case 0x0D: return offset + 1 < bytes.count && bytes[offset + 1] == 0x0A ? 2 : 1
    case 0xE2: return isSeparator(bytes, offset) ? 3 : nil
    default: return nil
    }
  }

  /// Whether U+2028 or U+2029 begins at an offset.
  private static func isSeparator(_ bytes: [UInt8], _ offset: Int) -> Bool {
    guard offset + 2 < bytes.count else { return false }
    return bytes[offset + 1] == 0x80 && (0xA8...0xA9).contains(bytes[offset + 2])
  }
}
