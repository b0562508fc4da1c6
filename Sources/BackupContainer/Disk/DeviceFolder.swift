import BackupDiagnostics
import BackupFileTree
import CBackupFiles
import CBackupProcess
package import Foundation

/// The folder of a fake device, which contains its container and nothing that belongs to others.
///
/// The folder stays open from its creation, and all calls in it start from its descriptor. So the
/// kit changes only what it created, even if the app moves the folder or puts something in its
/// place.
///
/// Apple platforms take paths of 1023 bytes, and a container may need most of them. So the name is
/// short: in a Mac's temporary folder the container's own path has 99 bytes.
package final class DeviceFolder: Hashable, Sendable {
  package let url: URL
  /// The folder itself, open for reading.
  let descriptor: Int32
  /// The folder's number with the guardian; 0 if the guardian does not know it.
  let guardianNumber: UInt32

  /// Opens an existing folder. A link to a folder is an error.
  init(at url: URL, guardianNumber: UInt32 = 0) throws(SystemError) {
    self.url = url
    self.guardianNumber = guardianNumber
    descriptor = try DiskPath(url).openDirectory()
  }

  deinit { close(descriptor) }

  func path(_ name: String) -> DiskPath {
    DiskPath(url.appendingPathComponent(name), in: self)
  }

  /// The folder as an item, for its attributes and its names.
  var itself: DiskPath { DiskPath(url, in: self).appending([UInt8(ascii: ".")]) }

  static let prefix = "sbt-"
  /// The characters of a name after the prefix. No two of them differ only by case.
  private static let letters = Array("abcdefghijklmnopqrstuvwxyz234567")
  private static let letterCount = 8
  /// The number of names to try if folders with these names already exist.
  private static let attempts = 20

  static func makeName() -> String {
    var number = UInt64.random(in: .min ... .max)
    var name = prefix
    for _ in 0..<letterCount {
      name.append(letters[Int(number & 31)])
      number >>= 5
    }
    return name
  }

  /// Returns a name that no other directory in the folder has had.
  ///
  /// Foundation's `UUID()` returns the same value each time if no descriptor is free; the kernel's
  /// random numbers need none.
  static func makeIdentifier() -> String {
    var generator = SystemRandomNumberGenerator()
    let halves: [UInt64] = [generator.next(), generator.next()]
    return halves.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)).uuidString }
  }

  static func isName(_ name: some StringProtocol) -> Bool {
    let rest = name.dropFirst(prefix.count)
    return name.hasPrefix(prefix) && rest.count == letterCount && rest.allSatisfy(letters.contains)
  }

  /// Creates a folder that only its user can access. If its name is taken, tries other names.
  static func make(
    in parent: URL, named makeName: () -> String = makeName
  ) throws(SystemError) -> DeviceFolder {
    guard !cpr_lacks_memory() else { throw SystemError(ENOMEM) }
    for _ in 0..<attempts {
      let folder = parent.appendingPathComponent(makeName(), isDirectory: true)
      do throws(SystemError) {
        return try makeSigned(folder)
      } catch {
        guard error.number == EEXIST else { throw error }
      }
    }
    throw SystemError(EEXIST)
  }

  /// Creates a folder that must be removed before the process ends. If that fails, `reason` makes
  /// the message.
  static func makeTemporary(
    in parent: URL, _ reason: (SystemError) -> String
  ) throws(RunError) -> DeviceFolder {
    sweepOnce(parent)
    UnfinishedWork.shared.begin()
    do throws(SystemError) {
      return try make(in: parent)
    } catch {
      UnfinishedWork.shared.end()
      if let path = getenv("TMPDIR"),
        String(validUTF8: (0..<strlen(path)).map { UInt8(truncatingIfNeeded: path[$0]) }) == nil
      {
        throw RunError(
          .containerUnavailable,
          "TMPDIR: the path is not UTF-8, and the kit makes no containers in such a folder; set TMPDIR "
            + "to another folder")
      }
      throw RunError(path: parent.path, reason: reason(error))
    }
  }

  /// Creates a folder and signs it as this process's. After an error, no folder is left.
  private static func makeSigned(_ url: URL) throws(SystemError) -> DeviceFolder {
    let owner = try ProcessIdentity.findOwn()
    // A folder within a device's folder is removed with that.
    let isInDevice = isName(url.deletingLastPathComponent().lastPathComponent)
    let guardianNumber = isInDevice ? 0 : cpr_guard(url.path)
    do throws(SystemError) {
      try DiskPath(url).makeDirectory(permissions: 0o700)
    } catch {
      cpr_forget_folder(guardianNumber)
      throw error
    }
    do throws(SystemError) {
      let folder = try DeviceFolder(at: url, guardianNumber: guardianNumber)
      cpr_guard_folder(guardianNumber, folder.descriptor)
      if let owner { try folder.sign(as: owner) }
      return folder
    } catch {
      // A later run removes it, as one that was never signed.
      try? DiskPath(url).removeEmptyDirectory()
      cpr_forget_folder(guardianNumber)
      throw error
    }
  }

  /// Returns the device's folder above an absolute path; nil for a path that is in no container.
  package static func above(_ path: String) -> Substring? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let pairs = Array(zip(parts, parts.dropFirst()))
    let pair = pairs.last { isName($0) && UUID(uuidString: String($1)) != nil }
    return pair.map { path[..<$0.0.endIndex] }
  }

  /// The folder in which devices are created by default, determined once.
  static let usualParent = usualParent(in: ProcessInfo.processInfo.environment)

  /// Returns the folder in which an environment has devices created: `TMPDIR`, which Foundation
  /// ignores on a Mac, or else the temporary folder. Symbolic links are resolved.
  static func usualParent(in environment: [String: String]) -> URL {
    guard let path = environment["TMPDIR"], path.hasPrefix("/") else {
      return FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
    }
    return URL(fileURLWithPath: path, isDirectory: true).resolvingSymlinksInPath()
  }

  /// The folders that could not be removed so far, for example because no descriptor was free.
  private static let unremoved = Locked<[DeviceFolder]>([])

  /// Removes a device's folder that is no longer needed, and those that could not be removed
  /// before. A folder that cannot be removed is tried once more at once, because this may be the
  /// process's last device, and again with the next device.
  static func remove(_ device: DeviceFolder) {
    let devices = unremoved.withLock { unremoved in
      defer { unremoved = [] }
      return unremoved + [device]
    }
    let remaining = devices.filter { folder in
      do throws(SystemError) {
        if (try? folder.remove()) == nil { try folder.remove() }
        return false
      } catch {
        if folder == device { folder.warnIfUnremovable(error) }
        return true
      }
    }
    unremoved.withLock { $0 += remaining }
  }

  /// The number of times that the folder is emptied if the app's code still creates items in it.
  private static let mostAttempts = 4

  /// Removes the folder with its contents, wherever it is now. A folder that is gone is no error.
  /// An item in the folder's old place stays, except a link, which is removed without being
  /// followed.
  func remove() throws(SystemError) {
    fchmod(descriptor, 0o700)
    for _ in 0..<Self.mostAttempts {
      let error = SystemError(cfs_remove_items(descriptor))
      guard error.number == 0 else { throw error }
      if try removeEmpty() {
        let place = DiskPath(url)
        // The link is not the kit's, so it may stay.
        if let found = try? place.status(), UInt32(found.kind) == CFS_LINK.rawValue {
          try? place.unlinkFile()
        }
        return cpr_forget_folder(guardianNumber)
      }
    }
    throw SystemError(ENOTEMPTY)
  }

  /// Returns true if the app moved the folder, or put something in its place.
  func isReplaced() throws(SystemError) -> Bool {
    if try isAt(DiskPath(url)) { return false }
    if try !isRemoved { return true }
    return try DiskPath(url).status() != nil
  }

  private var isRemoved: Bool {
    get throws(SystemError) {
      var status = stat()
      guard fstat(descriptor, &status) == 0 else { throw SystemError() }
      return status.st_nlink == 0
    }
  }

  /// Removes the empty folder from where it is. Returns false if something was added to it.
  private func removeEmpty() throws(SystemError) -> Bool {
    var place = DiskPath(url)
    if try !isAt(place) {
      guard let present = presentPath, try isAt(present) else {
        guard try isRemoved else { throw SystemError(ENOENT) }
        return true
      }
      place = present
    }
    do throws(SystemError) {
      try place.removeEmptyDirectory()
    } catch {
      guard error.number == ENOTEMPTY || error.number == EEXIST else { throw error }
      return false
    }
    return true
  }

  /// The folder's present path according to the system; nil if the system does not know it.
  private var presentPath: DiskPath? {
    var path = [CChar](repeating: 0, count: Int(PATH_MAX) + 1)
    return cfs_path_of(descriptor, &path, path.count) == 0 ? DiskPath(cString: path) : nil
  }

  private func isAt(_ path: DiskPath) throws(SystemError) -> Bool {
    var (own, found) = (stat(), stat())
    guard fstat(descriptor, &own) == 0 else { throw SystemError() }
    do throws(SystemError) {
      try path.inDirectory { directory, name throws(SystemError) in
        guard fstatat(directory, name, &found, AT_SYMLINK_NOFOLLOW) == 0 else {
          throw SystemError()
        }
      }
    } catch {
      guard [ENOENT, ENOTDIR, ELOOP].contains(error.number) else { throw error }
      return false
    }
    return own.st_dev == found.st_dev && own.st_ino == found.st_ino
  }

  package static func == (one: DeviceFolder, other: DeviceFolder) -> Bool { one === other }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

