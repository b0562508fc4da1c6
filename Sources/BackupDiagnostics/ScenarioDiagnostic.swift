/// A mistake in a file, with its position.
public struct ScenarioDiagnostic: Hashable, Sendable, CustomStringConvertible {
  /// The path of the file, as the caller passed it to the kit.
  public let file: String
  /// The position where the mistake begins.
  public let position: SourcePosition
  /// Sentences on what the kit found, what it expected, and what to do. A very long message loses
  /// its middle.
  public let message: String

  package init(file: String, position: SourcePosition, message: String) {
    self.file = file
    self.position = position
    self.message = message.asMessage
  }

  /// `file:line:column: error: message`, which Xcode and editors turn into a link.
  public var description: String {
    "\(position.location(in: file)): error: \(message)".onOneLine
  }
}
