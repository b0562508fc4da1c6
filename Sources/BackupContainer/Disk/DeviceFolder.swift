import BackupDiagnostics
import BackupFileTree
import CBackupFiles
import CBackupProcess
package import Foundation

/// The folder of a fake device. It contains the device's containers and files of the kit.
///
/// The folder stays open from its creation, and all calls in it start from its descriptor. So the
/// kit changes only what it created, even if the app moves the folder or puts something else in its
/// place.
///
/// The folder's name is short, because Apple platforms limit paths to 1023 bytes, and the app may
/// need most of them. In a Mac's temporary folder, a container's path has 99 bytes.
package final class DeviceFolder: Hashable, Sendable {
  package let url: URL
  /// The descriptor of the open folder, for reading.
  let descriptor: Int32
  /// The folder's number at the guardian, a process that removes the folder if this process is
  /// killed (`CGuardian.h`). It is 0 if the guardian does not know the folder.
  let guardianNumber: UInt32

  /// Opens an existing folder. A link to a folder is an error.
  init(at url: URL, guardianNumber: UInt32 = 0) throws(SystemError) {
    self.url = url
    self.guardianNumber = guardianNumber
    descriptor = try DiskPath(url).openDirectory()
  }

  deinit { close(descriptor) }

  /// Returns the path of an item in the folder.
  func path(_ name: String) -> DiskPath {
    DiskPath(url.appendingPathComponent(name, isDirectory: false), in: self)
  }

  /// The folder itself as an item: `.` in the folder. Calls use it to read or change the folder's
  /// attributes and to list its items.
  var ownPath: DiskPath { DiskPath(url, in: self).appending([UInt8(ascii: ".")]) }

  /// The beginning of the folder's name.
  static let namePrefix = "sbt-"
  /// The characters of a name after the prefix. No two of them differ only by case, which a volume
  /// may ignore.
  private static let nameLetters = Array("abcdefghijklmnopqrstuvwxyz234567")
  private static let nameLetterCount = 8
  /// The number of names to try if folders with these names already exist.
  private static let nameAttemptLimit = 20

  static func makeName() -> String {
    var number = UInt64.random(in: .min ... .max)
    var name = namePrefix
    for _ in 0..<nameLetterCount {
      name.append(nameLetters[Int(number & 31)])
      number >>= 5
    }
    return name
  }

  /// Returns a new UUID as the name of a directory.
  ///
  /// Foundation's `UUID()` is not used, because it returns the same value each time if no
  /// descriptor is free. The system's random numbers need no descriptor.
  static func makeUUIDName() -> String {
    var generator = SystemRandomNumberGenerator()
    let halves: [UInt64] = [generator.next(), generator.next()]
    return halves.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)).uuidString }
  }

  static func isDeviceName(_ name: some StringProtocol) -> Bool {
    let suffix = name.dropFirst(namePrefix.count)
    return name.hasPrefix(namePrefix) && suffix.count == nameLetterCount
      && suffix.allSatisfy(nameLetters.contains)
  }

  /// Creates a folder that only the user of this process can access. If a name is taken, tries
  /// another name.
  static func make(
    in parent: URL, named makeName: () -> String = makeName
  ) throws(SystemError) -> DeviceFolder {
    guard !cpr_lacks_memory() else { throw SystemError(ENOMEM) }
    for _ in 0..<nameAttemptLimit {
      let folder = parent.appendingPathComponent(makeName(), isDirectory: true)
      do throws(SystemError) {
        return try makeSigned(folder)
      } catch {
        guard error.number == EEXIST else { throw error }
      }
    }
    throw SystemError(EEXIST)
  }

  /// Creates a folder that must be removed before the process ends. If the creation fails, throws
  /// an error with the text from `reason`, or about a `TMPDIR` that is not UTF-8.
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
      throw RunError(unavailablePath: parent.path, reason: reason(error))
    }
  }

  /// Creates a folder with a signature, which says that this process owns the folder. If an error
  /// is thrown, no folder is left.
  private static func makeSigned(_ url: URL) throws(SystemError) -> DeviceFolder {
    let owner = try ProcessIdentity.findOwn()
    // The guardian need not know a folder inside a device's folder: both are removed together.
    let isInDevice = isDeviceName(url.deletingLastPathComponent().lastPathComponent)
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
      // If this fails too, a later run removes the unsigned folder.
      try? DiskPath(url).removeEmptyDirectory()
      cpr_forget_folder(guardianNumber)
      throw error
    }
  }

  /// Returns the path of the device's folder above an absolute path; nil if the path is in no
  /// container.
  package static func pathAbove(_ path: String) -> Substring? {
    let components = path.split(separator: "/", omittingEmptySubsequences: false)
    let componentPairs = Array(zip(components, components.dropFirst()))
    let lastPair = componentPairs.last { isDeviceName($0) && UUID(uuidString: String($1)) != nil }
    return lastPair.map { path[..<$0.0.endIndex] }
  }

  /// The folder in which devices are created by default, determined once.
  static let usualParent = usualParent(in: ProcessInfo.processInfo.environment)

  /// Returns the folder in which devices are created: `TMPDIR` in `environment`, or else the
  /// temporary folder. The kit reads `TMPDIR` itself, because Foundation on a Mac ignores it.
  /// Symbolic links are resolved.
  static func usualParent(in environment: [String: String]) -> URL {
    guard let path = environment["TMPDIR"], path.hasPrefix("/") else {
      return FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
    }
    return URL(fileURLWithPath: path, isDirectory: true).resolvingSymlinksInPath()
  }

  /// The folders that could not be removed so far, for example because no descriptor was free.
  private static let unremovedFolders = Locked<[DeviceFolder]>([])

  /// Removes a device's folder, and the folders that could not be removed before.
  ///
  /// If the removal fails, it is tried a second time at once, because this may be the process's
  /// last device. After that, it is tried again when the next device is removed.
  static func remove(_ device: DeviceFolder) {
    let devices = unremovedFolders.withLock { unremovedFolders in
      defer { unremovedFolders = [] }
      return unremovedFolders + [device]
    }
    let remainingFolders = devices.filter { folder in
      do throws(SystemError) {
        if (try? folder.remove()) == nil { try folder.remove() }
        return false
      } catch {
        if folder == device { folder.warnIfUnremovable(error) }
        return true
      }
    }
    unremovedFolders.withLock { $0 += remainingFolders }
  }

  /// The maximum number of times that the folder is emptied. The app's code may create items in it
  /// meanwhile.
  private static let removalAttemptLimit = 4

  /// Removes the folder with its contents, even if the app has moved it. If it is already gone,
  /// this is no error.
  ///
  /// If the app has put a link at the folder's path, the link is removed, and is not followed. Any
  /// other item there stays.
  func remove() throws(SystemError) {
    fchmod(descriptor, 0o700)
    for _ in 0..<Self.removalAttemptLimit {
      let error = SystemError(cfs_remove_items(descriptor))
      guard error.number == 0 else { throw error }
      if try removeEmpty() {
        let folderPath = DiskPath(url)
        // The link does not belong to the kit, so an error is ignored.
        if let status = try? folderPath.status(), UInt32(status.kind) == CFS_LINK.rawValue {
          try? folderPath.unlinkFile()
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

  /// Removes the empty folder at its present path. Returns false if it is no longer empty.
  private func removeEmpty() throws(SystemError) -> Bool {
    var folderPath = DiskPath(url)
    if try !isAt(folderPath) {
      guard let presentPath, try isAt(presentPath) else {
        guard try isRemoved else { throw SystemError(ENOENT) }
        return true
      }
      folderPath = presentPath
    }
    do throws(SystemError) {
      try folderPath.removeEmptyDirectory()
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

  /// Returns true if this folder is the item at a path.
  private func isAt(_ path: DiskPath) throws(SystemError) -> Bool {
    var (ownStatus, foundStatus) = (stat(), stat())
    guard fstat(descriptor, &ownStatus) == 0 else { throw SystemError() }
    do throws(SystemError) {
      try path.inDirectory { directory, name throws(SystemError) in
        guard fstatat(directory, name, &foundStatus, AT_SYMLINK_NOFOLLOW) == 0 else {
          throw SystemError()
        }
      }
    } catch {
      guard [ENOENT, ENOTDIR, ELOOP].contains(error.number) else { throw error }
      return false
    }
    return ownStatus.st_dev == foundStatus.st_dev && ownStatus.st_ino == foundStatus.st_ino
  }

  package static func == (one: DeviceFolder, other: DeviceFolder) -> Bool { one === other }

  package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

// The clock that the file system uses for dates. It may stand still for some milliseconds.
extension DeviceFolder {
  /// The name of the file that is written to read the clock.
  static let clockFileName = "clock"

  /// Blocks the thread until the file system gives new files a date later than `moment`, in
  /// nanoseconds since 1970. Gives up after 50 milliseconds, because a file system may have a
  /// slower clock.
  func waitUntilPast(_ moment: Int64) throws(SystemError) {
    let deadline = ContinuousClock.now + .milliseconds(50)
    while try readClock() <= moment, ContinuousClock.now < deadline {
      Thread.sleep(forTimeInterval: 0.001)
    }
  }

  /// Writes a file, and returns its new date in nanoseconds since 1970.
  ///
  /// Each call writes the same file, because creating and removing a file takes longer.
  func readClock() throws(SystemError) -> Int64 {
    let file = path(Self.clockFileName)
    for _ in 0..<10 {
      if let moment = try? file.dateAfterWriting() { return moment }
      // The file is missing, or the app's code or another thread has replaced it.
      try file.removeItem()
      do throws(SystemError) {
        try file.write(.bytes([0]), options: O_EXCL)
      } catch {
        guard error.number == EEXIST else { throw error }
      }
    }
    return try file.dateAfterWriting()
  }

  /// For each folder, true if the file system gives an item a new date when an attribute changes.
  private static let attributeDatingByFolder = Locked<[URL: Bool]>([:])

  /// Returns the time of the file system's clock, in nanoseconds since 1970; nil if the file system
  /// does not date changes of attributes. On such a file system, no date proves that an item is
  /// unchanged.
  func fileSystemTime() throws(SystemError) -> Int64? {
    let datesChanges = try Self.attributeDatingByFolder.withLock {
      datingByFolder throws(SystemError) in
      let parent = url.deletingLastPathComponent()
      if let datesChanges = datingByFolder[parent] { return datesChanges }
      let datesChanges = try testAttributeDating()
      datingByFolder[parent] = datesChanges
      return datesChanges
    }
    return datesChanges ? try readClock() : nil
  }

  /// Tests with a separate file whether setting a mark changes an item's date of change.
  private func testAttributeDating() throws(SystemError) -> Bool {
    let testFile = path("clock-\(String(DiskPath.makeStamp(), radix: 36))")
    try testFile.write(.bytes([0]), options: O_EXCL)
    // If this fails, the file is removed with the device's folder.
    defer { try? testFile.unlinkFile() }
    guard let dateBefore = try testFile.status()?.changed else { return false }
    try waitUntilPast(dateBefore)
    try testFile.setMark(.resourceValue, true)
    guard let dateAfter = try testFile.status()?.changed else { return false }
    return dateAfter > dateBefore
  }
}
