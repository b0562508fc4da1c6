/// Where a test calls the kit.
public struct CallSite: Hashable, Sendable {
  /// The file's path.
  public let file: String
  /// The line, from 1.
  public let line: Int
  /// The column, from 1.
  public let column: Int

  /// A place in a test.
  public init(file: String, line: Int, column: Int) {
    self.file = file
    self.line = line
    self.column = column
  }

  /// No place in particular.
  package static let unknown = CallSite(file: "", line: 1, column: 1)

  /// The place as scenario files have them.
  var position: SourcePosition { SourcePosition(line: line, column: column) }
}
