/// A place in a text file, as compilers and editors name it.
public struct SourcePosition: Hashable, Sendable {
  /// The line, counted from 1; LF, CR, CRLF, U+2028 and U+2029 each end a line.
  public var line: Int

  /// The column, counted from 1 in UTF-8 bytes.
  public var column: Int

  /// Names a place by line and column, both counted from 1.
  ///
  /// - Parameters:
  ///   - line: The line, counted from 1.
  ///   - column: The column, counted from 1 in UTF-8 bytes.
  public init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}

extension SourcePosition: Comparable {
  /// Orders positions as they follow each other in one file.
  public static func < (left: SourcePosition, right: SourcePosition) -> Bool {
    (left.line, left.column) < (right.line, right.column)
  }
}
