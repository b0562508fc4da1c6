/// What can happen to the files of an app.
///
/// ``FileTree/perform(_:)`` defines what each does, with iOS's semantics; ``FakeContainer`` does the
/// same on disk. A copy keeps the marks (`apple-copyfile`), a replacement loses them
/// (`swift-foundation`). No operation follows a symbolic link.
public enum FileOperation: Hashable, Sendable {
  /// Makes a directory; with `intermediates` those above it too, and one that exists is no error.
  case createDirectory(ContainerPath, intermediates: Bool)
  /// Writes a whole file, whose parent directory must exist.
  case write(ContainerPath, Contents, WriteMethod)
  /// Writes to the end of a file that exists, in place.
  case append(ContainerPath, Contents)
  /// Renames; with `replacing` over what is there, as rename(2) would.
  case move(ContainerPath, to: ContainerPath, replacing: Bool)
  /// Copies an item, with all in it and every mark; sockets, pipes and devices inside are left out.
  case copy(ContainerPath, to: ContainerPath)
  /// Removes an item, with all in it.
  case remove(ContainerPath)
  /// Makes a symbolic link that points to a destination, which need not exist.
  case link(ContainerPath, destination: ContainerPath)
  /// Sets or clears a mark, or each mark of a set.
  case setMark(ExclusionMark, on: ContainerPath, Bool)
}

extension FileOperation {
  /// The item that the operation makes or changes.
  public var path: ContainerPath {
    switch self {
    case .createDirectory(let path, _), .write(let path, _, _), .append(let path, _),
      .remove(let path), .link(let path, _), .setMark(_, on: let path, _),
      .move(_, to: let path, _), .copy(_, to: let path):
      path
    }
  }
}
