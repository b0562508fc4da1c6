/// One thing wrong with a file, at its place.
public struct ScenarioDiagnostic: Hashable, Sendable, CustomStringConvertible {
  /// The file, as it was named to the kit.
  public let file: String
  /// The line and column where the mistake begins.
  public let position: SourcePosition
  /// What was found, what was expected and what to do; cut in its middle where it is very long.
  public let message: String

  package init(file: String, position: SourcePosition, message: String) {
    self.file = file
    self.position = position
    self.message = message.asMessage
  }

  /// `file:line:column: error: message`, which Xcode and editors link.
  public var description: String {
    "\(position.place(in: file)): error: \(message)".onOneLine
  }
}
