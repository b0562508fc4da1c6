package import BackupDiagnostics
package import BackupFileTree
import CBackupFiles
import Foundation

extension FakeContainer {
  /// Loads the library into the processes of the app that start from now on. It makes calls fail that a device
  /// refuses, and notes lookups in former containers of the app.
  package func tapProcesses(by library: TapLibrary) { tap.withLock { $0 = library } }

  /// Makes the tapped processes record their changes to the container.
  package func recordChanges() { isRecordingChanges.withLock { $0 = true } }

  package var isRecording: Bool {
    isRecordingChanges.withLock { $0 } && tap.withLock { $0 != nil }
  }

  private var changeLog: URL { device.appendingPathComponent("changes.log", isDirectory: false) }

  /// The most former directories that a process is told of, because the size of its variables is
  /// limited.
  private static let mostFormerDirectories = 500

  /// The environment variables that make a process record its changes, by name; none if it does not
  /// record them.
  package var recordingVariables: [String: String] {
    guard isRecording, let library = tap.withLock({ $0 }) else { return [:] }
    return library.variables(
      log: changeLog, roots: places.map(\.url), former: [], growthsLeft: growthsLeft)
  }

  /// The environment variables of a tapped process of the app, by name; none if it is not tapped.
  package var tapVariables: [String: String] {
    guard let library = tap.withLock({ $0 }) else { return [:] }
    let names = namesAtTop.withLock { $0 }
    return library.variables(
      log: isRecording ? changeLog : nil, roots: places.map(\.url),
      refusing: names == nil ? [] : places.filter { $0.name?.isGroup != true }.map(\.url),
      allowedNames: names ?? [], readOnly: [url.appendingPathComponent(ContainerPath.inbox.string)],
      former: formerURLs.suffix(Self.mostFormerDirectories), notes: device,
      growthsLeft: growthsLeft)
  }

  /// The most bytes of the log that are read at a time. If a step writes more, the kit does not see
  /// all its changes.
  private static let mostRecorded: Int64 = 1 << 29

  /// Takes the changes that processes have recorded since the last call. The processes must not
  /// run. `name` maps an item to the path that the app uses.
  ///
  /// - Returns: The changes in the container, in the order in which they began.
  /// - Throws: ``RunError`` with the code `.containerUnavailable` if the log cannot be read.
  package func takeChanges(
    _ name: (ContainerPath) -> ContainerPath = { $0 }
  ) throws(RunError) -> [FileChange] {
    guard isRecording else { return [] }
    let log = DiskPath(changeLog, in: folder)
    do {
      guard let size = try log.status()?.size, size > 0 else { return [] }
      let bytes = size <= Self.mostRecorded ? try log.bytesIfPresent() ?? [] : nil
      try log.setSize(0)
      guard let bytes else {
        return ContainerPath.StandardLocation.allCases.map { .unseen($0.path) }
      }
      return try TapLog(bytes) { containerPath(of: $0).map(name) }.changes
    } catch {
      throw RunError(
        path: changeLog.path, reason: "the app's changes cannot be read: \(error)")
    }
  }

  /// The file whose size in bytes is the number of writes that may still make a file longer before
  /// one fails.
  private var growthsLeft: URL {
    device.appendingPathComponent("growths-left", isDirectory: false)
  }

  /// Makes a write of a tapped process fail because the storage is full, after `count` others that
  /// make a file longer.
  package func failGrowth(after count: Int) throws(RunError) {
    do throws(SystemError) {
      let file = DiskPath(growthsLeft, in: folder)
      try file.write(.bytes([]), options: O_TRUNC)
      try file.setSize(Int64(count))
    } catch {
      throw failure(error, cannotBe: "prepared")
    }
  }

  /// Returns true if that write has failed. From now on, none fails.
  package func hasFailedGrowth() throws(RunError) -> Bool {
    do throws(SystemError) {
      let file = DiskPath(growthsLeft, in: folder)
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
        path: path, reason: "the app's changes cannot be replayed: \(error)")
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

  /// Replays recorded changes, and scans the container afterwards. Returns nil if a change fails.
  package func replayed(_ changes: [FileChange]) throws(RunError) -> FileTree? {
    if let (error, path) = try firstFailure(replaying: changes) {
      guard error.isMachineFault else { return nil }
      throw RunError(path: path, reason: "\(error)")
    }
    return try summed(scan(), known: FileTree())
  }
}
