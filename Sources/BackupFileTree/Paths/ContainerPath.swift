import BackupDiagnostics

/// A path inside an app container, relative to it: `Documents/notes.db`.
///
/// It is never absolute or empty, has no `.`, `..` or empty component and no NUL, so it cannot name
/// anything outside the container. It is the only way in: every operation takes one.
///
/// ```swift
/// let notes = try ContainerPath("Documents/notes.db")
/// notes.parent?.description  // "Documents"
/// ```
public struct ContainerPath: Hashable, Sendable {
  /// The path's bytes, components joined by `/`, without one at either end.
  public let bytes: [UInt8]

  /// The longest path a container holds, in bytes: `PATH_MAX` on Apple platforms.
  public static let longestPath = 1024
  /// The most components of a path: what walks a tree goes down that far on any thread's stack.
  public static let deepestPath = 64

  /// Validates a path written by a person, of at most ``longestPath`` bytes; one trailing `/` is
  /// allowed.
  ///
  /// - Parameter string: Relative to the container, components joined by `/`; read as UTF-8.
  /// - Throws: ``ContainerPathError`` that says which part is wrong.
  public init(_ string: some StringProtocol) throws(ContainerPathError) {
    try self.init(bytes: Array(string.utf8))
  }

  /// Validates a path of any bytes, at most ``longestPath`` of them.
  ///
  /// - Parameter bytes: Relative to the container, components joined by `/`; need not be UTF-8.
  /// - Throws: ``ContainerPathError`` that says which part is wrong.
  public init(bytes: [UInt8]) throws(ContainerPathError) {
    let trimmed = bytes.last == Self.separator && bytes.count > 1 ? Array(bytes.dropLast()) : bytes
    if let reason = Self.problem(in: trimmed) {
      throw ContainerPathError(path: EscapedText.escape(bytes), reason: reason)
    }
    self.bytes = trimmed
  }

  /// A path whose parts were validated before.
  package init(unchecked bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The path of an item right in the container.
  ///
  /// - Parameter component: The item's name.
  public init(_ component: Component) {
    self.bytes = component.bytes
  }

  /// Where an item at or below `target` was, before what was at `source` came there; nil
  /// for a path that `target` does not cover.
  ///
  /// - Parameters:
  ///   - path: Where the item is now.
  ///   - target: Where the moved item went.
  ///   - source: Where the moved item came from.
  public init?(_ path: ContainerPath, movedFrom target: ContainerPath, to source: ContainerPath) {
    guard target.covers(path) else { return nil }
    self.bytes = source.bytes + path.bytes.dropFirst(target.bytes.count)
  }

  /// The components from the container down.
  public var components: [Component] {
    bytes.split(separator: Self.separator).map { Component(unchecked: Array($0)) }
  }

  /// The last component.
  public var name: Component {
    let start = bytes.lastIndex(of: Self.separator).map { $0 + 1 } ?? 0
    return Component(unchecked: Array(bytes[start...]))
  }

  /// The directory above, or nil for an item right in the container.
  public var parent: ContainerPath? {
    bytes.lastIndex(of: Self.separator).map { ContainerPath(unchecked: Array(bytes[..<$0])) }
  }

  /// The directories above, the topmost first.
  public var ancestors: [ContainerPath] {
    bytes.indices.filter { bytes[$0] == Self.separator }.map {
      ContainerPath(unchecked: Array(bytes[..<$0]))
    }
  }

  /// The path of an item in this directory, however long that becomes.
  ///
  /// - Parameter component: The item's name.
  /// - Returns: The joined path, which may be longer than ``longestPath``.
  public func appending(_ component: Component) -> ContainerPath {
    var joined: [UInt8] = []
    joined.reserveCapacity(bytes.count + 1 + component.bytes.count)
    joined += bytes
    joined.append(Self.separator)
    joined += component.bytes
    return ContainerPath(unchecked: joined)
  }

  /// Whether this directory is above `other`; no path is above itself.
  ///
  /// - Parameter other: The path that may be inside.
  /// - Returns: False where just the letters begin alike, as `Documents` and `Documents2` do.
  public func isAncestor(of other: ContainerPath) -> Bool {
    other.bytes.count > bytes.count && other.bytes[bytes.count] == Self.separator
      && other.bytes.starts(with: bytes)
  }

  /// Whether `other` is this item or inside it.
  ///
  /// - Parameter other: The path that may be the same or inside.
  /// - Returns: True for the path itself too, unlike ``isAncestor(of:)``.
  public func covers(_ other: ContainerPath) -> Bool {
    self == other || isAncestor(of: other)
  }

  /// The byte between components.
  package static let separator = UInt8(ascii: "/")
}

extension ContainerPath: Comparable {
  /// Orders paths by their bytes, as golden files do.
  public static func < (left: ContainerPath, right: ContainerPath) -> Bool {
    left.bytes.precedesBytewise(right.bytes)
  }
}

extension ContainerPath {
  /// Whether a walk over a tree comes to this path before another.
  ///
  /// Unlike `<` it puts all that is in a directory before the directory's next sibling.
  ///
  /// - Parameter other: The path it is compared with.
  /// - Returns: True where the walk comes here first; false for the path itself.
  public func precedesInWalk(_ other: ContainerPath) -> Bool {
    for (mine, theirs) in zip(bytes, other.bytes) where mine != theirs {
      if mine == Self.separator { return true }
      return theirs != Self.separator && mine < theirs
    }
    return bytes.count < other.bytes.count
  }
}

extension ContainerPath: CustomStringConvertible {
  /// The path on one line, control characters and invalid UTF-8 escaped.
  public var description: String { EscapedText.escape(bytes) }

  /// The path as text, with invalid UTF-8 replaced and nothing escaped.
  public var string: String { String(decoding: bytes, as: UTF8.self) }
}
