import Foundation

/// The folder of one fake device, which holds its container and nothing of anybody else's.
///
/// Apple platforms take paths of 1023 bytes, and a container may need most of them. So the name is
/// short: in a Mac's temporary folder the container's own path has 99 bytes.
package enum DeviceFolder {
  /// What every name begins with.
  static let prefix = "sbt-"
  /// What the rest of a name is made of: no two letters that differ only by case.
  private static let letters = Array("abcdefghijklmnopqrstuvwxyz234567")
  /// How many letters follow the prefix.
  private static let letterCount = 8
  /// How many names are tried where folders of them are there already.
  private static let attempts = 20

  /// A name that hardly any other folder has.
  static func makeName() -> String {
    let number = UInt64.random(in: .min ... .max)
    return prefix
      + String((0..<letterCount).map { letters[Int(number >> (5 * UInt64($0)) & 31)] })
  }

  /// A name for a directory in it that no other has had.
  ///
  /// Foundation's `UUID()` gives the same one each time where no descriptor is free; the kernel's
  /// random numbers need none.
  static func makeIdentifier() -> String {
    var generator = SystemRandomNumberGenerator()
    let halves: [UInt64] = [generator.next(), generator.next()]
    return halves.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)).uuidString }
  }

  /// Whether a folder of this name may be a device's.
  static func isName(_ name: some StringProtocol) -> Bool {
    let rest = name.dropFirst(prefix.count)
    return name.hasPrefix(prefix) && rest.count == letterCount && rest.allSatisfy(letters.contains)
  }

  /// Makes a folder with a name that was free, trying others where it is taken; for its user only.
  ///
  /// - Parameters:
  ///   - parent: The folder to make it in.
  ///   - makeName: Makes a name to be tried.
  /// - Returns: The new folder, which nobody else has.
  /// - Throws: ``SystemError`` where the file system refuses.
  static func make(
    in parent: URL, named makeName: () -> String = makeName
  ) throws(SystemError) -> URL {
    for _ in 0..<attempts {
      let folder = parent.appendingPathComponent(makeName(), isDirectory: true)
      do throws(SystemError) {
        try makeSigned(DiskPath(folder))
        return folder
      } catch {
        guard error.number == EEXIST else { throw error }
      }
    }
    throw SystemError(EEXIST)
  }

  /// Makes a folder that bears this process; none where it cannot.
  private static func makeSigned(_ folder: DiskPath) throws(SystemError) {
    let owner = try ProcessIdentity.findOwn()
    try folder.makeDirectory(permissions: 0o700)
    guard let owner else { return }
    do throws(SystemError) {
      try folder.sign(as: owner)
    } catch {
      try? folder.removeItem()
      throw error
    }
  }

  /// The device's folder above an absolute path; nil for a path that is in no container.
  static func above(_ path: String) -> Substring? {
    let parts = path.split(separator: "/", omittingEmptySubsequences: false)
    let pairs = Array(zip(parts, parts.dropFirst()))
    let pair = pairs.last { isName($0) && UUID(uuidString: String($1)) != nil }
    return pair.map { path[..<$0.0.endIndex] }
  }

  /// Where devices are made unless somebody says otherwise, found out once.
  static let usualParent = usualParent(in: ProcessInfo.processInfo.environment)

  /// Where an environment has devices made: in `TMPDIR`, which Foundation passes over on a Mac, or
  /// else in the temporary folder. Without symbolic links on the way.
  static func usualParent(in environment: [String: String]) -> URL {
    guard let path = environment["TMPDIR"], path.hasPrefix("/") else {
      return FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
    }
    return URL(fileURLWithPath: path, isDirectory: true).resolvingSymlinksInPath()
  }
}

extension DeviceFolder {
  /// The folders that could not be removed so far, such as for want of a descriptor.
  private static let left = Locked<Set<URL>>([])

  /// Removes a device's folder that nobody needs any more, and those that could not be removed
  /// before. What cannot be removed is tried once more at once, for it may be the process's last, and
  /// again with the next one.
  static func remove(_ device: URL) {
    let devices = left.withLock { left in
      defer { left = [] }
      return left.union([device])
    }
    let remaining = devices.filter { device in
      !(0..<2).contains { _ in (try? DiskPath(device).removeItem()) != nil }
    }
    left.withLock { $0.formUnion(remaining) }
  }
}
