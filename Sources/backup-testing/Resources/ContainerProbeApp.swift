// How a probe app makes its items, and the app.

import Foundation

#if canImport(Darwin)
  import Darwin
#else
  import Glibc
#endif
#if canImport(SQLite3)
  import SQLite3
#endif

extension ContainerProbe {
  /// What files hold.
  static let bytes = Data("probe\n".utf8)

  /// Makes items, with the directories above them.
  static func make(_ items: [Item], in container: URL) -> [String] {
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

  /// Lists a group's container into the app's own, which alone Xcode downloads, and copies there the
  /// list that an extension has left in the group's.
  ///
  /// - Parameters:
  ///   - group: The group's folder.
  ///   - name: The group's identifier.
  ///   - home: The app's own container.
  /// - Throws: `Failure` where anything of the group's container cannot be read.
  static func writeLists(
    ofGroup group: String, name: String, in home: String = NSHomeDirectory()
  ) throws {
    let documents = URL(fileURLWithPath: home).appendingPathComponent("Documents")
    try writeList(of: group, app: name, to: documents.appendingPathComponent("group.list").path)
    let left = URL(fileURLWithPath: group).appendingPathComponent("extension.list")
    guard let list = try? Data(contentsOf: left) else { return }
    try list.write(to: documents.appendingPathComponent("extension.list"), options: .atomic)
  }

  /// Saves a file.
  static func save(_ url: URL) throws { try bytes.write(to: url) }

  /// Makes a folder, with those above it.
  static func makeDirectory(_ url: URL) throws {
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  /// Makes a link.
  static func link(_ url: URL, to target: String) throws {
    try check(symlink(target, url.path))
  }

  /// Marks as Apple's guide says.
  static func exclude(_ url: URL) throws {
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
  static func set(_ name: String, on url: URL) throws {
    var value: UInt8 = 1
    #if canImport(Darwin)
      try check(setxattr(url.path, name, &value, 1, 0, XATTR_NOFOLLOW))
    #else
      try check(LinuxAttributes.set(url.path, "user." + name, &value, 1, 0))
    #endif
  }

  /// A path in Documents of so many bytes.
  static func longPath(_ count: Int) -> String {
    var path = "Documents"
    while count - path.utf8.count > 201 {
      path += "/" + String(repeating: "n", count: 200)
    }
    return path + "/" + String(repeating: "l", count: count - path.utf8.count - 1)
  }

  /// A socket, which cannot be made where its path is longer than such an address may be.
  static func makeSocket(_ url: URL) throws {
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
  static func makeDatabase(_ url: URL, staysOpen: Bool) throws {
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
  static func check(_ result: Int32) throws {
    guard result != 0 else { return }
    throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO)
  }
}

#if BACKUP_PROBE_APP && canImport(SwiftUI)
  import SwiftUI

  /// Makes the items once, and writes the list at each start.
  @main struct BackupProbeApp: App {
    /// What happened, for the screen.
    private let report: String

    init() {
      let name = Bundle.main.object(forInfoDictionaryKey: "BackupProbeGroup") as? String
      let group = name.flatMap {
        FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: $0)
      }
      var lines: [String] = []
      if !UserDefaults.standard.bool(forKey: "hasItems") {
        lines = ContainerProbe.makeItems(group: group?.path)
        UserDefaults.standard.set(true, forKey: "hasItems")
      }
      do {
        if let group { try ContainerProbe.writeLists(ofGroup: group.path, name: name ?? "") }
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
