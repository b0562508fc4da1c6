package import BackupDiagnostics
package import BackupFileTree
import CBackupFiles
import CBackupSQLite
package import Foundation

/// Copies of a container's files, so that a restore brings back what the app had written.
///
/// It lives in the container's device folder and goes with it, or with its last reference.
package struct ContainerArchive: Sendable {
  private var copies: [ContainerPath: DiskPath] = [:]
  /// How long the databases are, in bytes, to which the changes in a write-ahead log were added.
  package private(set) var databaseSizes: [ContainerPath: Int64] = [:]
  /// The folder of the copies; nil for files that others keep.
  private var folder: Folder?

  /// A folder that goes with its last reference.
  private final class Folder: Sendable {
    let path: DiskPath

    init(in archives: DiskPath) throws(SystemError) {
      path = archives.appending(Array(DeviceFolder.makeIdentifier().utf8))
      try archives.makeDirectoryIfMissing()
      try path.makeDirectory()
    }

    deinit { try? path.removeItem() }
  }

  /// Copies the files at these paths out of a container, into its device's folder.
  ///
  /// - Parameters:
  ///   - paths: The files.
  ///   - logs: The write-ahead logs of databases, whose changes are added to the copies.
  ///   - container: The container that they are in.
  /// - Throws: ``RunError`` if a file cannot be copied, or SQLite is needed and missing.
  package init(
    of paths: [ContainerPath], logs: [ContainerPath: ContainerPath] = [:],
    in container: FakeContainer
  ) throws(RunError) {
    try container.requireThere()
    let archives = DiskPath(container.archives, in: container.folder)
    let roots = container.roots
    var at = archives.string
    var needsSQLite: String?
    do throws(SystemError) {
      let folder = try Folder(in: archives)
      self.folder = folder
      for (number, path) in paths.enumerated() {
        at = path.description
        let copy = folder.path.appending(Array(String(number).utf8))
        try DiskPath(path, in: roots).copyFile(to: copy)
        copies[path] = copy
        guard let log = logs[path] else { continue }
        let logOnDisk = DiskPath(log, in: roots)
        guard try logOnDisk.isWriteAheadLog() else { continue }
        guard csq_is_there() == 1 else {
          needsSQLite = at
          continue
        }
        let bytes = try logOnDisk.copyFile(to: folder.path.appending(Array("\(number)-wal".utf8)))
        databaseSizes[path] = try copy.addChanges(fromLogOf: bytes)
      }
    } catch {
      throw RunError(path: at, reason: "cannot be put into the backup: \(error)")
    }
    if let needsSQLite {
      throw RunError(
        path: needsSQLite,
        reason: "cannot be put into the backup with the changes in its write-ahead log, because "
          + "SQLite is missing on this machine; install it")
    }
  }

  /// The files of a container that need not be the kit's. None is copied before it is needed.
  package init(of tree: FileTree, in url: URL) {
    let root = DiskPath(url)
    tree.walk { path, item in
      if item.size != nil { copies[path] = root.appending(path.bytes) }
      return true
    }
  }

  /// Files that are anywhere on disk, by the paths that they have in a container.
  package init(_ files: [ContainerPath: URL]) {
    self.copies = files.mapValues { DiskPath($0) }
  }

  func copy(of path: ContainerPath) -> DiskPath? { copies[path] }
}

extension DiskPath {
  func makeDirectoryIfMissing() throws(SystemError) {
    if try status() == nil { try makeDirectory() }
  }
}

extension DiskPath {
  /// What a write-ahead log begins with, by the byte order of its sums (sqlite.org/fileformat.html).
  private static let logBegins: [[UInt8]] = [[0x37, 0x7F, 0x06, 0x82], [0x37, 0x7F, 0x06, 0x83]]

  /// Whether SQLite has written this file as a write-ahead log; a `save` step makes others.
  fileprivate func isWriteAheadLog() throws(SystemError) -> Bool {
    try withFile(O_RDONLY | O_NONBLOCK) { file throws(SystemError) in
      var begin = [UInt8](repeating: 0, count: 4)
      guard pread(file, &begin, begin.count, 0) >= 0 else { throw SystemError() }
      return Self.logBegins.contains(begin)
    }
  }

  /// Adds the changes in a write-ahead log beside this database, under the name that SQLite gives
  /// it, and removes the log.
  ///
  /// - Returns: How long the database is then, in bytes.
  fileprivate func addChanges(fromLogOf logSize: Int64) throws(SystemError) -> Int64 {
    let size = try status()?.size ?? 0
    var database: OpaquePointer?
    let isOpen = csq_open(string, 1_000_000_000, 1_000_000, &database) == CSQ_OK.rawValue
    if isOpen { _ = csq_execute(database, "PRAGMA wal_checkpoint(TRUNCATE)") }
    csq_close(database)
    // Each page that a log adds is in it; a longer database is not one that SQLite has made.
    guard let added = try status()?.size, added <= size + logSize else { throw SystemError(EFBIG) }
    return added
  }
}
