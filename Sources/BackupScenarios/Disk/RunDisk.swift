import BackupContainer
import BackupDevice
import BackupDiagnostics
import BackupFileTree

/// Where the container of a run is: in a directory, or nowhere but in the tree that the run keeps.
///
/// The run knows by the steps what its container holds. A disk is made to hold that, and is asked for
/// what no tree says.
protocol RunDisk: Sendable {
  /// The directory, which code of the app's own needs; nil if the run has no directory.
  var container: FakeContainer? { get }

  /// The container as it is now; by the steps it holds `tree`.
  func scan(expecting tree: FileTree) throws(RunError) -> FileTree

  /// Does an operation as the app would, on what `tree` says the container holds.
  mutating func apply(
    _ operation: FileOperation, in tree: FileTree
  ) throws(FileOperationError)

  /// Makes a link hold the absolute path of its destination, and returns that.
  func makeLinkAbsolute(
    _ link: ContainerPath, _ destination: ContainerPath, afterMoves moveCount: Int
  ) throws(RunError) -> [UInt8]

  /// What a file holds; nil if it does not exist.
  func bytes(
    of path: ContainerPath, in tree: FileTree
  ) throws(RunError) -> [UInt8]?

  /// Copies of what files hold; nil if the tree is enough to tell.
  func archive(_ paths: [ContainerPath]) throws(RunError) -> ContainerArchive?

  /// How many bytes files take of the machine.
  func occupiedBytes(
    of tree: FileTree, from path: ContainerPath?, where isCounted: (ContainerPath) -> Bool
  ) throws(RunError) -> Int64

  /// Gives the container another path, with all in it.
  func move() throws(RunError)

  /// Leaves the container for a new, empty one at another path.
  func replace() throws(RunError)

  /// Makes the container, which holds `before`, equal to a tree; the archive has what files of a
  /// backup held.
  func materialise(
    _ tree: FileTree, from before: FileTree, contents archive: ContainerArchive?
  ) throws(RunError)

  /// Keeps the container as it is now, for a copy of the run that goes on from here.
  ///
  /// - Returns: The disk of that run, which ``goBack()`` makes the one that is there.
  /// - Throws: ``RunError`` where it cannot be copied.
  func saved() throws(RunError) -> any RunDisk

  /// Makes the container what it was when this disk was saved; one that was never saved is as it is.
  ///
  /// - Throws: ``RunError`` where the disk refuses.
  func goBack() throws(RunError)

  /// A look at the container with what tells the contents of files from others.
  func summed(_ tree: FileTree, known: FileTree) -> FileTree

  /// Tells the code that runs in the container which system the device has now.
  func adopt(_ profile: SystemProfile) throws(RunError)

  /// The item that an absolute path names in a container that the app had before; nil for none.
  func formerContainerPath(of absolute: String, afterMoves moveCount: Int) -> ContainerPath?
}
