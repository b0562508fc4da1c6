import BackupContainer
import BackupDevice
import BackupDiagnostics
import BackupFileTree

/// The disk of a run: a real directory, or a model of a directory.
///
/// A run has a tree of its container, and keeps the disk equal to the tree. The disk also knows the
/// bytes of files and absolute paths, which a tree lacks.
protocol RunDisk: Sendable {
  /// The real directory, which the app's own code needs; nil for a model.
  var container: FakeContainer? { get }

  /// Returns the container's contents. They equal `tree` if only the kit changed the container.
  func scan(expecting tree: FileTree) throws(RunError) -> FileTree

  /// Performs an operation as the app would. `tree` has the contents before the operation.
  mutating func apply(
    _ operation: FileOperation, in tree: FileTree
  ) throws(FileOperation.Failure)

  /// Performs one of the changes that an operation consists of.
  mutating func apply(_ change: FileChange, in tree: FileTree) throws(FileOperation.Failure)

  /// Makes a link lead to the absolute path of `destination`, and returns this path. `moveCount` is
  /// the number of times that the app got a new container.
  func makeLinkAbsolute(
    _ link: ContainerPath, _ destination: ContainerPath, afterMoves moveCount: Int
  ) throws(RunError) -> [UInt8]

  /// Returns the contents of a file; nil if it does not exist.
  func bytes(
    of path: ContainerPath, in tree: FileTree
  ) throws(RunError) -> [UInt8]?

  /// Saves the container's contents. A copy of the run can then continue from here.
  ///
  /// - Returns: The disk of the copy. Its ``goBack()`` restores the saved contents.
  /// - Throws: ``RunError`` if the container cannot be copied.
  func saved() throws(RunError) -> any RunDisk

  /// Restores the contents that this disk saved. Does nothing if it saved none.
  func goBack() throws(RunError)

  /// Returns the relative path of an item from its absolute path in a former container of the app.
  /// Returns nil for any other absolute path.
  func formerContainerPath(of absolutePath: String, afterMoves moveCount: Int) -> ContainerPath?
}

struct DirectoryDisk: RunDisk {
  private unowned let unownedContainer: FakeContainer
  /// Keeps the container alive. nil in a session: a session's container keeps the session alive, so
  /// a strong reference back to the container would make a cycle.
  private let retainedContainer: FakeContainer?
  private let applyOperation:
    @Sendable (FileOperation, FakeContainer) throws(FileOperation.Failure) -> Void
  /// The contents that this disk saved; nil for none.
  private var savedContainer: SavedContainer?

  init(
    _ container: FakeContainer,
    _ applyOperation:
      @escaping @Sendable (FileOperation, FakeContainer) throws(FileOperation.Failure) -> Void,
    keepsContainer: Bool = true
  ) {
    self.unownedContainer = container
    self.retainedContainer = keepsContainer ? container : nil
    self.applyOperation = applyOperation
  }

  var container: FakeContainer? { unownedContainer }

  func scan(expecting tree: FileTree) throws(RunError) -> FileTree {
    try unownedContainer.scan()
  }

  func apply(_ operation: FileOperation, in tree: FileTree) throws(FileOperation.Failure) {
    try applyOperation(operation, unownedContainer)
  }

  func apply(_ change: FileChange, in tree: FileTree) throws(FileOperation.Failure) {
    try unownedContainer.apply(change)
  }

  func makeLinkAbsolute(
    _ link: ContainerPath, _ destination: ContainerPath, afterMoves moveCount: Int
  ) throws(RunError) -> [UInt8] {
    try unownedContainer.makeLinkAbsolute(link, destination)
  }

  func bytes(of path: ContainerPath, in tree: FileTree) throws(RunError) -> [UInt8]? {
    try unownedContainer.bytes(of: path)
  }

  func saved() throws(RunError) -> any RunDisk {
    var disk = self
    disk.savedContainer = try unownedContainer.save()
    return disk
  }

  func goBack() throws(RunError) {
    if let savedContainer { try unownedContainer.goBack(to: savedContainer) }
  }

  func formerContainerPath(of absolutePath: String, afterMoves moveCount: Int) -> ContainerPath? {
    unownedContainer.formerContainerPath(of: absolutePath)
  }
}

extension FakeContainer {
  /// Sets the app that the container belongs to, and the version of iOS.
  func configure(_ app: Scenario.App, on profile: SystemProfile) throws(RunError) {
    appIdentifier.withLock { $0 = app.bundleIdentifier }
    try configure(profile)
  }

  /// Sets the version of iOS. The version determines which marks are available, and which names may
  /// be at the top of the container.
  func configure(_ profile: SystemProfile) throws(RunError) {
    allowedTopLevelNames.withLock { $0 = profile.topLevelNames }
    try limitMarks(to: profile.availableMarks.value, system: profile.version.description)
  }
}

/// A model of a directory. Copies of a run with a model do not affect each other.
///
/// The model stores equal contents once, for all files and backups. The size and the checksum in a
/// tree are the key.
struct ModelDisk: RunDisk {
  /// The size and the checksum by which a tree distinguishes contents.
  fileprivate struct ContentsKey: Hashable {
    let size: Int64
    let sum: ContentsChecksum
  }

  /// The written data, by the key of the file's contents after the write. `formerKey` is the key
  /// of the contents before an append; nil for a new file.
  private var writes: [ContentsKey: (formerKey: ContentsKey?, contents: FileOperation.Contents)] =
    [:]
  /// The disk that has the files that this disk did not write; nil for none.
  private let base: (any RunDisk)?

