package import BackupDiagnostics
package import BackupFileTree
package import Foundation

/// Reads a backup folder that the Finder wrote. A `restore` step with the key `backup` needs a
/// reader.
///
/// The library BackupFolders provides the reader `.finder`. A test that restores no backup folder
/// need not build this library.
public struct BackupReader: Hashable, Sendable {
  /// An app's containers in a backup, and the URLs of the files' contents.
  package struct Contents {
    package let tree: FileTree
    package let fileURLs: [ContainerPath: URL]

    package init(tree: FileTree, files: [ContainerPath: URL]) {
      (self.tree, self.fileURLs) = (tree, files)
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

  /// Reads the containers of an app. In `containerNames`, nil is the app's own container and comes
  /// first.
  package func read(
    _ folder: URL, _ bundleIdentifier: String, _ containerNames: [ContainerPath.Component?]
  ) throws(RunError) -> Contents {
    try readFolder(folder, bundleIdentifier, containerNames)
  }

  /// Returns a Boolean value that indicates whether two readers are the same.
  public static func == (left: Self, right: Self) -> Bool { left.name == right.name }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
