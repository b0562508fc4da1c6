import BackupContainer
import BackupDiagnostics
import BackupFileTree
import BackupFolders
import Foundation

/// A container that a backup is compared with.
struct ComparedContainer {
  let domain: BackupDomain
  /// Where it or its list is, as it was named; nil if it was not given.
  let path: String?
  /// What is in it, at its place in a tree of all containers; empty if its place was not given.
  private(set) var tree = FileTree()
  /// The iOS under which the app has listed it; nil where it was read itself.
  private(set) var listedSystem: String?

  /// A container on disk, or as a list says; neither with no path.
  init(
    _ name: ContainerPath.Component?, of app: String, at path: String?
  ) throws(CommandError) {
    self.domain = BackupDomain(name, of: app)
    self.path = path
    guard let path else { return }
    let identifier = name?.containerIdentifier
    if FileKind(at: path, followingLinks: true) == .file {
      try take(list: path, of: identifier ?? app, followingLinks: true)
      return
    }
    let found: FoundContainer
    do throws(FakeContainerError) {
      found = try FoundContainer(at: path, of: identifier)
    } catch {
      throw CommandError(error.description)
    }
    let place = ContainerPath(ContainerList.place, inContainer: name)
    guard let item = found.tree[place] else {
      tree = found.tree
      return
    }
    // The container may be from anybody, so what is there counts, and not where a link leads.
    let file = found.url.appendingPathComponent(ContainerList.place.string).path
    guard item.size != nil else {
      throw CommandError("\(file): this is not a file; remove it, or name the container's list")
    }
    try take(list: file, of: identifier ?? app, followingLinks: false)
  }

  private mutating func take(
    list file: String, of identifier: String, followingLinks: Bool
  ) throws(CommandError) {
    let (list, items) = try CommandError.rethrowing { () throws(ContainerList.FileError) in
      let list = try ContainerList(at: file, followingLinks: followingLinks)
      return (list, try list.tree(of: file))
    }
    guard list.bundleIdentifier == identifier else {
      throw CommandError(
        "\(file): this is the list of '\(list.bundleIdentifier.shown)', not of '\(identifier)'; "
          + "name the list of that container")
    }
    if let name = domain.container {
      tree.insert(FileTree.Item(.directory(items.children)), at: ContainerPath(name))
    } else {
      tree = items
    }
    listedSystem = list.system.shown
  }
}
