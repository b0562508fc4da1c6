package import BackupDiagnostics
package import BackupFileTree
package import Foundation

/// A reader of backup folders that the Finder wrote, for `restore` steps that name one.
///
/// The library BackupFolders provides it as `.finder`. Tests without such steps need not build that
/// library.
public struct BackupReader: Hashable, Sendable {
  /// The data of an app in a backup: its containers, with the location of each file's contents.
  package struct Contents {
    package let tree: FileTree
    package let files: [ContainerPath: URL]

    package init(tree: FileTree, files: [ContainerPath: URL]) {
      (self.tree, self.files) = (tree, files)
    }
  }

  private let name: String
  private let readFolder:
    @Sendable (URL, String, [ContainerPath.Component?]) throws(RunError) -> Contents

  package init(
    named name: String,
    read: @escaping @Sendable (URL, String, [ContainerPath.Component?]) throws(RunError) -> Contents
  ) {
    self.name = name
    self.readFolder = read
  }

  /// Reads the containers of an app, the app's own first.
  package func read(
    _ folder: URL, _ app: String, _ containers: [ContainerPath.Component?]
  ) throws(RunError) -> Contents {
    try readFolder(folder, app, containers)
  }

  /// Returns a Boolean value that indicates whether two readers are the same.
  public static func == (left: Self, right: Self) -> Bool { left.name == right.name }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
