import BackupFileTree
import CBackupFiles
import Foundation

extension FakeContainer {
  /// Has the processes that are started from now on note what they change in the container.
  ///
  /// - Parameter library: What they do it by.
  package func record(by library: TapLibrary) {
    let log = device.appendingPathComponent("changes.log", isDirectory: false)
    recorder.withLock { $0 = (library, log) }
  }

  /// Whether processes note what they change.
  package var isRecording: Bool { recorder.withLock { $0 != nil } }

  /// The environment variables by which a process notes what it changes, by name; none where it does
  /// not.
  package var recordingVariables: [String: String] {
    guard let recorder = recorder.withLock({ $0 }) else { return [:] }
    return recorder.library.variables(log: recorder.log, roots: places.map(\.url))
  }

  /// The most bytes of notes that are read at a time; of a step that makes more not all is seen.
  private static let mostRecorded: Int64 = 1 << 29

  /// What processes have changed since this was asked last; they must stand still.
  ///
  /// - Returns: The changes in the container, in the order in which they began.
  /// - Throws: ``FakeContainerError`` where what they have noted cannot be read.
  package func takeRecordedChanges() throws(FakeContainerError) -> [RecordedChange] {
    guard let recorder = recorder.withLock({ $0 }) else { return [] }
    let log = DiskPath(recorder.log)
    do {
      guard let size = try log.status()?.size, size > 0 else { return [] }
      defer { try? log.setSize(0) }
      guard size <= Self.mostRecorded else { return [.unseen(nil)] }
      let records = try TapLog(try log.bytesIfThere() ?? []).records
      return records.compactMap { RecordedChange($0, containerPath) }
    } catch {
      throw FakeContainerError(
        path: recorder.log.path, reason: "what the app has changed cannot be read: \(error)")
    }
  }
}
