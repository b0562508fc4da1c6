/// A container that could not be made, read or removed.
public struct FakeContainerError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The absolute path of the container, or of what was needed for it.
  public let path: String
  /// What failed and what to do.
  public let reason: String

  /// The whole sentence.
  public var description: String { "\(path): \(reason)" }
}
