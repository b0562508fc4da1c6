import BackupFileTree
import CBackupFiles
import Foundation

// The clock by which the file system dates files; it may stand still for some milliseconds.
extension DeviceFolder {
  /// How long a clock is waited for; one that ticks more slowly is not.
  private static let longestClockWait = Duration.milliseconds(50)
  /// The name of the file that is written to read the clock.
  static let clockName = "clock"
  /// How often that file is made again if another thread makes it too.
  private static let mostClockAttempts = 10
  /// How long to sleep before the clock is read again, in seconds.
  private static let clockPause = 0.001

  /// Waits until a file that is written from now on is dated later than `moment`, in nanoseconds
  /// since 1970. The thread sleeps meanwhile. A file system whose clock ticks more slowly than
  /// every 50 milliseconds is not waited for.
  func waitUntilPast(_ moment: Int64) throws(SystemError) {
    let deadline = ContinuousClock.now + Self.longestClockWait
    while try readClock() <= moment, ContinuousClock.now < deadline {
      Thread.sleep(forTimeInterval: Self.clockPause)
    }
  }

  /// The time that a file written now bears, in nanoseconds since 1970.
  ///
  /// The same file each time: to make one and remove it again takes a file system longer.
  func readClock() throws(SystemError) -> Int64 {
    let file = path(Self.clockName)
    for _ in 0..<Self.mostClockAttempts {
      if let moment = try? file.dateByWriting() { return moment }
      // It is not there yet, or the app's code has put something else in its place.
      try file.removeItem()
      do throws(SystemError) {
        try file.write(.bytes([0]), options: O_EXCL)
      } catch {
        guard error.number == EEXIST else { throw error }
      }
    }
    return try file.dateByWriting()
  }

  /// Makes a file of its own and keeps it while `calls` runs.
  private func withProbe<Result>(
    _ calls: (DiskPath) throws(SystemError) -> Result
  ) throws(SystemError) -> Result {
    let probe = path("clock-\(String(DiskPath.makeStamp(), radix: 36))")
    try probe.write(.bytes([0]), options: O_EXCL)
    defer { try? probe.unlinkFile() }
    return try calls(probe)
  }

  /// Whether the file systems of folders date a change of attributes.
  private static let datesAttributes = Locked<[URL: Bool]>([:])

  /// The time by the file system's clock, in nanoseconds since 1970; nil if a change of
  /// attributes is not dated, so that no date says that nothing changed.
  func now() throws(SystemError) -> Int64? {
    let isDated = try Self.datesAttributes.withLock { known throws(SystemError) in
      let parent = url.deletingLastPathComponent()
      if let isDated = known[parent] { return isDated }
      let isDated = try tryDatingAttributes()
      known[parent] = isDated
      return isDated
    }
    return isDated ? try readClock() : nil
  }

  /// Tries whether a mark that is set changes an item's date of change.
  private func tryDatingAttributes() throws(SystemError) -> Bool {
    try withProbe { probe throws(SystemError) in
      guard let before = try probe.status()?.changed else { return false }
      try waitUntilPast(before)
      try probe.setMark(.resourceValue, true)
      guard let after = try probe.status()?.changed else { return false }
      return after > before
    }
  }
}
