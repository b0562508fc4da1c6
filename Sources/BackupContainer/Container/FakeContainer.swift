public import BackupDiagnostics
public import BackupFileTree
import CBackupFiles
public import Foundation

/// A real directory that stands for an app's container, with the same layout.
///
/// By default, the directory is in the temporary folder. Its path has a fresh UUID, as on a device.
/// An update or a restore gives the directory a new path. The directory is removed by ``remove()``,
/// or with the last reference to this object.
///
/// ```swift
/// let container = try FakeContainer()
/// try Data("hello".utf8).write(to: container.documents.appending(path: "note.txt"))
/// let tree = try container.scan()
/// ```
public final class FakeContainer: Sendable {
  /// The container of the current task. A task has one in a test with the `.container` trait, and
  /// while it runs the code of an action. Child tasks inherit it; detached tasks do not.
  ///
  /// ```swift
  /// let container = try FakeContainer.current
  /// ```
  ///
  /// - Throws: `RunError` with the code `.noContainer` in a task without a container.
  public static var current: FakeContainer {
    get throws(RunError) {
      if let taskLocal { return taskLocal }
      throw RunError(
        .noContainer,
        "no container is current here: add the trait '.container' to the test or to its suite, as "
          + "in '@Test(.container)'. A detached task has no container: "
          + "pass the test's container to it")
    }
  }
  /// The container of the current task, as in ``current``; nil if the task has none.
  @TaskLocal package static var taskLocal: FakeContainer?
  /// The bundle identifier of the extension whose code this task runs; nil for the app's own code.
  @TaskLocal static var currentExtension: String?

  /// The folder of the fake device. It contains the app's container, the containers of its groups
  /// and extensions, and files of the kit.
  let deviceFolder: DeviceFolder
  let volumeTraits: VolumeTraits
  /// The container's `ContainerSession`. This module cannot import its type.
  package let storedSession = Locked<(any Sendable)?>(nil)
  /// The iOS version of the device, for example `17.0`; nil if it is not set.
  package let systemVersion = Locked<String?>(nil)
  /// The bundle identifier of the app; nil if it is not set.
  package let appIdentifier = Locked<String?>(nil)
  /// The latest snapshot of the container. The next scan reuses the items that have not changed
  /// since.
  let latestSnapshot = Locked<ContainerSnapshot?>(nil)
  /// Returns the copy that was saved or restored last; nil if that copy no longer exists. The next
  /// copy shares the data of this copy.
  let latestSavedCopy = Locked<@Sendable () -> SavedContainer?>({ nil })
  /// The data of all saved copies.
  let dataStore: DataStore
  /// The library that the kit loads into the app's processes; nil for none.
  let tapLibrary = Locked<TapLibrary?>(nil)
  /// True if processes with the library record their changes to the container.
  let isRecordingChanges = Locked(false)
  /// The names of the items that an app may create directly in its container; nil if any name is
  /// allowed.
  package let allowedTopLevelNames = Locked<[String]?>(nil)
  let openContainers: OpenContainers
  /// The calls that asked Foundation for a directory of the app on a thread without a container.
  let lostLookUps = Locked<[String]>([])
  /// A complaint about each item that the app's code created in a removed container.
  let strayComplaints = Locked<[String]>([])
  /// A snapshot of the home of the test's process, taken before the app's code ran in this process.
  let homeWatch = Locked<HomeWatch?>(nil)
  /// Complaints about changes in the home that the app's code may have made.
  let homeComplaints = Locked<[HomeComplaint]>([])
  /// The places of the containers. `isKept` is true if they stay on disk after the test, and
  /// `isRemoved` if they were removed.
  let state: Locked<(places: ContainerPlaces, isKept: Bool, isRemoved: Bool)>

  /// Creates a container.
  ///
  /// - Parameters:
  ///   - layout: The directories that the container has at first.
  ///   - groups: The identifiers of the app's groups, each beginning with `group.`, such as
  ///     `group.com.example.app`. Each has a container of its own, beside this one on disk.
  ///   - extensions: The bundle identifiers of the app's extensions, each beginning with the app's
  ///     identifier and a dot. Each has a container of its own too.
  ///   - folder: The folder in which to create the container; by default `TMPDIR`, or else the
  ///     temporary folder.
  /// - Throws: ``RunError`` with the code `.containerUnavailable` if the container cannot be
  ///   created, or if the volume stores no marks. The code is `.invalidApp` if an identifier is
  ///   invalid.
  public convenience init(
    layout: FileTree.Layout = .newlyInstalled, groups: [String] = [], extensions: [String] = [],
    in folder: URL? = nil
  ) throws(RunError) {
    if let problem = ContainerPath.Component.problem(withGroups: groups, extensions: extensions) {
      throw RunError(.invalidApp, problem)
    }
    try self.init(
      layout: layout.addingContainers(groups: groups, extensions: extensions), in: folder,
      traits: nil,
      among: .shared)
  }

