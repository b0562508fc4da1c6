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
#if canImport(SQLite3)
  import SQLite3
#endif

enum ContainerProbe {
  /// Where the list is written, in the app's container.
  static let listPath = "Documents/container.list"
  /// The two marks that keep an item out of backups.
  static let mark = "com.apple.metadata:com_apple_backup_excludeItem"
  static let legacyMark = "com.apple.MobileBackup"

  // MARK: - The list

  /// Lists a container into a file in it.
  static func writeList(
    of home: String = NSHomeDirectory(), app: String = Bundle.main.bundleIdentifier ?? "unknown"
  ) throws {
    let list = list(of: home, app: app)
    try Data(list).write(to: URL(fileURLWithPath: "\(home)/\(listPath)"), options: .atomic)
  }

  /// The list: a line for the app and its system, then one for each item, a directory before what is
  /// in it.
  static func list(of home: String, app: String) -> [UInt8] {
    let version = ProcessInfo.processInfo.operatingSystemVersion
    let system = "\(version.majorVersion).\(version.minorVersion).\(version.patchVersion)"
    var lines = Array("# container-list 1 \(app) \(system)\n".utf8)
    add(Array(home.utf8), [], to: &lines)
    return lines
  }

  /// Adds a line for each item of a directory, with all in it.
  private static func add(_ folder: [UInt8], _ prefix: [UInt8], to lines: inout [UInt8]) {
    for name in names(in: folder) {
      let path = folder + [0x2F] + name
      let shown = prefix.isEmpty ? name : prefix + [0x2F] + name
      var status = stat()
      guard withPath(path, { lstat($0, &status) }) == 0 else { continue }
      let kind = UInt32(status.st_mode) & UInt32(S_IFMT)
      let letter =
        [UInt32(S_IFREG): "f", UInt32(S_IFDIR): "d", UInt32(S_IFLNK): "l"][kind] ?? "o"
      let target = letter == "l" ? linkTarget(path) : []
      lines += escaped(shown)
      lines += Array(
        "\t\(letter)\t\(letter == "f" ? Int64(status.st_size) : 0)\t"
          .utf8)
      lines += Array(attributes(of: path).joined(separator: ",").utf8)
      lines += Array("\t\(status.st_ino)\t".utf8)
      lines += escaped(target) + [0x0A]
      if letter == "d" { add(path, shown, to: &lines) }
    }
  }

