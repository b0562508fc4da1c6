import BackupFileTree
import CBackupFiles
import Foundation

/// The clock by which the file system dates files; it may stand still for some milliseconds.
enum FileClock {
  /// How long a clock is waited for; one that ticks more slowly is not.
  private static let longestWait = Duration.milliseconds(50)
  /// The name of the file that is written to read the clock.
  static let fileName = "clock"
  /// How often that file is made anew, which another thread may do too.
  private static let mostAttempts = 10
  /// How long to sleep before the clock is read again, in seconds.
  private static let pause = 0.001

  /// Waits until a file that is written from now on is dated later than `moment`, in nanoseconds
  /// since 1970. The thread sleeps meanwhile. A file system whose clock ticks more slowly than
  /// every 50 milliseconds is not waited for.
  static func waitUntilPast(_ moment: Int64, in folder: DeviceFolder) throws(SystemError) {
    let deadline = ContinuousClock.now + longestWait
    while try reading(in: folder) <= moment, ContinuousClock.now < deadline {
      Thread.sleep(forTimeInterval: pause)
    }
  }

  /// The time that a file written now bears, in nanoseconds since 1970.
  ///
  /// The same file each time: to make one and remove it again takes a file system longer.
  static func reading(in folder: DeviceFolder) throws(SystemError) -> Int64 {
    let file = folder.path(fileName)
    for _ in 0..<mostAttempts {
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

  /// Makes a file that nobody else has for as long as some calls need it.
  private static func withProbe<Result>(
    in folder: DeviceFolder, _ calls: (DiskPath) throws(SystemError) -> Result
  ) throws(SystemError) -> Result {
    let name = "clock-\(String(DiskPath.makeStamp(), radix: 36))"
    let probe = folder.path(name)
    try probe.write(.bytes([0]), options: O_EXCL)
    defer { try? probe.unlinkFile() }
    return try calls(probe)
  }
}

extension FileClock {
  private static let known = Locked<[URL: Bool]>([:])

  /// The time by the file system's clock, in nanoseconds since 1970; nil where a change of
  /// attributes is not dated, so that no date says that nothing changed.
  static func now(in device: DeviceFolder) throws(SystemError) -> Int64? {
    let isDated = try known.withLock { known throws(SystemError) in
      let parent = device.url.deletingLastPathComponent()
      if let isDated = known[parent] { return isDated }
      let isDated = try datesAttributes(in: device)
      known[parent] = isDated
      return isDated
    }
    return isDated ? try reading(in: device) : nil
  }

  /// Tries whether a mark that is set changes an item's date of change.
  private static func datesAttributes(in device: DeviceFolder) throws(SystemError) -> Bool {
    try withProbe(in: device) { probe throws(SystemError) in
      guard let before = try probe.status()?.changed else { return false }
      try waitUntilPast(before, in: device)
      try probe.setMark(.resourceValue, true)
      guard let after = try probe.status()?.changed else { return false }
      return after > before
    }
  }
}
