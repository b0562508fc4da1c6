package import BackupDiagnostics
package import BackupFileTree
import CBackupFiles
import Foundation

extension FakeContainer {
  /// Loads FileSystemTap into the app's processes that start from now on. The library makes calls
  /// fail that a device would refuse, and notes lookups in former containers of the app.
  package func tapProcesses(by library: TapLibrary) { tapLibrary.withLock { $0 = library } }

  /// Makes the processes with the library record their changes to the container.
  package func recordChanges() { isRecordingChanges.withLock { $0 = true } }

  package var isRecording: Bool {
    isRecordingChanges.withLock { $0 } && tapLibrary.withLock { $0 != nil }
  }

  private var changeLog: URL { deviceURL.appendingPathComponent("changes.log", isDirectory: false) }

  /// The maximum number of former directories in the environment of a process. The system limits
  /// the size of an environment.
  private static let formerDirectoryLimit = 500

  /// The environment variables with which a process records its changes, by name. Empty if
  /// ``isRecording`` is false.
  package var recordingVariables: [String: String] {
    guard isRecording, let library = tapLibrary.withLock({ $0 }) else { return [:] }
    return library.variables(
      log: changeLog, roots: places.map(\.url), formerRoots: [], growthLimitFile: growthLimitFile)
  }

  /// The environment variables with which a process of the app loads the library, by name. Empty
  /// before ``tapProcesses(by:)`` is called.
  package var tapVariables: [String: String] {
    guard let library = tapLibrary.withLock({ $0 }) else { return [:] }
    let names = allowedTopLevelNames.withLock { $0 }
    return library.variables(
      log: isRecording ? changeLog : nil, roots: places.map(\.url),
      refusedFolders: names == nil ? [] : places.filter { $0.name?.isGroup != true }.map(\.url),
      allowedNames: names ?? [], readOnly: [url.appendingPathComponent(ContainerPath.inbox.string)],
      formerRoots: formerURLs.suffix(Self.formerDirectoryLimit), noteFolder: deviceURL,
      growthLimitFile: growthLimitFile)
  }

  /// The size in bytes of the largest log that the kit reads. If a step writes a larger log, the
  /// kit does not see what the step changed.
  private static let largestLogSize: Int64 = 1 << 29

  /// Returns and clears the changes that processes have recorded. The processes must not run.
  /// `appPath` converts the path of an item to the path that the app uses.
  ///
  /// - Returns: The changes in the container, in the order in which they began. If the log is too
  ///   large, an `unseen` change of each standard location.
  /// - Throws: ``RunError`` with the code `.containerUnavailable` if the log cannot be read.
  package func takeChanges(
    _ appPath: (ContainerPath) -> ContainerPath = { $0 }
  ) throws(RunError) -> [FileChange] {
    guard isRecording else { return [] }
    let log = DiskPath(changeLog, in: deviceFolder)
    do {
      guard let size = try log.status()?.size, size > 0 else { return [] }
      let bytes = size <= Self.largestLogSize ? try log.bytesIfPresent() ?? [] : nil
      try log.setSize(0)
      guard let bytes else {
        return ContainerPath.StandardLocation.allCases.map { .unseen($0.path) }
      }
      return try TapLog(bytes) { containerPath(of: $0).map(appPath) }.changes
    } catch {
      throw RunError(
        unavailablePath: changeLog.path, reason: "the app's changes cannot be read: \(error)")
    }
  }

  /// A file with one byte for each write that may still make a file longer. Each such write removes
  /// a byte. The write that fails removes this file.
  private var growthLimitFile: URL {
    deviceURL.appendingPathComponent("growths-left", isDirectory: false)
  }

  /// Simulates full storage. After `count` writes that make a file longer, the next such write of a
  /// process with the library fails.
  package func simulateFullStorage(after count: Int) throws(RunError) {
    do throws(SystemError) {
      let file = DiskPath(growthLimitFile, in: deviceFolder)
      try file.write(.bytes([]), options: O_TRUNC)
      try file.setSize(Int64(count))
    } catch {
      throw failure(error, cannotBe: "prepared")
    }
  }

  /// Ends the simulation of full storage. Returns true if a write has failed since
  /// ``simulateFullStorage(after:)``.
  package func endFullStorage() throws(RunError) -> Bool {
    do throws(SystemError) {
      let file = DiskPath(growthLimitFile, in: deviceFolder)
      guard try file.status() != nil else { return true }
      try file.unlinkFile()
      return false
    } catch {
      throw failure(error, cannotBe: "looked at")
    }
  }

  /// Replays recorded changes with the same system calls. No link is followed. The container must
  /// be as it was when the recording began.
  package func replay(_ changes: some Sequence<FileChange>) throws(RunError) {
    if let (error, path) = try firstFailure(replaying: changes) {
      throw RunError(
        unavailablePath: path, reason: "the app's changes cannot be replayed: \(error)")
    }
  }

  /// Replays recorded changes until one fails, and returns that failure.
  private func firstFailure(
    replaying changes: some Sequence<FileChange>
  ) throws(RunError) -> (error: SystemError, path: String)? {
    try requireNotRemoved()
    let roots = self.roots
    for change in changes {
      do throws(SystemError) {
        try roots.apply(change)
      } catch {
        return (error, url(of: change.path).path)
      }
    }
    return nil
  }

  /// Replays recorded changes, and then scans the container. Returns nil if a change fails.
  package func replayed(_ changes: [FileChange]) throws(RunError) -> FileTree? {
    if let (error, path) = try firstFailure(replaying: changes) {
      guard error.isMachineFault else { return nil }
      throw RunError(unavailablePath: path, reason: "\(error)")
    }
    return try addingChecksums(to: scan(), known: FileTree())
  }
}
