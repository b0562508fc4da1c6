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

/// Stands in for the kit's class of this name.
public final class CurrentGroupContainer: LosslessStringConvertible {
  /// The paths of the groups' containers by identifier, for the current task and its children.
  @TaskLocal public static var paths: [String: String] = [:]

  /// The absolute path of the group's container.
  public let description: String

  /// Finds the container of a group, or fails where the app is not in it.
  public init?(_ description: String) {
    guard let path = Self.paths[description] else { return nil }
    self.description = path
  }
}

/// Stands in for the kit's class of this name.
public final class CurrentBundleIdentifier: LosslessStringConvertible {
  /// What the app is called, for the current task and its children.
  @TaskLocal public static var identifier: String?

  /// What the app is called.
  public let description: String

  /// Finds the identifier, or fails where no app is tested.
  public init?(_ description: String) {
    guard let identifier = Self.identifier else { return nil }
    self.description = identifier
  }
}

/// Stands in for the kit's class of this name.
public final class ModuleWithShim: LosslessStringConvertible {
  /// What the shim has said of its file, in each module once.
  nonisolated(unsafe) private static var said: [String] = []
  /// Guards that.
  private static let lock = NSLock()

  /// The identifiers of the files of the shim whose code ran.
  public static var files: [String] { lock.withLock { said } }

  /// What the shim has said.
  public let description: String

  /// Notes what the shim says.
  public init?(_ description: String) {
    self.description = description
    Self.lock.withLock { Self.said.append(description) }
  }
}
