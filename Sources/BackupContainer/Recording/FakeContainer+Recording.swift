import BackupFileTree
import CBackupFiles
import Foundation

extension FakeContainer {
  /// Has the app's processes that are started from now on fail where a device refuses an item, and
  /// note what they look for in a container that the app had before.
  package func tapProcesses(by library: TapLibrary) { tap.withLock { $0 = library } }

  /// Has the processes that are tapped note what they change in the container.
  package func recordChanges() { isRecordingChanges.withLock { $0 = true } }

  package var isRecording: Bool {
    isRecordingChanges.withLock { $0 } && tap.withLock { $0 != nil }
  }

  private var changeLog: URL { device.appendingPathComponent("changes.log", isDirectory: false) }

  /// The most former directories that a process knows: what its variables may hold is limited.
  private static let mostFormerDirectories = 500

  /// The environment variables by which a process notes what it changes, by name; none if it does
  /// not.
  package var recordingVariables: [String: String] {
    guard isRecording, let library = tap.withLock({ $0 }) else { return [:] }
    return library.variables(log: changeLog, roots: places.map(\.url))
  }

  /// The environment variables of a process of the app's that is tapped, by name; none if it is
  /// not.
  package var tapVariables: [String: String] {
    guard let library = tap.withLock({ $0 }) else { return [:] }
    let names = namesAtTop.withLock { $0 }
    return library.variables(
      log: isRecording ? changeLog : nil, roots: places.map(\.url),
      refusing: names == nil ? [] : places.filter { $0.name?.isGroup != true }.map(\.url),
      allowedNames: names ?? [], readOnly: [url.appendingPathComponent(ContainerPath.inbox.string)],
      former: formerURLs.suffix(Self.mostFormerDirectories), notes: device)
  }

  /// The most bytes of notes that are read at a time; of a step that makes more not all is seen.
  private static let mostRecorded: Int64 = 1 << 29

  /// What processes have changed since this was asked last; they must stand still.
  ///
  /// - Returns: The changes in the container, in the order in which they began.
  /// - Throws: ``FakeContainerError`` where what they have noted cannot be read.
  package func takeRecordedChanges() throws(FakeContainerError) -> [RecordedChange] {
    guard isRecording else { return [] }
    let log = DiskPath(changeLog, in: folder)
    do {
      guard let size = try log.status()?.size, size > 0 else { return [] }
      defer { try? log.setSize(0) }
      guard size <= Self.mostRecorded else { return [.unseen(nil)] }
      let records = try TapLog(try log.bytesIfThere() ?? []).records
      return records.compactMap { RecordedChange($0, containerPath) }
    } catch {
      throw FakeContainerError(
        path: changeLog.path, reason: "the app's changes cannot be read: \(error)")
    }
  }
}
