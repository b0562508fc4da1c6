import BackupContainer
import BackupDevice
import BackupDiagnostics
import BackupFileTree

/// Where the container of a run is: in a directory, or nowhere but in the tree that the run keeps.
///
/// The run knows by the steps what its container holds, and keeps the disk's container, if there is
/// one, equal to that. A disk answers what no tree says.
protocol RunDisk: Sendable {
  /// The directory, which code of the app's own needs; nil if the run has no directory.
  var container: FakeContainer? { get }

  /// The container as it is now; by the steps it holds `tree`.
  func scan(expecting tree: FileTree) throws(RunError) -> FileTree

  /// Does an operation as the app would, on what `tree` says the container holds.
  mutating func apply(
    _ operation: FileOperation, in tree: FileTree
  ) throws(FileOperation.Failure)

  /// Does a change of such an operation.
  mutating func apply(_ change: FileChange, in tree: FileTree) throws(FileOperation.Failure)

  /// Makes a link hold the absolute path of its destination, and returns that.
  func makeLinkAbsolute(
    _ link: ContainerPath, _ destination: ContainerPath, afterMoves moveCount: Int
  ) throws(RunError) -> [UInt8]

  /// What a file holds; nil if it does not exist.
  func bytes(
    of path: ContainerPath, in tree: FileTree
  ) throws(RunError) -> [UInt8]?

  /// Keeps the container as it is now, for a copy of the run that goes on from here.
  ///
  /// - Returns: The disk of that run, which ``goBack()`` makes the one that is there.
  /// - Throws: ``RunError`` where it cannot be copied.
  func saved() throws(RunError) -> any RunDisk

  /// Makes the container what it was when this disk was saved; one that was never saved is as it is.
  func goBack() throws(RunError)

  /// The item that an absolute path names in a container that the app had before; nil for none.
  func formerContainerPath(of absolute: String, afterMoves moveCount: Int) -> ContainerPath?
}

struct DirectoryDisk: RunDisk {
  private unowned let directory: FakeContainer
  /// The same; nil if another object keeps the container alive.
  private let kept: FakeContainer?
  private let operate:
    @Sendable (FileOperation, FakeContainer) throws(FileOperation.Failure) -> Void
  /// The container as it was when this disk was saved; nil for one that was not.
  private var copy: SavedContainer?

  init(
    _ container: FakeContainer,
    _ operate:
      @escaping @Sendable (FileOperation, FakeContainer) throws(FileOperation.Failure) -> Void,
    keepsContainer: Bool = true
  ) {
    self.directory = container
    self.kept = keepsContainer ? container : nil
    self.operate = operate
  }

  var container: FakeContainer? { directory }

  func scan(expecting tree: FileTree) throws(RunError) -> FileTree {
    try directory.scan()
  }

  func apply(_ operation: FileOperation, in tree: FileTree) throws(FileOperation.Failure) {
    try operate(operation, directory)
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
    disk.copy = try directory.save()
    return disk
  }

  func goBack() throws(RunError) {
    if let copy { try directory.goBack(to: copy) }
  }

  func formerContainerPath(of absolute: String, afterMoves moveCount: Int) -> ContainerPath? {
    directory.formerContainerPath(of: absolute)
  }
}

extension FakeContainer {
  /// Tells the code that runs in the container which app it is, and which system the device has.
  func adopt(_ app: Scenario.App, on profile: SystemProfile) throws(RunError) {
    appIdentifier.withLock { $0 = app.bundleIdentifier }
    try adopt(profile)
  }

  /// Tells the code that runs in the container which system the device has now.
  func adopt(_ profile: SystemProfile) throws(RunError) {
    namesAtTop.withLock { $0 = profile.namesAtTop }
    try offer(profile.availableMarks.value, of: profile.version.description)
  }
}

