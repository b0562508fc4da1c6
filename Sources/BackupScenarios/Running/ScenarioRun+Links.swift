import BackupContainer
import BackupFileTree

extension ScenarioRun {
  /// Makes a link that was just made hold the absolute path of its destination.
  mutating func makeAbsolute(
    _ link: ContainerPath, _ destination: ContainerPath
  ) throws(StepFailure) {
    let target = try onDisk(
      try disk.makeLinkAbsolute(
        link, destination, afterMoves: state.app.moveCount))
    var tree = self.tree
    tree.modify(link) { $0.kind = .link(target: target) }
    record(.changes([]), tree: tree)
  }

  /// Notes the link into a former container by which the app did not find an item; whether there is
  /// one.
  mutating func noteStaleLink(
    onTheWayTo paths: [ContainerPath], wrappedIn wrapper: String?
  ) -> Bool {
    guard let link = paths.lazy.compactMap(staleLink).first else { return false }
    record(.staleLink(link, isUsed: true, wrappedIn: wrapper))
    return true
  }

  /// Whether a link on the way to an item leads into a container that the app had before.
  func hasStaleLink(onTheWayTo path: ContainerPath) -> Bool { staleLink(onTheWayTo: path) != nil }

  /// The first link into a former container on the way to an item; nil without such a link.
  private func staleLink(onTheWayTo path: ContainerPath) -> ContainerPath? {
    (path.ancestors + [path]).first { tree[$0].map(isStaleLink) == true }
  }

  /// Notes the links into former containers that an app leaves standing which has run since it got
  /// the one that it has.
  mutating func noteStaleLinks() {
    guard state.app.hasRunInContainer, state.app.moveCount > 0 else { return }
    var links: [ContainerPath] = []
    tree.visit(where: isStaleLink) { path, _ in links.append(path) }
    for link in links { record(.staleLink(link, isUsed: false, wrappedIn: nil)) }
  }

  /// Whether an item is a link that holds the path of an item in a former container.
  private func isStaleLink(_ item: FileTree.Item) -> Bool {
    guard case .link(let target) = item.kind else { return false }
    return disk.formerContainerPath(
      of: String(decoding: target, as: UTF8.self), afterMoves: state.app.moveCount) != nil
  }
}
