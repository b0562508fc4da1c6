import BackupContainer
import BackupDiagnostics
package import BackupFileTree
package import Foundation

extension SimulatedBackup {
  /// Writes it into a new folder, whole or not at all, as `<folder>/<device>/Manifest.db` and what
  /// belongs to it; returns the device's folder. It is written beside the folder and renamed.
  /// `copy` puts what a file of the tree holds at a place where nothing is.
  package func write(
    of origin: BackupOrigin, to folder: String,
    copying copy: (ContainerPath, URL) throws -> Void
  ) throws(BackupFolderError) -> String {
    let path = folder.withoutEndingSlash
    let target = URL(fileURLWithPath: path.hasPrefix("~") ? "./\(path)" : path).absoluteURL
    try Self.requireNothing(at: target, named: folder)
    do {
      let scratch = try ScratchFolder(in: target.deletingLastPathComponent())
      defer { withExtendedLifetime(scratch) {} }
      let work = scratch.url.appendingPathComponent("backup", isDirectory: true)
      let device = work.appendingPathComponent(origin.device, isDirectory: true)
      try FileManager.default.createDirectory(at: device, withIntermediateDirectories: true)
      try Self.writeLists(of: origin, to: device)
      try writeManifest(to: device)
      try writeContents(to: device, into: folder, copying: copy)
      try Self.requireNothing(at: target, named: folder)
      guard rename(work.path, target.path) == 0 else {
        throw BackupFolderError(folder, String(cString: strerror(errno)).lowercased())
      }
    } catch let error as BackupFolderError {
      throw error
    } catch let error as FakeContainerError {
      throw BackupFolderError(error.path, error.reason)
    } catch {
      throw BackupFolderError(folder, "cannot be written: \(error.reason)")
    }
    return "\(path)/\(origin.device)"
  }

  /// Refuses a place where something is, a link that leads nowhere too.
  private static func requireNothing(
    at target: URL, named name: String
  ) throws(BackupFolderError) {
    var status = stat()
    if lstat(target.path, &status) != 0 { return }
    throw BackupFolderError(
      name,
      "the folder already exists; name a new one, or remove this one "
        + "first")
  }

  private static func writeLists(of origin: BackupOrigin, to device: URL) throws {
    let lists = [
      ("Manifest.plist", origin.manifest), ("Info.plist", origin.information),
      ("Status.plist", origin.status),
    ]
    for (name, list) in lists {
      try Data(list.binary).write(to: device.appendingPathComponent(name))
    }
  }

  /// Writes what files hold, each into the folder that its name begins with.
  private func writeContents(
    to device: URL, into target: String,
    copying copy: (ContainerPath, URL) throws -> Void
  ) throws {
    for item in items where item.record.isFile {
      guard let path = item.path else { continue }
      let name = item.domain.fileID(of: item.relativePath)
      let folder = device.appendingPathComponent(String(name.prefix(2)), isDirectory: true)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      do {
        try copy(path, folder.appendingPathComponent(name))
      } catch let error as FakeContainerError {
        throw BackupFolderError(target, "cannot be written: \(error)")
      }
    }
  }

  /// The tables of a manifest, and what its header says.
  private static let schema = """
    PRAGMA page_size = 4096;
    PRAGMA journal_mode = MEMORY;
    PRAGMA user_version = 2;
    CREATE TABLE Files (fileID TEXT PRIMARY KEY, domain TEXT, relativePath TEXT, flags INTEGER, \
    file BLOB);
    CREATE INDEX FilesDomainIdx ON Files(domain);
    CREATE INDEX FilesRelativePathIdx ON Files(relativePath);
    CREATE INDEX FilesFlagsIdx ON Files(flags);
    CREATE TABLE Properties (key TEXT PRIMARY KEY, value BLOB);
    """

  private func writeManifest(to device: URL) throws(BackupFolderError) {
    let database = try SQLiteDatabase(path: device.appendingPathComponent("Manifest.db").path)
    try database.execute(Self.schema)
    try database.execute("BEGIN")
    let insertion = try database.prepare("INSERT INTO Files VALUES (?, ?, ?, ?, ?)")
    for item in items {
      guard let text = String(validUTF8: item.relativePath), item.record.hasText else {
        throw BackupFolderError(
          EscapedText.escape(item.relativePath),
          "its name or target is not UTF-8, so a manifest cannot contain it")
      }
      try insertion.run(
        .text(Array(item.domain.fileID(of: item.relativePath).utf8)),
        .text(Array(item.domain.name.utf8)), .text(item.relativePath),
        .integer(item.record.flags), .blob(item.record.archive(at: text)))
    }
    try database.execute("COMMIT")
  }
}

extension BackupRecord {
  /// Whether the link's target is a text, as a property list requires.
  fileprivate var hasText: Bool {
    if case .link(let target) = kind { String(validUTF8: target) != nil } else { true }
  }
}
