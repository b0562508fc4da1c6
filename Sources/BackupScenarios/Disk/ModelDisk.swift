import BackupContainer
import BackupDevice
import BackupDiagnostics
import BackupFileTree

/// A container that is nowhere but in the tree of its run, so that a copy of the run is a run of its
/// own.
///
/// What files hold is kept by what the tree tells contents by, once for all files and backups.
struct ModelDisk: RunDisk {
  /// What tells contents from others.
  fileprivate struct ContentsKey: Hashable {
    /// How many bytes there are.
    let size: Int64
    let sum: ContentsSum

    init(_ information: FileTree.FileInformation) {
      self.size = information.size
      self.sum = information.contents
    }
  }

  /// What all files hold that there ever were: what was written, and to the end of what; nil for
  /// nothing.
  private var writings: [ContentsKey: (former: ContentsKey?, contents: FileOperation.Contents)] =
    [:]
  /// Where files are that it has not written; nil for nowhere.
  private let base: (any RunDisk)?

  /// A new container, over the files of another disk, which are read and never written.
  init(over base: (any RunDisk)? = nil) {
    self.base = base
  }

  /// Where containers are on a device, each in a directory of its number.
  private static let folder = "/private/var/mobile/Containers/Data/Application/"

  var container: FakeContainer? { nil }

  func scan(expecting tree: FileTree) throws(RunError) -> FileTree { tree }

  mutating func apply(
    _ operation: FileOperation, in tree: FileTree
  ) throws(FileOperationError) {
    var after = tree
    try after.apply(operation)
    let contents: FileOperation.Contents
    var former: ContentsKey?
    switch operation {
    case .write(_, let written, method: _): contents = written
    case .append(let path, let written):
      contents = written
      former = tree[path]?.key
    default: return
    }
    // What nothing was written to is what it was.
    guard let key = after[operation.path]?.key, key != former, writings[key] == nil else { return }
    writings[key] = (former, contents)
  }

  func makeLinkAbsolute(
    _ link: ContainerPath, _ destination: ContainerPath, afterMoves moveCount: Int
  ) throws(RunError) -> [UInt8] {
    Array("\(Self.folder)\(moveCount)/\(destination)".utf8)
  }

  func bytes(
    of path: ContainerPath, in tree: FileTree
  ) throws(RunError) -> [UInt8]? {
    var next = tree[path]?.key
    guard next != nil else { return nil }
    var pieces: [[UInt8]] = []
    while let key = next {
      guard let writing = writings[key] else {
        pieces.append(try base?.bytes(of: path, in: tree) ?? [])
        break
      }
      guard case .bytes(let bytes) = writing.contents else { break }
      pieces.append(bytes)
      next = writing.former
    }
    return Array(pieces.reversed().joined())
  }

  func archive(_ paths: [ContainerPath]) throws(RunError) -> ContainerArchive? { nil }

  func occupiedBytes(
    of tree: FileTree, from path: ContainerPath?, where isCounted: (ContainerPath) -> Bool
  ) throws(RunError) -> Int64 { 0 }

  func move() throws(RunError) {}

  func replace() throws(RunError) {}

  func materialise(
    _ tree: FileTree, from before: FileTree, contents archive: ContainerArchive?
  ) throws(RunError) {}

  func saved() throws(RunError) -> any RunDisk { self }

  func goBack() throws(RunError) {}

  func summed(_ tree: FileTree, known: FileTree) -> FileTree { tree }

  func adopt(_ profile: SystemProfile) throws(RunError) {}

  func formerContainerPath(
    of absolute: String, afterMoves moveCount: Int
  ) -> ContainerPath? {
    guard absolute.hasPrefix(Self.folder) else { return nil }
    let rest = absolute.dropFirst(Self.folder.count)
    let parts = rest.split(separator: "/", maxSplits: 1)
    guard parts.count == 2, let number = Int(parts[0]), number < moveCount else { return nil }
    return try? ContainerPath(String(parts[1]))
  }
}

extension FileTree.Item {
  /// What tells a file's contents from others; nil for anything else.
  fileprivate var key: ModelDisk.ContentsKey? {
    if case .file(let information) = kind { ModelDisk.ContentsKey(information) } else { nil }
  }
}
