import BackupFileTree

/// What a process of the app's may remember.
///
/// One that has just been started knows nothing yet. One that has done something since is taken to
/// know what any other would know that had come to the same container.
enum AppMemory: Hashable, Sendable {
  /// There is no process.
  case none
  /// It has done nothing but to start.
  case new
  /// It has performed an action since.
  case old
}

/// What a container holds, and what tells the contents of its files from others.
struct ContainerState: Hashable, Sendable {
  /// What it holds.
  let tree: FileTree
  /// What tells its files' contents from others, in the order of the paths.
  let contents: [ContentsSum]

  /// The state that a tree says.
  init(_ tree: FileTree) {
    var sums: [ContentsSum] = []
    tree.walk { _, item in
      if case .file(let information) = item.kind { sums.append(information.contents) }
      return true
    }
    self.tree = tree
    self.contents = sums
  }
}
