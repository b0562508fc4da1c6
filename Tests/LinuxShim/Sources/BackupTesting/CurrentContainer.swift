import Foundation

/// A replacement for the kit's class with this name. The shim finds the class by its name.
public final class CurrentContainer: LosslessStringConvertible {
  /// The absolute path of the container's root, for the current task and its children.
  @TaskLocal public static var root: String?

  /// The absolute path of the current container's root.
  public let description: String

  /// The stored value of ``lostCalls``.
  nonisolated(unsafe) private static var storedLostCalls: [String] = []
  /// Guards ``storedLostCalls``.
  private static let lock = NSLock()

  /// The calls of the app's code that found no current container, for example `NSHomeDirectory()`.
  public static var lostCalls: [String] { lock.withLock { storedLostCalls } }

  /// Finds the current container; returns nil if there is none.
  ///
  /// - Parameter description: The call in the app's code; empty for a look-up by the shim itself.
  public init?(_ description: String) {
    guard let root = Self.root else {
      Self.lock.withLock { if !description.isEmpty { Self.storedLostCalls.append(description) } }
      return nil
    }
    self.description = root
  }
}

/// A replacement for the kit's class with this name.
public final class CurrentGroupContainer: LosslessStringConvertible {
  /// The paths of the groups' containers by identifier, for the current task and its children.
  @TaskLocal public static var paths: [String: String] = [:]

  /// The absolute path of the group's container.
  public let description: String

  /// Finds the container of a group; returns nil if the app is not in the group.
  public init?(_ description: String) {
    guard let path = Self.paths[description] else { return nil }
    self.description = path
  }
}

/// A replacement for the kit's class with this name.
public final class CurrentBundleIdentifier: LosslessStringConvertible {
  /// The app's bundle identifier, for the current task and its children.
  @TaskLocal public static var identifier: String?

  /// The app's bundle identifier.
  public let description: String

  /// Finds the bundle identifier; returns nil if no app is tested.
  public init?(_ description: String) {
    guard let identifier = Self.identifier else { return nil }
    self.description = identifier
  }
}

/// A replacement for the kit's class with this name.
public final class ModuleWithShim: LosslessStringConvertible {
  /// The stored value of ``files``.
  nonisolated(unsafe) private static var storedFiles: [String] = []
  /// Guards ``storedFiles``.
  private static let lock = NSLock()

  /// The file identifiers that the shim has reported, for example `ShimmedApp/ContainerShim.swift`.
  ///
  /// The shim reports its file once in each module.
  public static var files: [String] { lock.withLock { storedFiles } }

  /// The file identifier of the shim.
  public let description: String

  /// Records a file identifier of the shim.
  public init?(_ description: String) {
    self.description = description
    Self.lock.withLock { Self.storedFiles.append(description) }
  }
}
