package import BackupDiagnostics
package import BackupFileTree
import CBackupFiles
package import Foundation

/// A container that the kit did not make: a simulator's, one that Xcode downloaded from a device,
/// or a copy of one. It is read, and never written to.
package struct FoundContainer: Sendable {
  /// Where it is: the directory itself, without links.
  package let url: URL
  package let name: ContainerPath.Component?
  package let tree: FileTree
  /// Whether it has any of the directories that each container has.
  package var isLikely: Bool {
    Self.usualNames.contains { tree.children[$0]?.isDirectory == true }
  }

  /// Reads a container, following no link in it: a directory, or the package that Xcode puts one
  /// into, whose `AppData` it is. One of a group or an extension has an identifier, and a name.
  package init(at path: String, of identifier: String? = nil) throws(RunError) {
    guard !Self.isRoot(path) else {
      throw RunError(
        path: path,
        reason: "this is the root of all folders; name the folder that contains Documents and "
          + "Library")
    }
    let place: (words: String, root: DiskPath)
    let children: FileTree.Children
    do throws(SystemError) {
      place = try Self.place(of: path)
      children = try Scanner.scanItems(
        of: place.root, prefixCount: identifier.map { $0.utf8.count + 2 } ?? 0)
      self.url = URL(fileURLWithPath: place.root.string, isDirectory: true)
    } catch {
      throw RunError(path: path, reason: Self.words(for: error))
    }
    guard !children.isEmpty else {
      throw RunError(
        path: place.words, reason: "the folder is empty; name the folder that contains Documents")
    }
    if let strange = children.entries.first(where: { $0.name.isContainer })?.name {
      throw RunError(
        path: place.words,
        reason:
          "'\(strange)' is a name that the kit reserves for the container of a group or an "
          + "extension; rename the item")
    }
    self.name = identifier.map(ContainerPath.Component.init(containerOf:))
    self.tree = FileTree(children: children)
  }

  /// Whose a container is, as iOS notes in it, and whether it is an app's own; nil if it has no such
  /// note, or if nothing is at the path.
  ///
  /// - Throws: ``RunError`` if the note cannot be read.
  package static func owner(
    of path: String
  ) throws(RunError) -> (identifier: String, isOwn: Bool?)? {
    guard let bytes = try noteOfOwner(in: path),
      let list = PropertyList(anyBytes: bytes), let owner = list["MCMMetadataIdentifier"]?.string,
      ContainerPath.Component.isIdentifier(owner)
    else { return nil }
    return (owner, list["MCMMetadataContentClass"]?.integer.flatMap { [2: true, 4: false][$0] })
  }

  private static func noteOfOwner(in path: String) throws(RunError) -> [UInt8]? {
    let file: String
    do throws(SystemError) {
      let root = try place(of: path).1
      guard try root.status()?.isDirectory == true else { return nil }
      file = root.appending(Array(".com.apple.mobile_container_manager.metadata.plist".utf8)).string
    } catch {
      if error.isMissingItem { return nil }
      throw RunError(path: path, reason: words(for: error))
    }
    do throws(RegularFile.Obstacle) {
      return try RegularFile.bytes(at: file, upTo: 1_000_000, followingLinks: false)
    } catch {
      guard error.cause == .unreadable else { return nil }
      throw RunError(path: file, reason: "cannot be read: \(error.reason)")
    }
  }

  private static let usualNames = [ContainerPath.StandardLocation.documents, .library, .temporary]
    .map(\.path.name)

  /// What Xcode's package holds the container as.
  private static let packaged = "AppData"

  private static func isRoot(_ path: String) -> Bool {
    // `place(of:)` says what is wrong with any other path.
    guard let real = realpath(path, nil) else { return false }
    defer { free(real) }
    return strcmp(real, "/") == 0
  }

  /// Where the container is: the directory of a path, or what is packed in it.
  private static func place(of path: String) throws(SystemError) -> (String, DiskPath) {
    guard let real = realpath(path, nil) else { throw SystemError() }
    defer { free(real) }
    let root = DiskPath(cString: real)
    let data = root.appending(Array(packaged.utf8))
    let isPacked = try data.status()?.isDirectory == true
    guard isPacked || root.string.hasSuffix(".xcappdata") else { return (path, root) }
    return ("\(path)/\(packaged)", data)
  }

  private static func words(for error: SystemError) -> String {
    switch error.number {
    case ENOENT: "no such folder; check the path"
    case ENOTDIR, ELOOP: "this is not a folder; name the folder that contains Documents and Library"
    default: "cannot be read: \(error)"
    }
  }
}

extension FileTree {
  package mutating func insert(_ items: FileTree, ofContainer name: ContainerPath.Component?) {
    let whole = name.map { [Children.Entry(name: $0, item: Item(.directory(items.children)))] }
    (whole ?? items.children.entries).forEach { insert($0.item, at: ContainerPath($0.name)) }
  }
}

extension ContainerList {
  /// Why a file with a list, which anybody may have written, cannot be used.
  package struct FileError: Error, Sendable, CustomStringConvertible {
    package let path: String
    /// The place of the mistake; nil if the file cannot be read at all.
    package let position: SourcePosition?
    /// What is wrong and what was expected.
    package let message: String

    package var description: String {
      let place = position.map { ":\($0.line):\($0.column)" } ?? ""
      return "\(path)\(place): \(message)"
    }
  }

  /// Reads a list; `followsLinks` for a path that a person has named.
  package init(at path: String, followingLinks followsLinks: Bool) throws(FileError) {
    let bytes: [UInt8]
    do throws(RegularFile.Obstacle) {
      bytes = try RegularFile.bytes(
        at: path, upTo: ContainerList.largest + 1, followingLinks: followsLinks)
    } catch {
      throw FileError(
        path: path, position: nil, message: "the list cannot be read: \(error.reason)")
    }
    try self.init(bytes, named: path)
  }

  /// Reads a list from bytes; `path` names it in messages.
  package init(_ bytes: [UInt8], named path: String) throws(FileError) {
    do throws(SyntaxError) {
      try self.init(bytes)
    } catch {
      throw FileError(path: path, position: error.position, message: error.message)
    }
  }

  /// The container as the list has it, with the directories above its items; `path` names the list
  /// in messages.
  package func tree(of path: String) throws(FileError) -> FileTree {
    do throws(SyntaxError) {
      return try tree()
    } catch {
      throw FileError(path: path, position: error.position, message: error.message)
    }
  }
}