  /// Creates the containers of the app, groups and extensions that the layout has.
  package convenience init(laidOutAs layout: FileTree.Layout) throws(RunError) {
    try self.init(layout: layout, in: nil, traits: nil, among: .shared)
  }

  /// Creates a container that treats names as a volume with these traits does. If `volumeTraits` is
  /// nil, the kit finds out how the volume treats names.
  init(
    layout: FileTree.Layout = .newlyInstalled, in folder: URL? = nil, traits: VolumeTraits?,
    among openContainers: OpenContainers = .shared
  ) throws(RunError) {
    let parent = folder?.resolvingSymlinksInPath() ?? DeviceFolder.usualParent
    let device = try DeviceFolder.makeTemporary(in: parent, Self.advice)
    let places = layout.tree.containerNames.map { name in
      ContainerPlace(name: name, url: Self.freshURL(in: device.url))
    }
    do throws(SystemError) {
      self.volumeTraits =
        if let traits { traits } else {
          try VolumeTraits.ofVolume(of: parent, tryingIn: device)
        }
      try ContainerRoots(places, in: device).layOut(layout)
      // Tries the container's own path, which the app uses. This path may be too long for the
      // system.
      guard try DiskPath(places[0].url).status() != nil else { throw SystemError(ENOENT) }
    } catch {
      DeviceFolder.remove(device)
      UnfinishedWork.shared.end()
      throw RunError(unavailablePath: device.url.path, reason: Self.advice(for: error))
    }
    self.deviceFolder = device
    self.state = Locked((ContainerPlaces(places), false, false))
    self.openContainers = openContainers
    dataStore = DataStore(in: device.path(Self.archivesName))
    openContainers.open()
  }

  deinit {
    let (isKept, isRemoved) = state.withLock { ($0.isKept, $0.isRemoved) }
    guard !isRemoved else { return }
    openContainers.close(removing: isKept ? nil : deviceURL)
    if isKept { disownFolder() } else { DeviceFolder.remove(deviceFolder) }
    UnfinishedWork.shared.end()
  }

  var deviceURL: URL { deviceFolder.url }

  /// The container's directory. An update or a restore changes it.
  public var url: URL { state.withLock { $0.places.current[0].url } }

  /// The directories that the containers of the app, its groups and its extensions had before
  /// updates and restores. The newest is last.
  public var formerURLs: [URL] { state.withLock { $0.places.former.map(\.url) } }

  /// The places of the containers. The app's own is the first.
  var places: [ContainerPlace] { state.withLock { $0.places.current } }

  var roots: ContainerRoots { ContainerRoots(places, in: deviceFolder) }

  /// Keeps the directory on disk after the test.
  public func keep() {
    state.withLock { $0.isKept = true }
    // A later process removes a folder that still has a signature. If removing the signature fails
    // here, `deinit` tries again.
    try? deviceFolder.disown()
  }

  private func disownFolder() {
    do throws(SystemError) {
      try deviceFolder.disown()
    } catch {
      FileHandle.note(
        "warning: a later run may remove the kept container \(deviceURL.path): \(error)\n")
    }
  }

  /// Removes the container from disk; a second call does nothing.
  ///
  /// - Throws: ``RunError`` with the code `.containerUnavailable` if the file system refuses.
  public func remove() throws(RunError) {
    try remove(containing: FileTree())
  }

