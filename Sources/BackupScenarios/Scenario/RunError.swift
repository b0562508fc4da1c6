/// A run that could not begin or end.
public struct RunError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Why, in a sentence.
  public let description: String

  /// A reason in words.
  ///
  /// - Parameter description: A sentence that names the file or thing at fault.
  public init(_ description: String) {
    self.description = description
  }
}
