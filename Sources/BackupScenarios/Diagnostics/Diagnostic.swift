/// One thing wrong with a file, at its place.
public struct Diagnostic: Hashable, Sendable {
  /// How bad it is.
  public enum Severity: String, Hashable, Sendable {
    /// The file cannot be used, or the run failed there.
    case error
    /// Worth a look.
    case warning
  }

  /// The file, as it was named to the kit.
  public var file: String
  /// Where in it.
  public var position: SourcePosition
  /// How bad it is.
  public var severity: Severity
  /// What was found, what was expected and what to do.
  public var message: String

  /// A thing wrong at a place.
  public init(
    file: String, position: SourcePosition, severity: Severity = .error, message: String
  ) {
    self.file = file
    self.position = position
    self.severity = severity
    self.message = message
  }
}

extension Diagnostic: CustomStringConvertible {
  /// `file:line:column: error: message`, which Xcode and editors link.
  public var description: String {
    "\(file):\(position.line):\(position.column): \(severity.rawValue): \(message)".onOneLine
  }
}

/// Everything wrong with one or more scenario files, at once.
public struct ScenarioFileError: Error, Sendable, CustomStringConvertible {
  /// The mistakes, in the order of the files.
  public let diagnostics: [Diagnostic]

  /// The mistakes of some files.
  public init(_ diagnostics: [Diagnostic]) {
    self.diagnostics = diagnostics
  }

  /// A line for each mistake.
  public var description: String { diagnostics.map(\.description).joined(separator: "\n") }
}