  /// The names in a directory, in byte order; none where it cannot be read.
  private static func names(in folder: [UInt8]) -> [[UInt8]] {
    guard let stream = withPath(folder, { opendir($0) }) else { return [] }
    defer { closedir(stream) }
    var names: [[UInt8]] = []
    while let entry = readdir(stream) {
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
    return names.sorted { $0.lexicographicallyPrecedes($1) }
  }

  /// The bytes that a link holds.
  private static func linkTarget(_ path: [UInt8]) -> [UInt8] {
    var target = [CChar](repeating: 0, count: 4096)
    let count = withPath(path) { readlink($0, &target, target.count) }
    return target.prefix(max(0, count)).map { UInt8(bitPattern: $0) }
  }

  /// The names of an item's attributes; on Linux those of users, without the prefix of these.
  private static func attributes(of path: [UInt8]) -> [String] {
    var names = [CChar](repeating: 0, count: 65_536)
    #if canImport(Darwin)
      let count = withPath(path) { listxattr($0, &names, names.count, XATTR_NOFOLLOW) }
    #else
      let count = withPath(path) { LinuxAttributes.list($0, &names, names.count) }
    #endif
    return names.prefix(max(0, count)).split(separator: 0).map { bytes in
      let name = String(decoding: bytes.map { UInt8(bitPattern: $0) }, as: UTF8.self)
      return name.hasPrefix("user.") ? String(name.dropFirst(5)) : name
    }.sorted()
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

  // MARK: - The items

  /// An item that is made to see what becomes of it.
  struct Item: Sendable {
    /// Where it is, from the container's root.
    let path: String
    /// Makes it; what it throws is printed, since some cannot be made everywhere.
    let make: @Sendable (URL) throws -> Void
  }

  /// Makes all items; a sentence for each that could not be made.
  static func makeItems(in home: String = NSHomeDirectory(), group: String? = nil) -> [String] {
    let container = URL(fileURLWithPath: home, isDirectory: true)
    var failures = make(items, in: container)
    if let group { failures += make(groupItems, in: URL(fileURLWithPath: group)) }
    return failures
  }

  /// What is made in an app's own container and, but for its data stores, in an extension's.
  static let items: [Item] =
    marks + saves + links + remnants + databases + places + names + [
      Item(path: "Documents/plain.txt", make: save),
      Item(path: "Documents/zero-length") { try Data().write(to: $0) },
      Item(path: "Documents/Empty", make: makeDirectory),
      Item(path: "Documents/class-a.bin") { url in
        #if canImport(Darwin)
          try bytes.write(to: url, options: .completeFileProtection)
        #else
          try save(url)
        #endif
      },
      Item(path: "Documents/without-permissions") { url in
        try save(url)
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: url.path)
      },
      Item(path: "Documents/own-attribute") { url in
        try save(url)
        try set("com.example.own", on: url)
      },
    ]

  /// Each mark, on each kind of item.
  private static let marks: [Item] = [
    Item(path: "Documents/marked.bin") {
      try save($0); try set(mark, on: $0)
    },
    Item(path: "Documents/marked-by-url.bin") {
      try save($0); try exclude($0)
    },
    Item(path: "Documents/marked-legacy.bin") {
      try save($0); try set(legacyMark, on: $0)
    },
    Item(path: "Documents/marked-both.bin") { url in
      try save(url)
      try set(mark, on: url)
      try set(legacyMark, on: url)
    },
    Item(path: "Documents/marked-folder/child") { url in
      try save(url)
      try exclude(url.deletingLastPathComponent())
    },
    Item(path: "Documents/marked-legacy-folder/child") { url in
      try save(url)
      try set(legacyMark, on: url.deletingLastPathComponent())
    },
    Item(path: "Documents/marked-empty-folder") {
      try makeDirectory($0); try exclude($0)
    },
    Item(path: "Documents/marked-folder/included") { url in
      try save(url)
      var url = url
      var values = URLResourceValues()
      values.isExcludedFromBackup = false
      try url.setResourceValues(values)
    },
  ]

  /// What is saved again after it was marked, in each way.
  private static let saves: [Item] = [
    Item(path: "Documents/marked-then-atomic.bin") { url in
      try save(url)
      try exclude(url)
      try bytes.write(to: url, options: .atomic)
    },
    Item(path: "Documents/marked-then-in-place.bin") { url in
      try save(url)
      try exclude(url)
      let file = try FileHandle(forWritingTo: url)
      try file.write(contentsOf: bytes)
      try file.close()
    },
    Item(path: "Documents/marked-then-replaced.bin") { url in
      try save(url)
      try exclude(url)
      let new = url.appendingPathExtension("new")
      try save(new)
      _ = try FileManager.default.replaceItemAt(url, withItemAt: new)
    },
    Item(path: "Documents/marked-then-moved.bin") { url in
      let old = url.appendingPathExtension("old")
      try save(old)
      try exclude(old)
      try FileManager.default.moveItem(at: old, to: url)
    },
    Item(path: "Documents/marked-then-copied.bin") { url in
      let old = url.appendingPathExtension("old")
      try save(old)
      try exclude(old)
      try FileManager.default.copyItem(at: old, to: url)
    },
    Item(path: "Documents/marked-then-unmarked.bin") { url in
      try save(url)
      try exclude(url)
      var url = url
      var values = URLResourceValues()
      values.isExcludedFromBackup = false
      try url.setResourceValues(values)
    },
  ]

  /// Links, and what is no file.
  private static let links: [Item] = [
    Item(path: "Documents/link-relative") { try link($0, to: "plain.txt") },
    Item(path: "Documents/link-absolute") { url in
      try link(url, to: url.deletingLastPathComponent().path + "/plain.txt")
    },
    Item(path: "Documents/link-to-folder") { try link($0, to: "../Library/Caches") },
    Item(path: "Documents/link-to-nothing") { try link($0, to: "nowhere") },
    Item(path: "Documents/hard-link-a") { url in
      try save(url)
      let other = url.deletingLastPathComponent().appendingPathComponent("hard-link-b")
      try check(Foundation.link(url.path, other.path))
    },
    Item(path: "Documents/pipe") { try check(mkfifo($0.path, 0o600)) },
    Item(path: "Documents/socket", make: makeSocket),
  ]

  /// What an interrupted save leaves.
  private static let remnants: [Item] = [
    Item(path: "Documents/.dat.nosync0a1b.c2d3e4", make: save),
    Item(path: "Documents/list.plist.1a2B3c4", make: save),
    Item(path: "Documents/.hidden", make: save),
  ]

  /// Data stores, with what SQLite and Core Data put beside them.
  private static let databases: [Item] = [
    Item(path: "Documents/wal-closed.sqlite") { try makeDatabase($0, staysOpen: false) },
    Item(path: "Documents/wal-open.sqlite") { try makeDatabase($0, staysOpen: true) },
    Item(path: "Documents/.store_SUPPORT/_EXTERNAL_DATA/0A1B", make: save),
    Item(path: "Documents/store.sqlite") { try makeDatabase($0, staysOpen: false) },
  ]

  /// Every place whose treatment differs.
  private static let places: [Item] = [
    "Documents/Inbox/file", "Library/file", "Library/Own/file", "Library/Application Support/file",
    "Library/Caches/file", "Library/Preferences/com.example.own.plist", "Library/Cookies/file",
    "Library/Saved Application State/file", "Library/WebKit/WebsiteData/file",
    "Library/SplashBoard/file", "SystemData/file", "StoreKit/file", "Own/file", "tmp/file",
  ].map { Item(path: $0, make: save) }

  /// Names at the edge of what is allowed.
  private static let names: [Item] = [
    Item(path: "Documents/e\u{301} composed of two", make: save),
    Item(path: "Documents/\u{6620}\u{753B} \u{1F3AC}.txt", make: save),
    // With 'Documents/' in front 998 bytes, and one more.
    Item(path: longPath(998), make: save), Item(path: longPath(999), make: save),
  ]

  /// What is made in the container of a group.
  static let groupItems: [Item] = [
    Item(path: "file", make: save), Item(path: "Library/Caches/file", make: save),
    Item(path: "tmp/file", make: save), Item(path: "Library/Preferences/file", make: save),
    Item(path: "marked.bin") {
      try save($0); try exclude($0)
    },
  ]
}

extension ContainerProbe {
  /// What files hold.
  private static let bytes = Data("probe\n".utf8)

