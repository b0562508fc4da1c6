package import BackupDiagnostics
package import BackupFileTree
import CBackupFiles
package import Foundation

/// A container that the kit did not create: a simulator's, one that Xcode downloaded from a device,
/// or a copy. The kit only reads it.
package struct FoundContainer: Sendable {
  /// The container's directory, with links resolved.
  package let url: URL
  /// The container's name in a tree, such as `group.x:`; nil for an app's own container.
  package let name: ContainerPath.Component?
  package let tree: FileTree
  /// True if the container has any of the directories that iOS creates in each container.
  package var isLikelyContainer: Bool {
    Self.usualDirectoryNames.contains { tree.children[$0]?.isDirectory == true }
  }

  /// Reads a container from a directory, or from `AppData` in a package that Xcode made. No link in
  /// the container is followed. `identifier` is that of the group or extension; nil for an app's
  /// own container.
  package init(at path: String, of identifier: String? = nil) throws(RunError) {
    guard !Self.isRoot(path) else {
      throw RunError(
        unavailablePath: path,
        reason: "this is the root of all folders; name the folder that contains Documents and "
          + "Library")
    }
    let location: (pathInErrors: String, root: DiskPath)
    let children: FileTree.Children
    do throws(SystemError) {
      location = try Self.location(of: path)
      children = try Scanner.scanItems(
        of: location.root, pathPrefixLength: identifier.map { $0.utf8.count + 2 } ?? 0)
      self.url = URL(fileURLWithPath: location.root.string, isDirectory: true)
    } catch {
      throw RunError(unavailablePath: path, reason: Self.reason(for: error))
    }
    guard !children.isEmpty else {
      throw RunError(
        unavailablePath: location.pathInErrors,
        reason: "the folder is empty; name the folder that contains Documents")
    }
    if let reservedName = children.entries.first(where: { $0.name.isContainer })?.name {
      throw RunError(
        unavailablePath: location.pathInErrors,
        reason:
          "'\(reservedName)' is a name that the kit reserves for the container of a group or an "
          + "extension; rename the item")
    }
    self.name = identifier.map(ContainerPath.Component.init(containerOf:))
    self.tree = FileTree(children: children)
  }

  /// Returns the identifier of the app, extension or group that a container belongs to. iOS stores
  /// it in a file in the container. Returns nil if the file is missing, or has no valid identifier.
  ///
  /// `isOwn` is true for an app's own container, false for an extension's, and nil for any other.
  ///
  /// - Throws: ``RunError`` if the file cannot be read.
  package static func owner(
    of path: String
  ) throws(RunError) -> (identifier: String, isOwn: Bool?)? {
    guard let bytes = try ownerMetadata(in: path),
      let propertyList = PropertyList(parsing: bytes),
      let owner = propertyList["MCMMetadataIdentifier"]?.string,
      ContainerPath.Component.isIdentifier(owner)
    else { return nil }
    return (
      owner, propertyList["MCMMetadataContentClass"]?.integer.flatMap { [2: true, 4: false][$0] }
    )
  }

  private static func ownerMetadata(in path: String) throws(RunError) -> [UInt8]? {
    let file: String
    do throws(SystemError) {
      let root = try location(of: path).1
      guard try root.status()?.isDirectory == true else { return nil }
      file = root.appending(Array(".com.apple.mobile_container_manager.metadata.plist".utf8)).string
    } catch {
      if error.isMissingItem { return nil }
      throw RunError(unavailablePath: path, reason: reason(for: error))
    }
    do throws(RegularFile.AccessError) {
      return try RegularFile.bytes(at: file, upTo: 1_000_000, followingLinks: false)
    } catch {
      guard error.cause == .unreadable else { return nil }
      throw RunError(unavailablePath: file, reason: "cannot be read: \(error.reason)")
    }
  }

  private static let usualDirectoryNames = [
    ContainerPath.StandardLocation.documents, .library, .temporary,
  ]
  .map(\.path.name)

  /// The name of the container's directory in Xcode's package.
  private static let packagedDirectoryName = "AppData"

  private static func isRoot(_ path: String) -> Bool {
    // For any other path, `location(of:)` reports the error.
    guard let resolvedPath = realpath(path, nil) else { return false }
    defer { free(resolvedPath) }
    return strcmp(resolvedPath, "/") == 0
  }

  /// Returns the path to name in errors, and the directory of the container: the one at `path`, or
  /// `AppData` in a package of Xcode.
  private static func location(of path: String) throws(SystemError) -> (String, DiskPath) {
    guard let resolvedPath = realpath(path, nil) else { throw SystemError() }
    defer { free(resolvedPath) }
    let root = DiskPath(cString: resolvedPath)
    let packagedRoot = root.appending(Array(packagedDirectoryName.utf8))
    let isXcodePackage = try packagedRoot.status()?.isDirectory == true
    guard isXcodePackage || root.string.hasSuffix(".xcappdata") else { return (path, root) }
    return ("\(path)/\(packagedDirectoryName)", packagedRoot)
  }

  private static func reason(for error: SystemError) -> String {
    switch error.number {
    case ENOENT: "no such folder; check the path"
    case ENOTDIR, ELOOP: "this is not a folder; name the folder that contains Documents and Library"
    default: "cannot be read: \(error)"
    }
  }
}

extension FileTree {
  /// Inserts the items of a container: at the top if the container is the app's own, or else in a
  /// directory with the container's name.
  package mutating func insert(_ items: FileTree, ofContainer name: ContainerPath.Component?) {
    let containerEntries = name.map {
      [Children.Entry(name: $0, item: Item(.directory(items.children)))]
    }
    (containerEntries ?? items.children.entries).forEach {
      insert($0.item, at: ContainerPath($0.name))
    }
  }
}

extension ContainerList {
  /// An error in a file that lists the items of a container.
  package struct FileError: Error, Sendable, CustomStringConvertible {
    package let path: String
    /// The place of the mistake; nil if the file cannot be read at all.
    package let position: SourcePosition?
    /// The mistake, and what was expected.
    package let message: String

    package var description: String {
      let positionText = position.map { ":\($0.line):\($0.column)" } ?? ""
      return "\(path)\(positionText): \(message)"
    }
  }

  /// Reads a list from a file. Follow links only if a person has given the path.
  package init(at path: String, followingLinks followsLinks: Bool) throws(FileError) {
    let bytes: [UInt8]
    do throws(RegularFile.AccessError) {
      bytes = try RegularFile.bytes(
        at: path, upTo: ContainerList.maximumSize + 1, followingLinks: followsLinks)
    } catch {
      throw FileError(
        path: path, position: nil, message: "the list cannot be read: \(error.reason)")
    }
    try self.init(bytes, named: path)
  }

  /// Reads a list from bytes. `path` is the path of its file, for messages.
  package init(_ bytes: [UInt8], named path: String) throws(FileError) {
    do throws(SyntaxError) {
      try self.init(bytes)
    } catch {
      throw FileError(path: path, position: error.position, message: error.message)
    }
  }

  /// Returns the container that the list describes, with the directories above its items. `path` is
  /// the path of the list, for messages.
  package func tree(named path: String) throws(FileError) -> FileTree {
    do throws(SyntaxError) {
      return try tree()
    } catch {
      throw FileError(path: path, position: error.position, message: error.message)
    }
  }
}
