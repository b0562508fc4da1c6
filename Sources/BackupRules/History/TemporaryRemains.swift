import BackupFileTree
import BackupScenarios

/// What is in tmp since before the app last ended.
struct TemporaryRemains {
  /// The container when the app last started.
  private var tree = FileTree()
  /// What the app has written or put there since.
  private var renewed: Set<ContainerPath> = []

  /// All of them.
  var paths: Set<ContainerPath> {
    Set(tree.paths(from: ContainerPath.StandardLocation.temporary.path).filter(contain))
  }

  /// Whether an item is among them.
  func contain(_ path: ContainerPath) -> Bool {
    path.location == .temporary && tree.contains(path)
      && !(path.ancestors + [path]).contains(where: renewed.contains)
  }

  /// Follows what happened.
  mutating func follow(_ entry: Transcript.Entry) {
    switch entry.event {
    case .launch:
      tree = entry.tree
      renewed = []
    case .changes(let changes):
      for change in changes where change.path.location == .temporary {
        switch change {
        case .created, .savedInPlace, .replaced, .moved, .copied: renewed.insert(change.path)
        case .removed, .marked, .cleared: break
        }
      }
    default: break
    }
  }
}
