// What a phone really backs up: this file lists a container, and makes one with an item for each
// question. Printed by 'backup-testing probe-source'; add it to a debug build, or make an app of it.
//
// In your own app, after its files are there:
//
//   try ContainerProbe.writeList()
//
// As an app of its own, whose one purpose this is, compile it with -D BACKUP_PROBE_APP.

import Foundation

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif

enum ContainerProbe {
  /// Where the list is written, in the app's container.
  static let listPath = "Documents/container.list"
  /// The two marks that keep an item out of backups.
  static let mark = "com.apple.metadata:com_apple_backup_excludeItem"
  static let legacyMark = "com.apple.MobileBackup"

  // MARK: - The list

  /// Lists a container into a file: the app's own into one in it.
  ///
  /// - Parameters:
  ///   - home: The container's folder; a group's is that of `containerURL(…)`.
  ///   - app: The identifier of the app, group or extension whose it is.
  ///   - file: Where the list is written.
  /// - Throws: `Failure` where anything of the container cannot be read: a list with holes would be
  ///   taken for the whole.
  static func writeList(
    of home: String = NSHomeDirectory(), app: String = Bundle.main.bundleIdentifier ?? "unknown",
    to file: String? = nil
  ) throws {
    let list = try list(of: home, app: app)
    let place = file ?? "\(home)/\(listPath)"
    try Data(list).write(to: URL(fileURLWithPath: place), options: .atomic)
  }

  /// What could not be read, and why.
  struct Failure: Error, CustomStringConvertible {
    /// The item.
    let path: String
    /// What was tried, and the number of its error.
    let description: String

    /// What the last call of the system failed for.
    init(_ path: [UInt8], _ what: String) {
      self.path = String(decoding: path, as: UTF8.self)
      self.description = "\(self.path): \(what): \(String(cString: strerror(errno)))"
    }
  }

  /// The list: a line for the app and its system, then one for each item, a directory before what is
  /// in it.
  static func list(of home: String, app: String) throws -> [UInt8] {
    let version = ProcessInfo.processInfo.operatingSystemVersion
    let system = "\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)"
    var lines = Array("# container-list 1 \(app) \(system)\n".utf8)
    try add(Array(home.utf8), [], to: &lines)
    return lines
  }

  /// Adds a line for each item of a directory, with all in it.
  private static func add(_ folder: [UInt8], _ prefix: [UInt8], to lines: inout [UInt8]) throws {
    for name in try names(in: folder) {
      let path = folder + [0x2F] + name
      let shown = prefix.isEmpty ? name : prefix + [0x2F] + name
      var status = stat()
      guard withPath(path, { lstat($0, &status) }) == 0 else {
        // It went meanwhile.
        if errno == ENOENT { continue }
        throw Failure(path, "cannot be looked at")
      }
      let kind = UInt32(status.st_mode) & UInt32(S_IFMT)
      let letter =
        [UInt32(S_IFREG): "f", UInt32(S_IFDIR): "d", UInt32(S_IFLNK): "l"][kind] ?? "o"
      let target = letter == "l" ? try linkTarget(path) : []
      lines += escaped(shown)
      lines += Array(
        "\t\(letter)\t\(letter == "f" ? Int64(status.st_size) : 0)\t"
          .utf8)
      lines += Array(try attributes(of: path).map(escapedName).joined(separator: ",").utf8)
      lines += Array("\t\(status.st_ino)\t".utf8)
      lines += escaped(target) + [0x0A]
      if letter == "d" { try add(path, shown, to: &lines) }
    }
  }

  /// The names in a directory, in byte order.
  private static func names(in folder: [UInt8]) throws -> [[UInt8]] {
    guard let stream = withPath(folder, { opendir($0) }) else {
      throw Failure(folder, "cannot be listed")
    }
    defer { closedir(stream) }
    var names: [[UInt8]] = []
    while true {
      errno = 0
      guard let entry = readdir(stream) else { break }
      let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
        pointer.withMemoryRebound(to: UInt8.self, capacity: 256) { bytes in
          Array(
            UnsafeBufferPointer(
              start: bytes,
              count: strlen(
                UnsafeRawPointer(bytes)
                  .assumingMemoryBound(to: CChar.self))))
        }
      }
      if name != [0x2E], name != [0x2E, 0x2E] { names.append(name) }
    }
    guard errno == 0 else { throw Failure(folder, "cannot be listed to its end") }
    return names.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// The bytes that a link holds.
  private static func linkTarget(_ path: [UInt8]) throws -> [UInt8] {
    var target = [CChar](repeating: 0, count: 4096)
    let count = withPath(path) { readlink($0, &target, target.count) }
    guard count >= 0 else { throw Failure(path, "where it leads cannot be read") }
    return target.prefix(count).map { UInt8(bitPattern: $0) }
  }