  /// Creates a disk that begins with the files of `base`, and never changes `base`.
  init(over base: (any RunDisk)? = nil) {
    self.base = base
  }

  /// The directory of all app containers on a device.
  private static let containersFolder = "/private/var/mobile/Containers/Data/Application/"

  /// Returns the path of the app's container on a device. `moveCount` is the number of times that
  /// the app got a new container.
  static func containerPath(afterMoves moveCount: Int) -> String {
    let digits = "\(moveCount)"
    let zeros = String(repeating: "0", count: max(0, 12 - digits.count))
    return containersFolder + uuidPrefix + zeros + digits
  }

  /// The beginning of the UUID in a container's path. The number of moves follows.
  private static let uuidPrefix = "00000000-0000-4000-8000-"

  var container: FakeContainer? { nil }

  func scan(expecting tree: FileTree) throws(RunError) -> FileTree { tree }

  mutating func apply(_ operation: FileOperation, in tree: FileTree) throws(FileOperation.Failure) {
    var treeAfter = tree
    switch operation {
    case .write(let path, let contents, method: _):
      try treeAfter.apply(operation)
      store(contents, appendedTo: nil, as: treeAfter[path])
    case .append(let path, let contents):
      try treeAfter.apply(operation)
      store(contents, appendedTo: tree[path], as: treeAfter[path])
    // These operations write no bytes, and the run applies them to its tree. Here, the disk only
    // throws the error of an impossible operation.
    case .createDirectory, .move, .copy, .remove, .link, .setMark:
      _ = try tree.checkedItems(of: operation)
    }
  }

  mutating func apply(_ change: FileChange, in tree: FileTree) throws(FileOperation.Failure) {
    var treeAfter = tree
    try treeAfter.apply(change)
    guard case .write(let path, let contents, at: _, _, _) = change else { return }
    store(contents, appendedTo: tree[path], as: treeAfter[path])
  }

  /// Stores written data. `formerFile` is the file to which the data was appended; nil for a new
  /// file. `file` is the file after the write.
  private mutating func store(
    _ contents: FileOperation.Contents, appendedTo formerFile: FileTree.Item?,
    as file: FileTree.Item?
  ) {
    // A write of no bytes changes nothing.
    guard let key = file?.contentsKey, key != formerFile?.contentsKey, writes[key] == nil else {
      return
    }
    writes[key] = (formerFile?.contentsKey, contents)
  }

  func makeLinkAbsolute(
    _ link: ContainerPath, _ destination: ContainerPath, afterMoves moveCount: Int
  ) throws(RunError) -> [UInt8] {
    Array("\(Self.containerPath(afterMoves: moveCount))/\(destination)".utf8)
  }

  func bytes(of path: ContainerPath, in tree: FileTree) throws(RunError) -> [UInt8]? {
    var nextKey = tree[path]?.contentsKey
    guard nextKey != nil else { return nil }
    var pieces: [FileOperation.Contents] = []
    // The last write comes first, then the writes before it.
    while let key = nextKey, key.size > 0 {
      guard let write = writes[key] else {
        pieces.append(.bytes(try base?.bytes(of: path, in: tree) ?? []))
        break
      }
      pieces.append(write.contents)
      nextKey = write.formerKey
    }
    return pieces.reversed().reduce(into: []) {
      $0 += $1.bytes(atMost: Self.maximumReadSize - $0.count)
    }
  }

  /// The maximum number of bytes read from a file, more than any text in a scenario has.
  private static let maximumReadSize = 1 << 26

  func saved() throws(RunError) -> any RunDisk { self }

  func goBack() throws(RunError) {}

  func formerContainerPath(of absolutePath: String, afterMoves moveCount: Int) -> ContainerPath? {
    guard let (formerMoveCount, path) = Self.moveCountAndPath(of: absolutePath),
      formerMoveCount < moveCount
    else {
      return nil
    }
    return ContainerPath(ifValid: path)
  }

  /// Splits the absolute path of an item in a container. Returns the number of moves in the UUID,
  /// and the path in the container; nil for any other path.
  fileprivate static func moveCountAndPath(
    of absolutePath: String
  ) -> (moveCount: Int, path: Substring)? {
    guard absolutePath.hasPrefix(containersFolder) else { return nil }
    let parts = absolutePath.dropFirst(containersFolder.count).split(separator: "/", maxSplits: 1)
    guard parts.count == 2, parts[0].hasPrefix(uuidPrefix),
      let moveCount = Int(parts[0].dropFirst(uuidPrefix.count))
    else { return nil }
    return (moveCount, parts[1])
  }
}

extension FileOperation.Contents {
  fileprivate func bytes(atMost count: Int) -> [UInt8] {
    switch self {
    case .bytes(let bytes): Array(bytes.prefix(count))
    case .zeros: Array(repeating: 0, count: min(Int(size), count))
    }
  }
}

extension ContainerPath {
  /// Returns the relative path of an item in a container from its absolute path. The container may
  /// be a directory or a model. Returns nil if the item is in no container.
  package static func pathInAnyContainer(_ absolutePath: String) -> String? {
    FakeContainer.pathInAnyContainer(absolutePath)
      ?? ModelDisk.moveCountAndPath(of: absolutePath).map { String($0.path) }
  }
}

extension FileTree.Item {
  /// The size and sum of a file's contents; nil for any other item.
  fileprivate var contentsKey: ModelDisk.ContentsKey? {
    information.map { ModelDisk.ContentsKey(size: $0.size, sum: $0.checksum) }
  }
}
