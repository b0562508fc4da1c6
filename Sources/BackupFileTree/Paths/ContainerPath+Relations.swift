import BackupCollections
import BackupDiagnostics

extension ContainerPath {
  /// The components from the container down.
  public var components: [Component] {
    var components: [Component] = []
    var start = 0
    for end in bytes.indices where bytes[end] == Self.separator {
      components.append(Component(uncheckedIn: bytes, start..<end))
      start = end + 1
    }
    return components + [Component(uncheckedIn: bytes, start..<bytes.count)]
  }

  /// The item's own name: the last component of the path.
  public var name: Component {
    let start = bytes.lastIndex(of: Self.separator).map { $0 + 1 } ?? 0
    return Component(uncheckedIn: bytes, start..<bytes.count)
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
    joined.reserveCapacity(bytes.count + 1 + component.count)
    joined += bytes
    joined.append(Self.separator)
    joined += component.slice
    return ContainerPath(unchecked: joined)
  }

  /// The path of an item right in a directory, or in the container where that is nil.
  package init(_ component: Component, in directory: ContainerPath?) {
    self = directory?.appending(component) ?? ContainerPath(component)
  }

  /// Whether this directory is above `other`; no path is above itself.
  ///
  /// - Parameter other: The path that may be inside.
  /// - Returns: False if just the letters begin alike, as `Documents` and `Documents2` do.
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

  /// Where this item is once what was at `source` is at `target`; nil if `source` does not cover
  /// it.
  package func moved(from source: ContainerPath, to target: ContainerPath) -> ContainerPath? {
    guard source.covers(self) else { return nil }
    return ContainerPath(unchecked: target.bytes + bytes.dropFirst(source.bytes.count))
  }

  /// This path relative to the directory of `link`, with `..` if it leads up.
  package func relative(toDirectoryOf link: ContainerPath) -> [UInt8] {
    let base = link.components.dropLast()
    let own = components
    let shared = zip(base, own).prefix { $0 == $1 }.count
    let up = Array(repeating: Array("..".utf8), count: base.count - shared)
    let down = own.dropFirst(shared).map(\.bytes)
    let parts = up + down
    return parts.isEmpty ? [UInt8(ascii: ".")] : Array(parts.joined(separator: [Self.separator]))
  }
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
  /// - Returns: True if the walk comes here first; false for the path itself.
  public func precedesInWalk(_ other: ContainerPath) -> Bool {
    for (mine, theirs) in zip(bytes, other.bytes) where mine != theirs {
      if mine == Self.separator { return true }
      return theirs != Self.separator && mine < theirs
    }
    return bytes.count < other.bytes.count
  }
}

extension RandomAccessCollection {
  /// The element at a path, found by a binary search: the elements have the order of a walk over a
  /// tree.
  package func element(
    at path: ContainerPath, by pathOf: (Element) -> ContainerPath
  ) -> Element? {
    let index = partitioningIndex { !pathOf($0).precedesInWalk(path) }
    return index < endIndex && pathOf(self[index]) == path ? self[index] : nil
  }
}
