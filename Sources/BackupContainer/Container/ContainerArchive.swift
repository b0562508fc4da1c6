package import BackupDiagnostics
package import BackupFileTree
import CBackupFiles
import CBackupSQLite
package import Foundation

/// Copies of a container's files, so that a restore brings back what the app had written.
///
/// The copies are in the container's device folder. They are removed with this folder, or with the
/// last reference to the archive.
package struct ContainerArchive: Sendable {
  private var copies: [ContainerPath: DiskPath] = [:]
  /// The sizes in bytes of copied databases, after the changes in their write-ahead logs were
  /// added.
  package private(set) var databaseSizes: [ContainerPath: Int64] = [:]
  /// The folder with the copies; nil if the archive uses files where they are.
  private var folder: Folder?

  /// A folder that is removed with its last reference.
  private final class Folder: Sendable {
    let path: DiskPath

    init(in archives: DiskPath) throws(SystemError) {
      path = archives.appending(Array(DeviceFolder.makeUUIDName().utf8))
      try archives.makeDirectoryIfMissing()
      try path.makeDirectory()
    }

    // A folder that cannot be removed now is removed with the device's folder.
    deinit { try? path.removeItem() }
  }

  /// Copies files into the device's folder. `logs` has the paths of write-ahead logs, by the paths
  /// of their databases. The changes in a log are added to the copy of its database. No link is
  /// followed.
  package init(
    of paths: [ContainerPath], logs: [ContainerPath: ContainerPath] = [:],
    in container: FakeContainer
  ) throws(RunError) {
    try container.requireNotRemoved()
    let archives = DiskPath(container.archivesURL, in: container.deviceFolder)
    let roots = container.roots
    var failingPath = archives.string
    do throws(SystemError) {
      let folder = try Folder(in: archives)
      self.folder = folder
      for (number, path) in paths.enumerated() {
        failingPath = path.description
        let copy = folder.path.appending(Array(String(number).utf8))
        try DiskPath(path, in: roots).copyFile(to: copy)
        copies[path] = copy
      }
    } catch {
      throw RunError(
        unavailablePath: failingPath, reason: "cannot be put into the backup: \(error)")
    }
    for (database, log) in logs {
      guard let copy = copies[database] else { continue }
      databaseSizes[database] = try copy.addChanges(of: DiskPath(log, in: roots), to: database)
    }
  }

  /// Creates an archive of the files in any container, such as one that the kit did not create. No
  /// file is copied before it is needed.
  package init(of tree: FileTree, in url: URL) {
    let root = DiskPath(url)
    tree.forEachItem { path, item in
      if item.size != nil { copies[path] = root.appending(path.bytes) }
    }
  }

  /// Creates an archive of files anywhere on disk, by the paths that they have in a container.
  package init(_ files: [ContainerPath: URL]) {
    self.copies = files.mapValues { DiskPath($0) }
  }

  func copy(of path: ContainerPath) -> DiskPath? { copies[path] }

  /// Copies a file's contents to a URL where nothing exists. Returns false if the archive does not
  /// have the file.
  package func copyFile(_ path: ContainerPath, to url: URL) throws(RunError) -> Bool {
    guard let copy = copies[path] else { return false }
    do throws(SystemError) {
      try copy.copyFile(to: DiskPath(url))
      return true
    } catch {
      throw RunError(unavailablePath: path.description, reason: "cannot be copied: \(error)")
    }
  }
}

extension DiskPath {
  func makeDirectoryIfMissing() throws(SystemError) {
    if try status() == nil { try makeDirectory() }
  }

  /// The first bytes of a write-ahead log, for each byte order of its checksums
  /// (sqlite.org/fileformat.html).
  private static let logHeaders: [[UInt8]] = [[0x37, 0x7F, 0x06, 0x82], [0x37, 0x7F, 0x06, 0x83]]

  /// The longest value of a database in bytes, and the number of steps that SQLite may take.
  private static let (longestValueSize, stepLimit): (Int32, Int64) = (1_000_000_000, 1_000_000)

  /// Returns true if this file is a write-ahead log of SQLite. The name is no proof, because a
  /// `save` step can write any contents to a file `a.db-wal`.
  private func isWriteAheadLog() throws(SystemError) -> Bool {
    try withFile(O_RDONLY | O_NONBLOCK) { file throws(SystemError) in
      var firstBytes = [UInt8](repeating: 0, count: 4)
      guard pread(file, &firstBytes, firstBytes.count, 0) >= 0 else { throw SystemError() }
      return Self.logHeaders.contains(firstBytes)
    }
  }

  /// Adds the changes in a write-ahead log to this copy of a database.
  ///
  /// - Parameters:
  ///   - log: The log beside the app's own database. It is not changed.
  ///   - path: The path of the app's database, for errors.
  /// - Returns: The new size of the copy in bytes; nil if SQLite did not write the log.
  /// - Throws: ``RunError`` if SQLite is missing, or cannot add the changes.
  fileprivate func addChanges(of log: DiskPath, to path: ContainerPath) throws(RunError) -> Int64? {
    func failure(_ reason: String) -> RunError {
      RunError(
        unavailablePath: path.description,
        reason: "cannot be put into the backup with the changes in its write-ahead log: \(reason)")
    }
    do throws(SystemError) {
      guard try log.isWriteAheadLog() else { return nil }
      let name = Array(bytes.split(separator: UInt8(ascii: "/")).last ?? [])
      try log.copyFile(to: parent.appending(name + Array("-wal".utf8)))
    } catch {
      throw failure("\(error)")
    }
    guard csq_is_there() == 1 else {
      throw failure("SQLite is missing on this machine; install it")
    }
    var database: OpaquePointer?
    defer { csq_close(database) }
    guard csq_open(string, Self.longestValueSize, Self.stepLimit, &database) == CSQ_OK.rawValue,
      csq_execute(database, "PRAGMA wal_checkpoint(TRUNCATE)") == CSQ_OK.rawValue
    else { throw failure("SQLite says: \(String(cString: csq_message(database)))") }
    do throws(SystemError) {
      return try status()?.size
    } catch {
      throw failure("\(error)")
    }
  }
}