  /// The names of an item's attributes; on Linux those of users, without the prefix of these.
  private static func attributes(of path: [UInt8]) throws -> [String] {
    var names = [CChar](repeating: 0, count: 65_536)
    var count = listAttributes(path, &names)
    if count < 0, errno == EACCES {
      // Whoever may not read a file may not see its attributes either, but its owner may change that.
      count = try withReadPermission(path) { listAttributes(path, &names) }
    }
    // A volume without attributes has none.
    guard count >= 0 || errno == ENOTSUP else {
      throw Failure(path, "its attributes cannot be listed")
    }
    return names.prefix(max(0, count)).split(separator: 0).map { bytes in
      let name = String(decoding: bytes.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      return name.hasPrefix("user.") ? String(name.dropFirst(5)) : name
    }.sorted()
  }

  /// Writes the names of an item's attributes into `names`, each with a zero behind it.
  private static func listAttributes(_ path: [UInt8], _ names: inout [CChar]) -> Int {
    #if canImport(Darwin)
      withPath(path) { listxattr($0, &names, names.count, XATTR_NOFOLLOW) }
    #else
      withPath(path) { LinuxAttributes.list($0, &names, names.count) }
    #endif
  }

  /// Calls `body` while an item's owner may read it, and takes that back.
  static func withReadPermission<Result>(
    _ path: [UInt8], _ body: () throws -> Result
  ) throws -> Result {
    var status = stat()
    guard withPath(path, { lstat($0, &status) }) == 0 else {
      throw Failure(path, "cannot be looked at")
    }
    // Of a link these would be the permissions of what it leads to.
    guard UInt32(status.st_mode) & UInt32(S_IFMT) != UInt32(S_IFLNK) else { return try body() }
    let permissions = status.st_mode & 0o7777
    guard withPath(path, { chmod($0, permissions | 0o400) }) == 0 else {
      throw Failure(path, "its attributes may not be listed")
    }
    let result = Swift.Result { try body() }
    let number = errno
    guard withPath(path, { chmod($0, permissions) }) == 0 else {
      throw Failure(path, "its permissions cannot be put back")
    }
    errno = number
    return try result.get()
  }

  /// The name of an attribute, in which no comma stands for one between two names.
  private static func escapedName(_ name: String) -> String {
    String(decoding: escaped(Array(name.utf8)), as: UTF8.self)
      .split(separator: ",", omittingEmptySubsequences: false).joined(separator: "\\u{2C}")
  }

  /// A path on one line: control characters, what turns a line round, and backslashes as escapes.
  private static func escaped(_ path: [UInt8]) -> [UInt8] {
    var result = ""
    var rest = path[...]
    while let first = rest.first {
      var decoder = UTF8()
      var bytes = rest.makeIterator()
      guard case .scalarValue(let scalar) = decoder.decode(&bytes) else {
        let digits = String(first, radix: 16, uppercase: true)
        result += "\\x" + (digits.count < 2 ? "0" : "") + digits
        rest.removeFirst()
        continue
      }
      rest.removeFirst(UTF8.width(scalar))
      switch scalar.value {
      case 0x5C: result += "\\\\"
      case 0..<0x20, 0x7F..<0xA0, 0x200E, 0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF:
        result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return Array(result.utf8)
  }

  /// Calls `body` with a path as C takes it.
  private static func withPath<Result>(
    _ path: [UInt8], _ body: (UnsafePointer<CChar>) -> Result
  ) -> Result {
    let characters = path.map { CChar(bitPattern: $0) } + [0]
    return body(characters)
  }
}

#if !canImport(Darwin)
  /// The calls on attributes that Linux has and its module does not.
  enum LinuxAttributes {
    /// `llistxattr`.
    typealias List =
      @convention(c) (UnsafePointer<CChar>, UnsafeMutablePointer<CChar>, Int) -> Int
    /// `lsetxattr`.
    typealias Set =
      @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeRawPointer, Int, Int32) ->
      Int32

    /// Lists the names of an item's attributes.
    static let list = unsafeBitCast(dlsym(nil, "llistxattr"), to: List.self)
    /// Sets an attribute of an item.
    static let set = unsafeBitCast(dlsym(nil, "lsetxattr"), to: Set.self)
  }
#endif
