/// The first mistake in a text that is not what it must be.
package struct SyntaxError: Error, Hashable, Sendable {
  /// Where the mistake is to be looked for.
  package let position: SourcePosition
  /// Full sentences: what was found, what was expected, what to do.
  package let message: String

  package init(position: SourcePosition, message: String) {
    self.position = position
    self.message = message
  }

  package init(at line: Int, column: Int = 1, _ message: String) {
    self.init(position: SourcePosition(line: line, column: column), message: message)
  }
}
