public import BackupFileTree
public import Foundation

/// An app's container: a real directory in the temporary folder, laid out as a newly installed app's.
///
/// The path has a fresh UUID, as on a device, and a new one after an update or a restore. The
/// directory is removed by ``remove()``, or when the last reference goes.
///
/// ```swift
/// let container = try FakeContainer()
/// try Data("hello".utf8).write(to: container.documents.appending(path: "note.txt"))
/// let tree = try container.scan()
/// ```
public final class FakeContainer: Sendable {
  /// The device: the folder that holds the container and nothing of anybody else's.
  let device: URL
  /// What the volume makes of names.
  let traits: VolumeTraits
  /// What another part of the kit keeps for this container.
  package let companion = Locked<(any Sendable)?>(nil)
  /// Where the container is, and what becomes of it.
  private let state: Locked<State>

  /// What changes in a container's life.
  private struct State {
    /// The container's current directory.
    var url: URL
    /// The paths it had before, newest last.
    var formerURLs: [URL] = []
    /// Whether it stays on disk.
    var isKept = false
    /// Whether it was removed.
    var isRemoved = false
  }

  /// Makes a container.
  ///
  /// - Parameters:
  ///   - layout: What stands in it at first.
  ///   - folder: The folder to make it in; by default the one that `TMPDIR` names, or else the
  ///     temporary folder.
  /// - Throws: ``FakeContainerError`` where it cannot be made or the volume stores no marks.
  public convenience init(
    layout: FileTree.Layout = .newlyInstalled, in folder: URL? = nil
  ) throws(FakeContainerError) {
    try self.init(layout: layout, in: folder, traits: nil)
  }

  /// Makes a container as on a volume of these traits; nil for what the volume is found to be.
  init(
    layout: FileTree.Layout = .newlyInstalled, in folder: URL? = nil, traits: VolumeTraits?
  ) throws(FakeContainerError) {
    let folder = (folder ?? DeviceFolder.usualParent()).resolvingSymlinksInPath()
    do throws(SystemError) {
      device = try DeviceFolder.make(in: folder)
    } catch {
      throw FakeContainerError(path: folder.path, reason: Self.advice(for: error))
    }
    self.traits = traits ?? VolumeTraits.ofVolume(of: folder, tryingIn: device)
    state = Locked(State(url: Self.freshURL(in: device)))
    do throws(SystemError) {
      try lay(out: layout)
      try Self.requireAttributes(at: DiskPath(url))
    } catch {
      try? DiskPath(device).removeItem()
      throw FakeContainerError(path: device.path, reason: Self.advice(for: error))
    }
  }

  deinit {
    let isDone = state.withLock { $0.isKept || $0.isRemoved }
    if !isDone { try? DiskPath(device).removeItem() }
  }

  /// The container's directory; changes with an update or a restore.
  public var url: URL { state.withLock { $0.url } }

  /// The directories the container had before updates and restores, the newest last.
  public var formerURLs: [URL] { state.withLock { $0.formerURLs } }

  /// Keeps the directory on disk after the test.
  public func keep() {
    state.withLock { $0.isKept = true }
  }

  /// Removes the container from disk; a second call does nothing.
  ///
  /// - Throws: ``FakeContainerError`` where the file system refuses.
  public func remove() throws(FakeContainerError) {
    do throws(SystemError) {
      try DiskPath(device).removeItem()
      state.withLock { $0.isRemoved = true }
    } catch {
      throw FakeContainerError(path: device.path, reason: "cannot be removed: \(error)")
    }
  }

  /// Does one operation on disk, with the meaning ``FileTree/perform(_:)`` gives it.
  ///
  /// - Parameter operation: What the app does, its paths relative to the container.
  /// - Throws: ``FileOperationError`` that names the item at fault; nothing is changed then.
  public func perform(_ operation: FileOperation) throws(FileOperationError) {
    try directory.perform(operation)
  }

  /// The container on disk as it is now.
  var directory: ContainerDirectory { ContainerDirectory(root: DiskPath(url), traits: traits) }

  /// The folder for copies of the container's files, beside it.
  var archives: URL { device.appendingPathComponent("Archives", isDirectory: true) }

  /// Gives the container a new path, as the system does, once `move` has made it from the old one.
  func changeURL(
    _ move: (_ old: DiskPath, _ new: DiskPath) throws(SystemError) -> Void
  ) throws(SystemError) {
    try state.withLock { state throws(SystemError) in
      let new = Self.freshURL(in: device)
      try move(DiskPath(state.url), DiskPath(new))
      state.formerURLs.append(state.url)
      state.url = new
    }
  }

  /// A path no container had before.
  private static func freshURL(in device: URL) -> URL {
    device.appendingPathComponent(UUID().uuidString, isDirectory: true)
  }

  /// Makes the container's directory with what the layout says.
  private func lay(out layout: FileTree.Layout) throws(SystemError) {
    let root = DiskPath(url)
    try root.makeDirectory()
    for path in layout.tree.paths {
      try DiskPath(path, in: root).makeDirectory()
    }
  }

  /// Requires that the volume stores a mark.
  private static func requireAttributes(at root: DiskPath) throws(SystemError) {
    try root.setMark(.resourceValue, true)
    try root.setMark(.resourceValue, false)
  }

  /// What to do about a container that could not be made.
  static func advice(for error: SystemError) -> String {
    error.number == ENOTSUP
      ? "this volume has no extended attributes, which hold the marks: set TMPDIR to a folder on "
        + "one that has (APFS, ext4, tmpfs)"
      : "no container can be made here: \(error)"
  }
}
