package import BackupFileTree
import CBackupFiles
package import Foundation

/// A container that the kit did not make: a simulator's, one that Xcode downloaded from a device,
/// or a copy of one. It is read, and never written to.
package struct FoundContainer: Sendable {
  /// Where it is: the directory itself, without links.
  package let url: URL
  package let tree: FileTree
  /// Whether it has any of the directories that each container has.
  package let isLikely: Bool

  /// Reads a container, following no link in it: a directory, or the package that Xcode puts one
  /// into, whose `AppData` it is. One of a group or an extension has an identifier, and is at
  /// `group.x:` in the tree.
  package init(
    at path: String, of identifier: String? = nil
  ) throws(FakeContainerError) {
    let place: (words: String, root: DiskPath)
    let children: FileTree.Children
    do throws(SystemError) {
      place = try Self.place(of: path)
      children = try Scanner.scanItems(
        of: place.root, prefixCount: identifier.map { $0.utf8.count + 2 } ?? 0)
      self.url = URL(fileURLWithPath: place.root.string, isDirectory: true)
    } catch {
      throw FakeContainerError(path: path, reason: Self.words(for: error))
    }
    guard !children.isEmpty else {
      throw FakeContainerError(
        path: place.words, reason: "the folder is empty; name the folder that contains Documents")
    }
    if let strange = children.entries.first(where: { $0.name.isContainer })?.name {
      throw FakeContainerError(
        path: place.words,
        reason:
          "'\(strange)' is a name that the kit reserves for the container of a group or an "
          + "extension; rename the item"
      )
    }
    self.isLikely = Self.usualNames.contains { children[$0]?.isDirectory == true }
    self.tree =
      identifier.map { identifier in
        let name = ContainerPath.Component(containerOf: identifier)
        let item = FileTree.Item(.directory(children))
        return FileTree(children: FileTree.Children(sorted: [.init(name: name, item: item)]))
      } ?? FileTree(children: children)
  }

  private static let usualNames = [ContainerPath.StandardLocation.documents, .library, .temporary]
    .map(\.path.name)

  /// What Xcode's package holds the container as.
  private static let packaged = "AppData"

  /// Where the container is: the directory of a path, or what is packed in it.
  private static func place(of path: String) throws(SystemError) -> (String, DiskPath) {
    guard let real = realpath(path, nil) else { throw SystemError() }
    defer { free(real) }
    let root = DiskPath(cString: real)
    let data = root.appending(Array(packaged.utf8))
    let isPacked = (try? data.status()).map { UInt32($0.kind) } == CFS_DIRECTORY.rawValue
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
