package import BackupFileTree

/// What a container holds, and what tells the contents of its files from others.
package struct ContainerState: Hashable, Sendable {
  /// What it holds.
  let tree: FileTree
  /// What tells its files' contents from others, in the order of the paths.
  let contents: [ContentsSum]

  /// The state that a tree says.
  package init(_ tree: FileTree) {
    var sums: [ContentsSum] = []
    tree.walk { _, item in
      if case .file(let information) = item.kind { sums.append(information.contents) }
      return true
    }
    self.tree = tree
    self.contents = sums
  }
}
