extension FileTree {
  /// A change of an item by the app.
  @nonexhaustive
  public enum Change: Hashable, Sendable {
    /// The app created the item.
    case created(ContainerPath)
    /// The app wrote to the item in place.
    case savedInPlace(ContainerPath)
    /// The app put another item at the path: by an atomic save, by a rename, or by a removal and a
    /// new file.
    case replaced(ContainerPath)
    /// The app removed the item with all items in it.
    case removed(ContainerPath)
    /// The app moved the item with all items in it.
    case moved(ContainerPath, to: ContainerPath)
    /// The app copied the item with all items in it.
    case copied(ContainerPath, to: ContainerPath)
    /// The app set a mark on the item.
    case marked(ContainerPath, ExclusionMark)
    /// The app removed a mark from the item.
    case cleared(ContainerPath, ExclusionMark)

    /// The path of the item after the change, or of a removed item before it.
    public var path: ContainerPath {
      switch self {
      case .created(let path), .savedInPlace(let path), .replaced(let path), .removed(let path),
        .marked(let path, _), .cleared(let path, _), .moved(_, to: let path),
        .copied(_, to: let path):
        path
      }
    }

    /// The paths of the items that the change affects. All items in these items may have changed,
    /// too.
    package var touchedPaths: [ContainerPath] {
      if case .moved(let source, to: let path) = self { [source, path] } else { [path] }
    }

    /// True if the app wrote to the item, or put an item at the path.
    package var createsOrSavesItem: Bool {
      switch self {
      case .created, .savedInPlace, .replaced, .moved, .copied: true
      case .removed, .marked, .cleared: false
      }
    }
  }

  /// Returns the changes of items that an operation makes in this tree.
  ///
  /// - Parameter operation: An operation that ``apply(_:)`` accepts.
  /// - Returns: The changes, in order.
  public func changes(by operation: FileOperation) -> [Change] {
    switch operation {
    case .createDirectory(let path, let intermediates):
      let directories = intermediates ? path.ancestors + [path] : [path]
      return directories.filter { !contains($0) }.map(Change.created)
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

  /// Returns the changes of items that one file system call makes in this tree.
  package func changes(by change: FileChange) -> [Change] {
    switch change {
    case .create(let path), .createDirectory(let path), .hardLink(let path, of: _),
      .link(let path, target: _):
      [.created(path)]
    case .resize(let path, to: _), .write(let path, _, at: _, _, _), .unseen(let path):
      [.savedInPlace(path)]
    case .clone(let source, to: let path): [.copied(source, to: path)]
    case .rename(let source, to: let path): source == path ? [] : [.moved(source, to: path)]
    case .remove(let path, isDirectory: _): [.removed(path)]
    case .setMark(let mark, on: let path, isSet: let isSet):
      [isSet ? .marked(path, mark) : .cleared(path, mark)]
    }
  }
}
