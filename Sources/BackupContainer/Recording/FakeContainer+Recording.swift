package import BackupFileTree
import Foundation

extension FakeContainer {
  /// Has the processes that are started from now on note what they change in the container.
  ///
  /// - Parameter library: What they do it by.
  package func record(by library: TapLibrary) {
    let log = device.appendingPathComponent("changes.log", isDirectory: false)
    recorder.withLock { $0 = ChangeRecorder(library: library, log: log) }
  }

  /// Whether processes note what they change.
  package var isRecording: Bool { recorder.withLock { $0 != nil } }

  /// The environment variables by which a process notes what it changes; none where it does not.
  /// - Returns: The variables by name.
  package var recordingVariables: [String: String] {
    guard let recorder = recorder.withLock({ $0 }) else { return [:] }
    return recorder.library.variables(log: recorder.log, roots: places.map(\.url))
  }

  /// What processes have changed since this was asked last; they must stand still.
  ///
  /// - Returns: The changes in the container, in the order in which they began.
  /// - Throws: ``FakeContainerError`` where what they have noted cannot be read.
  package func takeRecordedChanges() throws(FakeContainerError) -> [RecordedChange] {
    guard let recorder = recorder.withLock({ $0 }) else { return [] }
    let log = DiskPath(recorder.log)
    do {
      let records = try TapLog(try log.bytesIfThere() ?? []).records
      if try log.status() != nil { try log.setSize(0) }
      return records.compactMap { RecordedChange($0, containerPath) }
    } catch {
      throw FakeContainerError(
        path: recorder.log.path, reason: "what the app has changed cannot be read: \(error)")
    }
  }
}
