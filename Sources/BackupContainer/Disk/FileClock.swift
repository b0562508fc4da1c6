import BackupFileTree
import CBackupFiles
import Foundation

/// The clock by which the file system dates files; it may stand still for some milliseconds.
enum FileClock {
  /// How long a clock is waited for; one that ticks more slowly is not.
  private static let longestWait = Duration.milliseconds(50)
  /// How long to sleep before the clock is read again, in seconds.
  private static let pause = 0.001

  /// Waits until a file that is written from now on is dated later than `moment`.
  ///
  /// The thread sleeps meanwhile. A file system whose clock ticks more slowly than every 50
  /// milliseconds is not waited for.
  ///
  /// - Parameters:
  ///   - moment: In nanoseconds since 1970.
  ///   - folder: A folder of the file system that nobody else looks at.
  static func waitUntilPast(_ moment: Int64, in folder: URL) {
    let deadline = ContinuousClock.now + longestWait
    while let now = reading(in: folder), now <= moment, ContinuousClock.now < deadline {
      Thread.sleep(forTimeInterval: pause)
    }
  }

  /// The time that a file written now bears, in nanoseconds since 1970; nil where none can be.
  static func reading(in folder: URL) -> Int64? {
    let probe = DiskPath(folder).appending(Array("clock".utf8))
    defer { try? probe.unlinkFile() }
    guard (try? probe.write(.bytes([0]), options: O_EXCL)) != nil else { return nil }
    return (try? probe.status())?.modified
  }
}

extension FileClock {
  /// What was found out so far of the file systems of folders.
  private static let known = Locked<[URL: Bool]>([:])

  /// The time by the file system's clock, in nanoseconds since 1970; nil where it cannot be read or
  /// a change of attributes is not dated, so that no date says that nothing changed.
  ///
  /// - Parameter device: A folder that nobody else looks at.
  /// - Returns: The date that a file made now bears.
  static func now(in device: URL) -> Int64? {
    let isDated = known.withLock { known in
      let parent = device.deletingLastPathComponent()
      if let isDated = known[parent] { return isDated }
      let isDated = datesAttributes(in: device)
      known[parent] = isDated
      return isDated
    }
    return isDated ? reading(in: device) : nil
  }

  /// Tries whether a mark that is set changes an item's date of change.
  private static func datesAttributes(in device: URL) -> Bool {
    let probe = DiskPath(device).appending(Array("dated".utf8))
    defer { try? probe.unlinkFile() }
    guard (try? probe.write(.bytes([0]), options: O_EXCL)) != nil,
      let before = try? probe.status()?.changed
    else { return false }
    waitUntilPast(before, in: device)
    guard (try? probe.setMark(.resourceValue, true)) != nil,
      let after = try? probe.status()?.changed
    else { return false }
    return after > before
  }
}