  /// Makes items, with the directories above them.
  private static func make(_ items: [Item], in container: URL) -> [String] {
    items.compactMap { item in
      let url = container.appendingPathComponent(item.path)
      do {
        try makeDirectory(url.deletingLastPathComponent())
        try item.make(url)
        return nil
      } catch {
        return "\(item.path): \(error)"
      }
    }
  }

  private static func save(_ url: URL) throws { try bytes.write(to: url) }

  private static func makeDirectory(_ url: URL) throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  private static func link(_ url: URL, to target: String) throws {
    try check(symlink(target, url.path))
  }

  /// Marks as Apple's guide says.
  private static func exclude(_ url: URL) throws {
    #if canImport(Darwin)
      var url = url
      var values = URLResourceValues()
      values.isExcludedFromBackup = true
      try url.setResourceValues(values)
    #else
      try set(mark, on: url)
    #endif
  }

  /// Sets an attribute of one byte of value 1.
  private static func set(_ name: String, on url: URL) throws {
    var value: UInt8 = 1
    #if canImport(Darwin)
      try check(setxattr(url.path, name, &value, 1, 0, XATTR_NOFOLLOW))
    #else
      try check(LinuxAttributes.set(url.path, "user." + name, &value, 1, 0))
    #endif
  }

  /// A path in Documents of so many bytes.
  private static func longPath(_ count: Int) -> String {
    var path = "Documents"
    while count - path.utf8.count > 201 {
      path += "/" + String(repeating: "n", count: 200)
    }
    return path + "/" + String(repeating: "l", count: count - path.utf8.count - 1)
  }

