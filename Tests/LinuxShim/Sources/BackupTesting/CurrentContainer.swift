/// Stands in for the kit's class of this name, which the shim finds by name.
public final class CurrentContainer: LosslessStringConvertible {
  /// The absolute path of the container's root, for the current task and its children.
  @TaskLocal public static var root: String?

  /// The absolute path of the current container's root.
  public let description: String

  /// Finds the current container, or fails where none is current.
  ///
  /// - Parameter description: Not used; the protocol asks for it.
  public init?(_ description: String) {
    guard let root = Self.root else { return nil }
    self.description = root
  }
}
