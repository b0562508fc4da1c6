import BackupContainer
import BackupDevice
import BackupDiagnostics
import BackupFileTree

/// The container of a run, in a directory or in a model.
///
/// The run keeps a tree of its container, and keeps the disk equal to the tree. A disk has what the
/// tree lacks: the bytes of files, and absolute paths.
protocol RunDisk: Sendable {
  /// The directory, which the app's own code needs; nil for a model.
  var container: FakeContainer? { get }

  /// Returns the container's contents. They are equal to `tree` if only the steps changed them.
  func scan(expecting tree: FileTree) throws(RunError) -> FileTree

  /// Performs an operation as the app would. `tree` has the container's contents before it.
  mutating func apply(
    _ operation: FileOperation, in tree: FileTree
  ) throws(FileOperation.Failure)

  /// Performs one change of an operation.
  mutating func apply(_ change: FileChange, in tree: FileTree) throws(FileOperation.Failure)

  /// Replaces the path in a link with the absolute path of its destination, and returns this path.
  func makeLinkAbsolute(
    _ link: ContainerPath, _ destination: ContainerPath, afterMoves moveCount: Int
  ) throws(RunError) -> [UInt8]

  /// Returns the contents of a file; nil if it does not exist.
  func bytes(
    of path: ContainerPath, in tree: FileTree
  ) throws(RunError) -> [UInt8]?

  /// Saves the container's contents for a copy of the run that continues from here.
  ///
  /// - Returns: The disk of the copy. Its ``goBack()`` restores the saved contents.
  /// - Throws: ``RunError`` if the container cannot be copied.
  func saved() throws(RunError) -> any RunDisk

  /// Restores the contents that this disk saved; does nothing if it saved none.
  func goBack() throws(RunError)

  /// Returns the item that an absolute path names in a former container of the app; nil for none.
  func formerContainerPath(of absolute: String, afterMoves moveCount: Int) -> ContainerPath?
}

struct DirectoryDisk: RunDisk {
  private unowned let directory: FakeContainer
  /// The container, to keep it alive; nil for a session, because its container keeps the session.
  private let kept: FakeContainer?
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
    self.directory = container
    self.kept = keepsContainer ? container : nil
    self.applyOperation = applyOperation
  }

  var container: FakeContainer? { directory }

  func scan(expecting tree: FileTree) throws(RunError) -> FileTree {
    try directory.scan()
  }

  func apply(_ operation: FileOperation, in tree: FileTree) throws(FileOperation.Failure) {
    try applyOperation(operation, directory)
  }

  func apply(_ change: FileChange, in tree: FileTree) throws(FileOperation.Failure) {
    try directory.apply(change)
  }

  func makeLinkAbsolute(
    _ link: ContainerPath, _ destination: ContainerPath, afterMoves moveCount: Int
  ) throws(RunError) -> [UInt8] {
    try directory.makeLinkAbsolute(link, destination)
  }

  func bytes(of path: ContainerPath, in tree: FileTree) throws(RunError) -> [UInt8]? {
    try directory.bytes(of: path)
  }

  func saved() throws(RunError) -> any RunDisk {
    var disk = self
    disk.savedContainer = try directory.save()
    return disk
  }

  func goBack() throws(RunError) {
    if let savedContainer { try directory.goBack(to: savedContainer) }
  }

  func formerContainerPath(of absolute: String, afterMoves moveCount: Int) -> ContainerPath? {
    directory.formerContainerPath(of: absolute)
  }
}

extension FakeContainer {
  /// Gives the code that runs in the container its app and the device's system.
  func adopt(_ app: Scenario.App, on profile: SystemProfile) throws(RunError) {
    appIdentifier.withLock { $0 = app.bundleIdentifier }
    try adopt(profile)
  }

  /// Gives the code that runs in the container the device's new system.
  func adopt(_ profile: SystemProfile) throws(RunError) {
    namesAtTop.withLock { $0 = profile.namesAtTop }
    try limitMarks(to: profile.availableMarks.value, system: profile.version.description)
  }
}

/// A container without a directory, so that copies of a run are independent.
///
/// The contents of all files and backups are stored once, by the size and sum that a tree has.
struct ModelDisk: RunDisk {
  /// The size and sum by which a tree distinguishes contents.
  fileprivate struct ContentsKey: Hashable {
    let size: Int64
    let sum: ContentsSum
  }

  /// The data of all writes, by the contents of the file after the write. `former` is the contents
  /// to which the data was appended; nil for none.
  private var writes: [ContentsKey: (former: ContentsKey?, contents: FileOperation.Contents)] = [:]
  /// The disk with the files that this disk has not written; nil for none.
  private let base: (any RunDisk)?