  /// A socket, whose path may not be long: it is bound from within its directory.
  private static func makeSocket(_ url: URL) throws {
    #if canImport(Darwin)
      let file = socket(AF_UNIX, SOCK_STREAM, 0)
    #else
      let file = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
    #endif
    defer { close(file) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = Array(url.path.utf8)
    guard path.count < MemoryLayout.size(ofValue: address.sun_path) else {
      throw POSIXError(.ENAMETOOLONG)
    }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
    let size = socklen_t(MemoryLayout<sockaddr_un>.size)
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(file, $0, size) }
    }
    try check(result)
  }

  /// A database with a log beside it, which goes when it is closed.
  private static func makeDatabase(_ url: URL, staysOpen: Bool) throws {
    #if canImport(SQLite3)
      var database: OpaquePointer?
      let statements =
        "PRAGMA journal_mode = WAL; CREATE TABLE IF NOT EXISTS t(x); INSERT INTO t VALUES (1)"
      guard sqlite3_open(url.path, &database) == SQLITE_OK,
        sqlite3_exec(database, statements, nil, nil, nil) == SQLITE_OK
      else { throw POSIXError(.EIO) }
      // One that stays open is never closed: the app has to run while the backup is taken.
      if !staysOpen { sqlite3_close(database) }
    #else
      try Data("SQLite format 3\0".utf8).write(to: url)
      guard staysOpen else { return }
      for suffix in ["-wal", "-shm"] {
        try bytes.write(to: URL(fileURLWithPath: url.path + suffix))
      }
    #endif
  }

  /// Throws the error of a call of the system.
  private static func check(_ result: Int32) throws {
    guard result != 0 else { return }
    throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
  }
}

#if !canImport(Darwin)
  /// The calls on attributes that Linux has and its module does not.
  private enum LinuxAttributes {
    typealias List =
      @convention(c) (UnsafePointer<CChar>, UnsafeMutablePointer<CChar>, Int) -> Int
    typealias Set =
      @convention(c) (UnsafePointer<CChar>, UnsafePointer<CChar>, UnsafeRawPointer, Int, Int32) ->
      Int32

    static let list = unsafeBitCast(dlsym(nil, "llistxattr"), to: List.self)
    static let set = unsafeBitCast(dlsym(nil, "lsetxattr"), to: Set.self)
  }
#endif

#if BACKUP_PROBE_APP && canImport(SwiftUI)
  import SwiftUI

  /// Makes the items once, and writes the list at each start.
  @main struct BackupProbeApp: App {
    /// What happened, for the screen.
    private let report: String

    init() {
      let group = (Bundle.main.object(forInfoDictionaryKey: "BackupProbeGroup") as? String)
        .flatMap { FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: $0) }
      var lines: [String] = []
      if !UserDefaults.standard.bool(forKey: "hasItems") {
        lines = ContainerProbe.makeItems(group: group?.path)
        UserDefaults.standard.set(true, forKey: "hasItems")
      }
      do {
        try ContainerProbe.writeList()
        lines.append("\(ContainerProbe.listPath) is written")
      } catch {
        lines.append("no list: \(error)")
      }
      report = lines.joined(separator: "\n")
    }

    var body: some Scene {
      WindowGroup { ScrollView { Text(report).font(.footnote).padding() } }
    }
  }
#endif
