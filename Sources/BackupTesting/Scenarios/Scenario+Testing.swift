import BackupDiagnostics
public import BackupScenarios
public import Testing

extension Scenario: CustomTestArgumentEncodable {
  /// Writes the id, by which Xcode runs one scenario of a test again.
  ///
  /// - Parameter encoder: Takes the id.
  /// - Throws: What the encoder throws.
  public func encodeTestArgument(to encoder: some Encoder) throws {
    try id.encode(to: encoder)
  }
}

extension Scenario {
  /// A place in the scenario's file.
  func sourceLocation(_ position: SourcePosition) -> SourceLocation {
    let name = file.split(separator: "/").last ?? "scenario"
    return SourceLocation(
      fileID: "Scenarios/\(name)", filePath: file, line: position.line, column: position.column)
  }
}

extension SourcePosition {
  /// The first character of a file.
  static let start = SourcePosition(line: 1, column: 1)
}
