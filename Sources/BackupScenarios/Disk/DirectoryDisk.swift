import BackupContainer
import BackupDevice
import BackupDiagnostics
import BackupFileTree

/// The directory of a container, as a run's disk.
struct DirectoryDisk: RunDisk {
  /// The container, which whoever runs the scenario keeps; a session that kept it too would keep it
  /// for ever, because the container keeps its session.
  private unowned let directory: FakeContainer
  private let operate: @Sendable (FileOperation, FakeContainer) throws(FileOperationError) -> Void
  /// The container as it was when this disk was saved; nil for one that was not.
  private var copy: SavedContainer?

  init(
    _ container: FakeContainer,
    _ operate:
      @escaping @Sendable (FileOperation, FakeContainer) throws(FileOperationError) -> Void
  ) {
    self.directory = container
    self.operate = operate
  }

  var container: FakeContainer? { directory }

  func scan(expecting tree: FileTree) throws(RunError) -> FileTree {
    try directory.scan()
  }

  func apply(
    _ operation: FileOperation, in tree: FileTree
  ) throws(FileOperationError) {
    try operate(operation, directory)
  }

  func makeLinkAbsolute(
    _ link: ContainerPath, _ destination: ContainerPath, afterMoves moveCount: Int
  ) throws(RunError) -> [UInt8] {
    try directory.makeLinkAbsolute(link, destination)
  }

  func bytes(
    of path: ContainerPath, in tree: FileTree
  ) throws(RunError) -> [UInt8]? {
    try directory.bytes(of: path)
  }

  func archive(_ paths: [ContainerPath]) throws(RunError) -> ContainerArchive? {
    try ContainerArchive(of: paths, in: directory)
  }

  func occupiedBytes(
    of tree: FileTree, from path: ContainerPath?, where isCounted: (ContainerPath) -> Bool
  ) throws(RunError) -> Int64 {
    try directory.occupiedBytes(of: tree, from: path, where: isCounted)
  }

  func move() throws(RunError) { try directory.moveToNewURL() }

  func replace() throws(RunError) { try directory.replaceWithEmptyContainer() }

  func materialise(
    _ tree: FileTree, from before: FileTree, contents archive: ContainerArchive?
  ) throws(RunError) {
    try directory.materialise(tree, from: before, contents: archive)
  }

  func saved() throws(RunError) -> any RunDisk {
    var disk = self
    disk.copy = try directory.save()
    return disk
  }

  func goBack() throws(RunError) {
    if let copy { try directory.goBack(to: copy) }
  }

  func summed(_ tree: FileTree, known: FileTree) -> FileTree {
    directory.summed(tree, known: known)
  }

  func adopt(_ profile: SystemProfile) throws(RunError) { try directory.adopt(profile) }

  func formerContainerPath(
    of absolute: String, afterMoves moveCount: Int
  ) -> ContainerPath? {
    directory.formerContainerPath(of: absolute)
  }
}

extension FakeContainer {
  /// Tells the code that runs in the container which app it is, and which system the device has.
  func adopt(_ app: Scenario.App, on profile: SystemProfile) throws(RunError) {
    appIdentifier.withLock { $0 = app.bundleIdentifier }
    try adopt(profile)
  }

  /// Tells the code that runs in the container which system the device has now, and what that
  /// refuses.
  func adopt(_ profile: SystemProfile) throws(RunError) {
    namesAtTop.withLock { $0 = profile.namesAtTop }
    try offer(profile.availableMarks.value, of: profile.version.description)
  }
}