// The clock by which the file system dates files; it may stand still for some milliseconds.
extension DeviceFolder {
  /// The name of the file that is written to read the clock.
  static let clockName = "clock"

  /// Waits until a file that is written from now on is dated later than `moment`, in nanoseconds
  /// since 1970. The thread sleeps meanwhile. A file system whose clock ticks more slowly than
  /// every 50 milliseconds is not waited for.
  func waitUntilPast(_ moment: Int64) throws(SystemError) {
    let deadline = ContinuousClock.now + .milliseconds(50)
    while try readClock() <= moment, ContinuousClock.now < deadline {
      Thread.sleep(forTimeInterval: 0.001)
    }
  }

  /// Returns the date of a file that is written now, in nanoseconds since 1970.
  ///
  /// The same file is used each time, because creating and removing one takes a file system longer.
  func readClock() throws(SystemError) -> Int64 {
    let file = path(Self.clockName)
    for _ in 0..<10 {
      if let moment = try? file.dateAfterWriting() { return moment }
      // It is not there yet, or the app's code, or another thread, has put another in its place.
      try file.removeItem()
      do throws(SystemError) {
        try file.write(.bytes([0]), options: O_EXCL)
      } catch {
        guard error.number == EEXIST else { throw error }
      }
    }
    return try file.dateAfterWriting()
  }

  /// True for a folder whose file system dates a change of attributes.
  private static let datesAttributes = Locked<[URL: Bool]>([:])

  /// Returns the time of the file system's clock, in nanoseconds since 1970; nil if the file system
  /// does not date changes of attributes. Then no date proves that nothing changed.
  func now() throws(SystemError) -> Int64? {
    let isDated = try Self.datesAttributes.withLock { cached throws(SystemError) in
      let parent = url.deletingLastPathComponent()
      if let isDated = cached[parent] { return isDated }
      let isDated = try testAttributeDating()
      cached[parent] = isDated
      return isDated
    }
    return isDated ? try readClock() : nil
  }

  /// Tests with a separate file whether setting a mark changes an item's date of change.
  private func testAttributeDating() throws(SystemError) -> Bool {
    let probe = path("clock-\(String(DiskPath.makeStamp(), radix: 36))")
    try probe.write(.bytes([0]), options: O_EXCL)
    // It is removed with the device's folder at the latest.
    defer { try? probe.unlinkFile() }
    guard let before = try probe.status()?.changed else { return false }
    try waitUntilPast(before)
    try probe.setMark(.resourceValue, true)
    guard let after = try probe.status()?.changed else { return false }
    return after > before
  }
}