/// A container that is nowhere but in the tree of its run, so that a copy of the run is a run of its
/// own.
///
/// What files hold is kept by what the tree tells contents by, once for all files and backups.
struct ModelDisk: RunDisk {
  /// What tells contents from others.
  fileprivate struct ContentsKey: Hashable {
    let size: Int64
    let sum: ContentsSum
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

  /// The path of the app's container on a device on which it has been moved so often.
  static func containerPath(afterMoves moveCount: Int) -> String {
    let digits = "\(moveCount)"
    return folder + start + String(repeating: "0", count: max(0, 12 - digits.count)) + digits
  }

  /// The UUID of the directory, without the number.
  private static let start = "00000000-0000-4000-8000-"

  var container: FakeContainer? { nil }

  func scan(expecting tree: FileTree) throws(RunError) -> FileTree { tree }

  mutating func apply(_ operation: FileOperation, in tree: FileTree) throws(FileOperation.Failure) {
    var after = tree
    switch operation {
    case .write(let path, let contents, method: _):
      try after.apply(operation)
      keep(contents, behind: nil, as: after[path])
    case .append(let path, let contents):
      try after.apply(operation)
      keep(contents, behind: tree[path], as: after[path])
    // Whoever keeps the tree does it there.
    case .createDirectory, .move, .copy, .remove, .link, .setMark:
      _ = try tree.requirements(of: operation)
    }
  }

  mutating func apply(_ change: FileChange, in tree: FileTree) throws(FileOperation.Failure) {
    var after = tree
    try after.apply(change)
    guard case .write(let path, let contents, at: _, _, _) = change else { return }
    keep(contents, behind: tree[path], as: after[path])
  }

  /// Keeps what was written to a file, behind what it holds that stays.
  private mutating func keep(
    _ contents: FileOperation.Contents, behind former: FileTree.Item?, as file: FileTree.Item?
  ) {
    // What nothing was written to is what it was.
    guard let key = file?.key, key != former?.key, writings[key] == nil else { return }
    writings[key] = (former?.key, contents)
  }

  func makeLinkAbsolute(
    _ link: ContainerPath, _ destination: ContainerPath, afterMoves moveCount: Int
  ) throws(RunError) -> [UInt8] {
    Array("\(Self.containerPath(afterMoves: moveCount))/\(destination)".utf8)
  }

  func bytes(of path: ContainerPath, in tree: FileTree) throws(RunError) -> [UInt8]? {
    var next = tree[path]?.key
    guard next != nil else { return nil }
    var pieces: [FileOperation.Contents] = []
    while let key = next, key.size > 0 {
      guard let writing = writings[key] else {
        pieces.append(.bytes(try base?.bytes(of: path, in: tree) ?? []))
        break
      }
      pieces.append(writing.contents)
      next = writing.former
    }
    return pieces.reversed().reduce(into: []) { $0 += $1.bytes(atMost: Self.mostRead - $0.count) }
  }

  /// The most bytes of a file that are read; files of scenarios name no text as long as that.
  private static let mostRead = 1 << 26

  func saved() throws(RunError) -> any RunDisk { self }

  func goBack() throws(RunError) {}

  func formerContainerPath(of absolute: String, afterMoves moveCount: Int) -> ContainerPath? {
    guard let (number, path) = Self.place(absolute), number < moveCount else { return nil }
    return ContainerPath(ifValid: path)
  }

  /// The number of a container's directory, and a path in it.
  fileprivate static func place(_ absolute: String) -> (number: Int, path: Substring)? {
    guard absolute.hasPrefix(folder) else { return nil }
    let parts = absolute.dropFirst(folder.count).split(separator: "/", maxSplits: 1)
    guard parts.count == 2, parts[0].hasPrefix(start),
      let number = Int(parts[0].dropFirst(start.count))
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
  /// The path in its container that an absolute path means, on disk or in a run without one; nil if it leads
  /// into no container.
  package static func inAnyContainer(_ absolute: String) -> String? {
    FakeContainer.pathInAnyContainer(absolute) ?? ModelDisk.place(absolute).map { String($0.path) }
  }
}

extension FileTree.Item {
  /// What tells a file's contents from others; nil for anything else.
  fileprivate var key: ModelDisk.ContentsKey? {
    information.map { ModelDisk.ContentsKey(size: $0.size, sum: $0.contents) }
  }
}
