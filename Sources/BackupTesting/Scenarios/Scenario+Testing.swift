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
