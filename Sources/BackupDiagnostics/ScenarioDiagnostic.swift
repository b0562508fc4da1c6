/// A mistake in a file, with its place.
public struct ScenarioDiagnostic: Hashable, Sendable, CustomStringConvertible {
  /// The path of the file, as it was given to the kit.
  public let file: String
  /// The position where the mistake begins.
  public let position: SourcePosition
  /// A message that says what was found, what was expected and what to do; cut in the middle if it
  /// is very long.
  public let message: String

  package init(file: String, position: SourcePosition, message: String) {
    self.file = file
    self.position = position
    self.message = message.asMessage
  }

  /// `file:line:column: error: message`, which Xcode and editors turn into a link.
  public var description: String {
    "\(position.place(in: file)): error: \(message)".onOneLine
  }
}
