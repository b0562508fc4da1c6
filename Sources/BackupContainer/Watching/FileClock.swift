import BackupFileTree
import CBackupFiles
import Dispatch
import Foundation

/// The clock by which the file system dates files; it may stand still for some milliseconds.
enum FileClock {
  /// Waits until a file that is written from now on is dated later than `moment`.
  ///
  /// A file system whose clock ticks more slowly than every 50 milliseconds is not waited for.
  ///
  /// - Parameters:
  ///   - moment: In nanoseconds since 1970.
  ///   - folder: A folder of the file system that nobody else looks at.
  static func waitUntilPast(_ moment: Int64, in folder: URL) {
    let probe = DiskPath(folder).appending(Array("clock".utf8))
    let start = DispatchTime.now().uptimeNanoseconds
    while DispatchTime.now().uptimeNanoseconds - start < 50_000_000 {
      unlink(probe.characters)
      guard (try? probe.write(.bytes([0]), options: O_EXCL)) != nil,
        let status = try? probe.status()
      else { return }
      if status.modified > moment { break }
    }
    unlink(probe.characters)
  }
}
