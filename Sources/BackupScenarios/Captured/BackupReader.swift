package import BackupDiagnostics
package import BackupFileTree
package import Foundation

/// Reads folders with backups that the Finder wrote, for `restore` steps that name one.
///
/// The library BackupFolders has it, as `.finder`; tests without such steps need not build that.
public struct BackupReader: Hashable, Sendable {
  /// What a backup has of an app: its containers, and where the contents of each file are.
  package struct Contents {
    package let tree: FileTree
    package let files: [ContainerPath: URL]

    package init(tree: FileTree, files: [ContainerPath: URL]) {
      (self.tree, self.files) = (tree, files)
    }
  }

  private let name: String
  private let reading:
    @Sendable (URL, String, [ContainerPath.Component?]) throws(RunError) -> Contents

  package init(
    named name: String,
    read: @escaping @Sendable (URL, String, [ContainerPath.Component?]) throws(RunError) -> Contents
  ) {
    self.name = name
    self.reading = read
  }

  /// Reads the containers of an app, the app's own first.
  package func read(
    _ folder: URL, _ app: String, _ containers: [ContainerPath.Component?]
  ) throws(RunError) -> Contents {
    try reading(folder, app, containers)
  }

  /// Whether both are the same reader.
  public static func == (left: Self, right: Self) -> Bool { left.name == right.name }

  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
