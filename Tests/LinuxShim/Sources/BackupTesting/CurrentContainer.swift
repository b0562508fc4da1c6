import Foundation

/// Stands in for the kit's class of this name, which the shim finds by name.
public final class CurrentContainer: LosslessStringConvertible {
  /// The absolute path of the container's root, for the current task and its children.
  @TaskLocal public static var root: String?

  /// The absolute path of the current container's root.
  public let description: String

  /// What was asked for where no container is current.
  nonisolated(unsafe) private static var lost: [String] = []
  /// Guards that.
  private static let lock = NSLock()

  /// What was asked for so far where no container is current, the shim's own look-ups left out.
  public static var lostCalls: [String] { lock.withLock { lost } }

  /// Finds the current container, or fails where none is current.
  ///
  /// - Parameter description: What the app's code asks for.
  public init?(_ description: String) {
    guard let root = Self.root else {
      Self.lock.withLock { if !description.isEmpty { Self.lost.append(description) } }
      return nil
    }
    self.description = root
  }
}