  /// Removes the container from disk. This is faster if `tree` has the container's items.
  package func remove(containing tree: FileTree) throws(RunError) {
    // Checked first, because after the removal nothing shows whether the app moved the folder.
    let replacementCheck = Result { () throws(SystemError) in try deviceFolder.isReplaced() }
    do throws(SystemError) {
      roots.removeItems(of: tree)
      try deviceFolder.remove()
      let isFirstRemoval = state.withLock { state in
        defer { state.isRemoved = true }
        return !state.isRemoved
      }
      guard isFirstRemoval else { return }
      openContainers.close(removing: deviceURL)
      UnfinishedWork.shared.end()
    } catch {
      throw RunError(unavailablePath: deviceURL.path, reason: "cannot be removed: \(error)")
    }
    if try result(of: replacementCheck) {
      throw replacedError(
        ". The folder was removed from its new place; the item in its old place was left alone")
    }
  }

  /// Throws if the app has moved or replaced the container that the kit created. For example, the
  /// kit calls this before it starts a process in the container.
  package func requireInPlace() throws(RunError) {
    let replacementCheck = Result { () throws(SystemError) in
      if try deviceFolder.isReplaced() { return true }
      return try roots.appContainer.status()?.isDirectory != true
    }
    if try result(of: replacementCheck) { throw replacedError("") }
  }

  private func result<Value>(of check: Result<Value, SystemError>) throws(RunError) -> Value {
    do throws(SystemError) {
      return try check.get()
    } catch {
      throw RunError(unavailablePath: deviceURL.path, reason: "cannot be examined: \(error)")
    }
  }

  private func replacedError(_ consequence: String) -> RunError {
    RunError(
      unavailablePath: deviceURL.path,
      reason:
        "the app moved or replaced its container or the folder above it, which no app can do on a "
        + "device\(consequence). The app must not change its container's root or anything above it")
  }

  /// Performs an operation on disk, as `FileTree.apply(_:)` does in a tree.
  ///
  /// ```swift
  /// let movie = try ContainerPath("Documents/movie.mp4")
  /// try container.apply(.write(movie, .zeros(700_000_000), method: .atomically))
  /// ```
  ///
  /// - Parameter operation: The operation, with paths relative to the container.
  /// - Throws: ``BackupFileTree/FileOperation/Failure`` that names the item at fault. With the
  ///   codes `failed` and `machineFault`, the operation may be half done. With any other code,
  ///   nothing has changed.
  public func apply(_ operation: FileOperation) throws(FileOperation.Failure) {
    try requireNotRemoved(toChange: operation.path)
    try directory.apply(operation)
  }

  /// Performs one change of an operation.
  package func apply(_ change: FileChange) throws(FileOperation.Failure) {
    try requireNotRemoved(toChange: change.path)
    try directory.apply(change)
  }

  private func requireNotRemoved(toChange path: ContainerPath) throws(FileOperation.Failure) {
    do throws(RunError) {
      try requireNotRemoved()
    } catch {
      throw FileOperation.Failure(
        .failed, path, underlying: "the container is gone: \(Self.goneAdvice)")
    }
  }

  package static let goneAdvice =
    "it was removed, or its test has ended. Before a test ends, wait for every task that uses the "
    + "container"

  func requireNotRemoved() throws(RunError) {
    guard state.withLock({ $0.isRemoved }) else { return }
    throw RunError(unavailablePath: url.path, reason: "the container is gone: \(Self.goneAdvice)")
  }

  var directory: ContainerDirectory { ContainerDirectory(roots: roots, volumeTraits: volumeTraits) }

  /// The folder beside the container for copies of its files.
  private static let archivesName = "Archives"
  var archivesURL: URL { deviceURL.appendingPathComponent(Self.archivesName, isDirectory: true) }

  /// Gives the containers new paths, as an update or a restore does. For each container, `move`
  /// makes the directory at the new path.
  func changeURLs(
    _ move: (_ oldPath: DiskPath, _ newPath: DiskPath) throws(SystemError) -> Void
  ) throws(SystemError) {
    try state.withLock { state throws(SystemError) in
      for (index, oldPlace) in state.places.current.enumerated() {
        let newURL = Self.freshURL(in: deviceURL)
        try move(DiskPath(oldPlace.url, in: deviceFolder), DiskPath(newURL, in: deviceFolder))
        state.places.move(at: index, to: newURL)
      }
    }
  }

  /// Returns the former places whose directories have these names. The newest is last.
  func formerPlaces(named names: some Sequence<String>) -> [ContainerPlace] {
    state.withLock { $0.places.former(named: names) }
  }

  private static func freshURL(in device: URL) -> URL {
    device.appendingPathComponent(DeviceFolder.makeUUIDName(), isDirectory: true)
  }
}
