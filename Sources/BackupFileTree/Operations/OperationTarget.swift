/// Where operations are done: a tree or a disk, which both say what stands at a path.
///
/// What an operation requires stands here once, in ``requirements(of:)``; whoever does operations
/// asks there first and then changes what it found without looking again.
package protocol OperationTarget {
  /// What is known of an item once it is found.
  associatedtype Found: FoundItem

  /// Whether there is a container of a name beside the app's.
  func hasContainer(_ name: ContainerPath.Component) -> Bool

  /// What is at a path; links on the way are not followed.
  ///
  /// - Parameter path: Relative to the container, the directories above it known to be there.
  /// - Returns: The item, or nil where nothing is.
  /// - Throws: ``FileOperationError`` where that cannot be told.
  func found(at path: ContainerPath) throws(FileOperationError) -> Found?

  /// Whether a directory may be replaced, as far as what is in it goes.
  ///
  /// - Parameters:
  ///   - directory: What ``found(at:)`` returned.
  ///   - path: Where it is.
  /// - Returns: True where nothing is in it.
  /// - Throws: ``FileOperationError`` where that cannot be told.
  func isEmpty(_ directory: Found, at path: ContainerPath) throws(FileOperationError) -> Bool

  /// How far the paths below an item reach, which limits where it can go.
  ///
  /// - Parameters:
  ///   - item: What ``found(at:)`` returned.
  ///   - path: Where it is.
  /// - Returns: The extent; of an item with nothing below it for all but directories.
  /// - Throws: ``FileOperationError`` where that cannot be told.
  func extent(of item: Found, at path: ContainerPath) throws(FileOperationError) -> PathExtent
}

/// An item that an operation came upon.
package protocol FoundItem {
  /// What kind of item it is, as far as operations tell kinds apart.
  var operationKind: OperationKind { get }
}

/// The kinds of items that operations tell apart.
package enum OperationKind: Hashable, Sendable {
  /// A regular file of a size in bytes.
  case file(size: Int64)
  /// A directory.
  case directory
  /// A socket, pipe or device, which no copy has.
  case special
  /// A symbolic link, or something that cannot be read.
  case other
}

/// What an operation that can be done will change.
package struct OperationItems<Found> {
  /// The item that is moved, copied, removed, appended to or marked; nil for other operations.
  package var source: Found?
  /// The item in whose place another comes, or that is written over; nil where nothing is.
  package var target: Found?
  /// The directories to make, the topmost first.
  package var missingDirectories: [ContainerPath] = []
}

/// How far the paths below an item reach beyond its own: in bytes and in levels of directories.
package struct PathExtent {
  /// The most bytes that a path below adds.
  private(set) var bytes = 0
  /// The most components that a path below adds.
  private(set) var levels = 0

  /// An extent; of an item with nothing below it by default.
  package init(bytes: Int = 0, levels: Int = 0) {
    self.bytes = bytes
    self.levels = levels
  }

  /// Takes an item right below into account, with what is below that.
  package mutating func include(nameOf count: Int, _ below: PathExtent) {
    bytes = max(bytes, count + 1 + below.bytes)
    levels = max(levels, 1 + below.levels)
  }

  /// Whether all of it would be at paths that a container holds, with the item at `path`.
  func fits(below path: ContainerPath) -> Bool {
    path.bytes.count + bytes <= ContainerPath.longestPath
      && path.components.count + levels <= ContainerPath.deepestPath
  }
}
