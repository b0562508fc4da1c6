extension FileTree {
  /// A change of one item by the app.
  @nonexhaustive
  public enum Change: Hashable, Sendable {
    /// The item was not there before.
    case created(ContainerPath)
    /// The same item was written to.
    case savedInPlace(ContainerPath)
    /// Another item took its place: saved atomically, renamed over, or removed and made again.
    case replaced(ContainerPath)
    /// The item is gone, with all in it.
    case removed(ContainerPath)
    /// The item went elsewhere, with all in it.
    case moved(ContainerPath, to: ContainerPath)
    /// The item was copied, with all in it.
    case copied(ContainerPath, to: ContainerPath)
    /// The app set a mark on it.
    case marked(ContainerPath, ExclusionMark)
    /// The app took a mark off it.
    case cleared(ContainerPath, ExclusionMark)

    /// The path of the item after the change; of a removed one, its last.
    public var path: ContainerPath {
      switch self {
      case .created(let path), .savedInPlace(let path), .replaced(let path), .removed(let path),
        .marked(let path, _), .cleared(let path, _), .moved(_, to: let path),
        .copied(_, to: let path):
        path
      }
    }

    /// The items that it may have changed, each with all in it.
    package var touchedPaths: [ContainerPath] {
      if case .moved(let source, to: let path) = self { [source, path] } else { [path] }
    }

    /// True if the app wrote the item, or put one at its path.
    package var places: Bool {
      switch self {
      case .created, .savedInPlace, .replaced, .moved, .copied: true
      case .removed, .marked, .cleared: false
      }
    }
  }

  /// Returns the changes that an operation makes in this tree.
  ///
  /// - Parameter operation: One that ``apply(_:)`` accepts.
  /// - Returns: The changes, in the order they happen.
  public func changes(by operation: FileOperation) -> [Change] {
    switch operation {
    case .createDirectory(let path, let intermediates):
      let made = intermediates ? path.ancestors + [path] : [path]
      return made.filter { !contains($0) }.map(Change.created)
    case .write(let path, _, method: let method):
      guard contains(path) else { return [.created(path)] }
      return [method == .inPlace ? .savedInPlace(path) : .replaced(path)]
    case .remove(let path):
      return [.removed(path)]
    case .append, .move, .copy, .link, .setMark:
      let items = OperationItems(source: self[operation.path])
      return changes(of: operation, on: items).flatMap { changes(by: $0) }
    }
  }

  /// The items that a change of the file system changes in this tree.
  package func changes(by change: FileChange) -> [Change] {
    switch change {
    case .create(let path), .createDirectory(let path), .addPath(let path, of: _),
      .link(let path, target: _):
      [.created(path)]
    case .resize(let path, to: _), .write(let path, _, at: _, _, _), .unseen(let path):
      [.savedInPlace(path)]
    case .clone(let source, to: let path): [.copied(source, to: path)]
    case .rename(let source, to: let path): source == path ? [] : [.moved(source, to: path)]
    case .remove(let path, isDirectory: _): [.removed(path)]
    case .mark(let mark, on: let path, isSet: let isSet):
      [isSet ? .marked(path, mark) : .cleared(path, mark)]
    }
  }
}