  /// Creates a container over the files of another disk, which this disk only reads.
  init(over base: (any RunDisk)? = nil) {
    self.base = base
  }

  /// The directory of all containers on a device.
  private static let containersFolder = "/private/var/mobile/Containers/Data/Application/"

  /// Returns the path of the app's container on a device after so many moves.
  static func containerPath(afterMoves moveCount: Int) -> String {
    let digits = "\(moveCount)"
    let zeros = String(repeating: "0", count: max(0, 12 - digits.count))
    return containersFolder + uuidStart + zeros + digits
  }

  /// The UUID of a container's directory, without the number of moves at its end.
  private static let uuidStart = "00000000-0000-4000-8000-"

  var container: FakeContainer? { nil }

  func scan(expecting tree: FileTree) throws(RunError) -> FileTree { tree }

  mutating func apply(_ operation: FileOperation, in tree: FileTree) throws(FileOperation.Failure) {
    var after = tree
    switch operation {
    case .write(let path, let contents, method: _):
      try after.apply(operation)
      store(contents, behind: nil, as: after[path])
    case .append(let path, let contents):
      try after.apply(operation)
      store(contents, behind: tree[path], as: after[path])
    // The run applies these operations to its tree.
    case .createDirectory, .move, .copy, .remove, .link, .setMark:
      _ = try tree.requirements(of: operation)
    }
  }

  mutating func apply(_ change: FileChange, in tree: FileTree) throws(FileOperation.Failure) {
    var after = tree
    try after.apply(change)
    guard case .write(let path, let contents, at: _, _, _) = change else { return }
    store(contents, behind: tree[path], as: after[path])
  }

  /// Stores the data that was written to a file, behind its former contents.
  private mutating func store(
    _ contents: FileOperation.Contents, behind former: FileTree.Item?, as file: FileTree.Item?
  ) {
    // A write of no bytes changes nothing.
    guard let key = file?.contentsKey, key != former?.contentsKey, writes[key] == nil else {
      return
    }
    writes[key] = (former?.contentsKey, contents)
  }

  func makeLinkAbsolute(
    _ link: ContainerPath, _ destination: ContainerPath, afterMoves moveCount: Int
  ) throws(RunError) -> [UInt8] {
    Array("\(Self.containerPath(afterMoves: moveCount))/\(destination)".utf8)
  }

  func bytes(of path: ContainerPath, in tree: FileTree) throws(RunError) -> [UInt8]? {
    var next = tree[path]?.contentsKey
    guard next != nil else { return nil }
    var pieces: [FileOperation.Contents] = []
    while let key = next, key.size > 0 {
      guard let write = writes[key] else {
        pieces.append(.bytes(try base?.bytes(of: path, in: tree) ?? []))
        break
      }
      pieces.append(write.contents)
      next = write.former
    }
    return pieces.reversed().reduce(into: []) { $0 += $1.bytes(atMost: Self.mostRead - $0.count) }
  }

  /// The most bytes of a file that are read, which no text in a scenario reaches.
  private static let mostRead = 1 << 26

  func saved() throws(RunError) -> any RunDisk { self }

  func goBack() throws(RunError) {}

  func formerContainerPath(of absolute: String, afterMoves moveCount: Int) -> ContainerPath? {
    guard let (number, path) = Self.numberAndPath(of: absolute), number < moveCount else {
      return nil
    }
    return ContainerPath(ifValid: path)
  }

  /// Returns the number of moves in the path of a container's item, and the path in the container.
  fileprivate static func numberAndPath(
    of absolute: String
  ) -> (number: Int, path: Substring)? {
    guard absolute.hasPrefix(containersFolder) else { return nil }
    let parts = absolute.dropFirst(containersFolder.count).split(separator: "/", maxSplits: 1)
    guard parts.count == 2, parts[0].hasPrefix(uuidStart),
      let number = Int(parts[0].dropFirst(uuidStart.count))
    else { return nil }
    return (number, parts[1])
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
  /// Returns an item's path in its container, a directory or a model, from its absolute path; nil if the item is
  /// in no container.
  package static func inAnyContainer(_ absolute: String) -> String? {
    FakeContainer.pathInAnyContainer(absolute)
      ?? ModelDisk.numberAndPath(of: absolute).map { String($0.path) }
  }
}

extension FileTree.Item {
  /// The size and sum of a file's contents; nil for any other item.
  fileprivate var contentsKey: ModelDisk.ContentsKey? {
    information.map { ModelDisk.ContentsKey(size: $0.size, sum: $0.contents) }
  }
}
