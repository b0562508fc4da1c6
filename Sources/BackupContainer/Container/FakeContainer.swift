public import BackupDiagnostics
public import BackupFileTree
import CBackupFiles
public import Foundation

/// An app's container: a real directory in the temporary folder, laid out as a newly installed
/// app's.
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
  /// The container that code of this task runs in: while a bound action runs, and in a test with
  /// the `.container` trait. Child tasks have it too, detached ones do not.
  ///
  /// ```swift
  /// let container = try FakeContainer.current
  /// ```
  ///
  /// - Throws: `RunError` with the code `.noContainer` in a task without a container.
  public static var current: FakeContainer {
    get throws(RunError) {
      if let ofTask { return ofTask }
      throw RunError(
        .noContainer,
        "no container is current here: add the trait '.container' to the test or to its suite, as "
          + "in '@Test(.container)'; a detached task has none, so pass it the test's")
    }
  }
  /// The same; nil in a task without a container.
  @TaskLocal package static var ofTask: FakeContainer?
  /// The extension whose code this task runs; nil for the app's own.
  @TaskLocal static var currentExtension: String?

  /// The device's folder, which holds the container and nothing of anybody else's.
  let folder: DeviceFolder
  let traits: VolumeTraits
  /// What another part of the kit keeps for this container.
  package let companion = Locked<(any Sendable)?>(nil)
  package let systemName = Locked<String?>(nil)
  package let appIdentifier = Locked<String?>(nil)
  /// What the latest look at the app's code found, by which the next one is quicker.
  let latestLook = Locked<Look?>(nil)
  /// The copy that was made or put back last, with which a new copy shares data.
  let latestSaved = Locked<@Sendable () -> SavedContainer?>({ nil })
  /// How many bytes all its copies take.
  let savedBytes = Locked<Int64>(0)
  /// The library that processes are started with; nil for none.
  let tap = Locked<TapLibrary?>(nil)
  /// Whether they note by it what they change in the container.
  let isRecordingChanges = Locked(false)
  /// What an app may make right in its container, by name; nil if it may make anything.
  package let namesAtTop = Locked<[String]?>(nil)
  let neighbours: OpenContainers
  /// What the app's code asked for on threads that have no container.
  let lostLookUps = Locked<[String]>([])
  /// A sentence on each thing that the app's code made where a container was.
  let strays = Locked<[String]>([])
  /// What was found of the test process's home before code that now runs in it.
  let homeWatch = Locked<HomeWatch?>(nil)
  /// What the app's code wrote there.
  let homeComplaints = Locked<[HomeComplaint]>([])
  /// Where the container is and was, whether it stays on disk, and whether it was removed.
  let state: Locked<(places: ContainerPlaces, isKept: Bool, isRemoved: Bool)>

  /// Makes a container.
  ///
  /// - Parameters:
  ///   - layout: What is in it at first.
  ///   - groups: The identifiers of the app's groups, each beginning with `group.`, such as
  ///     `group.com.example.app`. Each has a container of its own, beside this one on disk.
  ///   - extensions: The bundle identifiers of the app's extensions, each beginning with the app's
  ///     and a dot. Each has a container of its own too.
  ///   - folder: The folder to make it in; by default the one that `TMPDIR` names, or else the
  ///     temporary folder.
  /// - Throws: ``RunError`` with the code `.containerUnavailable` if it cannot be made or
  ///   the volume stores no marks, `.invalidApp` if an identifier is invalid.
  public convenience init(
    layout: FileTree.Layout = .newlyInstalled, groups: [String] = [], extensions: [String] = [],
    in folder: URL? = nil
  ) throws(RunError) {
    if let problem = ContainerPath.Component.problem(withGroups: groups, extensions: extensions) {
      throw RunError(.invalidApp, problem)
    }
    try self.init(
      layout: layout.beside(groups: groups, extensions: extensions), in: folder, traits: nil,
      beside: .shared)
  }

  package convenience init(allIn layout: FileTree.Layout) throws(RunError) {
    try self.init(layout: layout, in: nil, traits: nil, beside: .shared)
  }

  /// Makes a container as on a volume of these traits; nil for what the volume is found to be.
  init(
    layout: FileTree.Layout = .newlyInstalled, in folder: URL? = nil, traits: VolumeTraits?,
    beside neighbours: OpenContainers = .shared
  ) throws(RunError) {
    let parent = folder?.resolvingSymlinksInPath() ?? DeviceFolder.usualParent
    let device = try DeviceFolder.begin(in: parent, Self.advice)
    let places = layout.tree.containerNames.map { name in
      ContainerPlace(name: name, url: Self.freshURL(in: device.url))
    }
    do throws(SystemError) {
      self.traits =
        if let traits { traits } else {
          try VolumeTraits.ofVolume(of: parent, tryingIn: device)
        }
      try ContainerRoots(places, in: device).layOut(layout)
      // The app finds it by its path, which may be too long for the system.
      guard try DiskPath(places[0].url).status() != nil else { throw SystemError(ENOENT) }
    } catch {
      DeviceFolder.remove(device)
      UnfinishedWork.shared.end()
      throw RunError(path: device.url.path, reason: Self.advice(for: error))
    }
    self.folder = device
    self.state = Locked((ContainerPlaces(places), false, false))
    self.neighbours = neighbours
    neighbours.open()
  }

  deinit {
    let (isKept, isRemoved) = state.withLock { ($0.isKept, $0.isRemoved) }
    guard !isRemoved else { return }
    neighbours.close(removing: isKept ? nil : device)
    if isKept { giveUp() } else { DeviceFolder.remove(folder) }
    UnfinishedWork.shared.end()
  }

  var device: URL { folder.url }

  /// The container's directory; changes with an update or a restore.
  public var url: URL { state.withLock { $0.places.current[0].url } }

  /// The directories the container, and those beside it, had before updates and restores, the
  /// newest last.
  public var formerURLs: [URL] { state.withLock { $0.places.former.map(\.url) } }

  /// Where the containers are, the app's own first.
  var places: [ContainerPlace] { state.withLock { $0.places.current } }

  var roots: ContainerRoots { ContainerRoots(places, in: folder) }

  /// Keeps the directory on disk after the test.
  public func keep() {
    state.withLock { $0.isKept = true }
    // Tried again in the end, for the signature would have a later process remove the folder.
    try? folder.giveUp()
  }

  private func giveUp() {
    do throws(SystemError) {
      try folder.giveUp()
    } catch {
      FileHandle.note(
        "warning: a later run may remove the kept container \(device.path): \(error)\n")
    }
  }

  /// Removes the container from disk; a second call does nothing.
  ///
  /// - Throws: ``RunError`` with the code `.containerUnavailable` if the file system refuses.
  public func remove() throws(RunError) {
    try remove(holding: FileTree())
  }

  /// Removes the container from disk; quicker where what it holds is known.
  package func remove(holding tree: FileTree) throws(RunError) {
    // Looked at before, for what the app has put in its place stays there.
    let isReplaced = Result { () throws(SystemError) in try folder.isReplaced() }
    do throws(SystemError) {
      roots.removeKnownItems(tree)
      try folder.remove()
      let wasThere = state.withLock { state in
        defer { state.isRemoved = true }
        return !state.isRemoved
      }
      guard wasThere else { return }
      neighbours.close(removing: device)
      UnfinishedWork.shared.end()
    } catch {
      throw RunError(path: device.path, reason: "cannot be removed: \(error)")
    }
    if try examined(isReplaced) {
      throw replacedError(
        ". The folder was removed from its new place; the item in its old place was left alone")
    }
  }

  /// Requires that the app's path leads to the container that the kit made, as before a process is
  /// started there.
  package func requireInPlace() throws(RunError) {
    let isReplaced = Result { () throws(SystemError) in
      if try folder.isReplaced() { return true }
      return try roots.own.status()?.isDirectory != true
    }
    if try examined(isReplaced) { throw replacedError("") }
  }

  private func examined<Value>(_ result: Result<Value, SystemError>) throws(RunError) -> Value {
    do throws(SystemError) {
      return try result.get()
    } catch {
      throw RunError(path: device.path, reason: "cannot be examined: \(error)")
    }
  }

  private func replacedError(_ consequence: String) -> RunError {
    RunError(
      path: device.path,
      reason:
        "the app moved or replaced its container or the folder above it, which no app can do on a "
        + "device\(consequence). The app must not change its container's root or anything above it")
  }

  /// Does one operation on disk, with the meaning `FileTree.apply(_:)` gives it.
  ///
  /// ```swift
  /// let movie = try ContainerPath("Documents/movie.mp4")
  /// try container.apply(.write(movie, .zeros(700_000_000), method: .atomically))
  /// ```
  ///
  /// - Parameter operation: What the app does, its paths relative to the container.
  /// - Throws: ``BackupFileTree/FileOperation/Failure`` that names the item at fault. Nothing is changed then, but
  ///   for the codes `failed` and `machineFault`: these may come when the operation is done by half.
  public func apply(_ operation: FileOperation) throws(FileOperation.Failure) {
    try requireThere(toChange: operation.path)
    try directory.apply(operation)
  }

  /// Does a change of such an operation, with the same errors.
  package func apply(_ change: FileChange) throws(FileOperation.Failure) {
    try requireThere(toChange: change.path)
    try directory.apply(change)
  }

  private func requireThere(toChange path: ContainerPath) throws(FileOperation.Failure) {
    do throws(RunError) {
      try requireThere()
    } catch {
      throw FileOperation.Failure(
        .failed, path, underlying: "the container is gone: \(Self.goneAdvice)")
    }
  }

  package static let goneAdvice =
    "it was removed, or its test has ended. Before a test ends, wait for every task that uses the "
    + "container"

  func requireThere() throws(RunError) {
    guard state.withLock({ $0.isRemoved }) else { return }
    throw RunError(path: url.path, reason: "the container is gone: \(Self.goneAdvice)")
  }

  var directory: ContainerDirectory { ContainerDirectory(roots: roots, traits: traits) }

  /// The folder for copies of the container's files, beside it.
  var archives: URL { device.appendingPathComponent("Archives", isDirectory: true) }

  /// Gives the containers new paths, as the system does, once `move` has made each from its old
  /// one.
  func changeURL(
    _ move: (_ old: DiskPath, _ new: DiskPath) throws(SystemError) -> Void
  ) throws(SystemError) {
    try state.withLock { state throws(SystemError) in
      for (index, old) in state.places.current.enumerated() {
        let new = Self.freshURL(in: device)
        try move(DiskPath(old.url, in: folder), DiskPath(new, in: folder))
        state.places.move(at: index, to: new)
      }
    }
  }

  /// The directories of these names that the containers had before, the newest last.
  func formerPlaces(named names: some Sequence<String>) -> [ContainerPlace] {
    state.withLock { $0.places.former(named: names) }
  }

  private static func freshURL(in device: URL) -> URL {
    device.appendingPathComponent(DeviceFolder.makeIdentifier(), isDirectory: true)
  }
}
