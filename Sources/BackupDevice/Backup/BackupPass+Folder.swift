import BackupFileTree

extension BackupPass {
  /// A directory whose items are being decided on, or the container.
  struct Folder {
    /// Where it is, nil for the container.
    let path: ContainerPath?
    /// How many components the paths of its items have.
    let depth: Int
    /// What is right in it.
    let children: FileTree.Children
    /// Whether its path makes a `.dat` file in it a remnant.
    let namesCookies: Bool

    /// The container's top.
    init(_ children: FileTree.Children) {
      self.path = nil
      self.depth = 1
      self.children = children
      self.namesCookies = false
    }

    /// A directory in another.
    init(_ children: FileTree.Children, named name: ContainerPath.Component, in parent: Folder) {
      self.path = parent.path(of: name)
      self.depth = parent.depth + 1
      self.children = children
      self.namesCookies =
        parent.namesCookies || SystemProfile.RemnantPattern.namesCookies(name)
    }

    /// The path of an item in it.
    func path(of name: ContainerPath.Component) -> ContainerPath {
      ContainerPath(name, in: path)
    }

    /// How many bytes the path of an item in it has.
    func pathLength(of name: ContainerPath.Component) -> Int {
      (path.map { $0.bytes.count + 1 } ?? 0) + name.count
    }
  }
}
