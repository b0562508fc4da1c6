import BackupContainer
import BackupDevice
import BackupFileTree
import BackupReports
import Foundation
import TestSupport
import Testing

@testable import BackupFolders

/// Folders that cannot be read. Each is an error with a reason.
@Suite struct UnusableFolderTests {
  /// Changes a backup folder and reads it. Returns the error message; nil without an error.
  private func errorMessage(_ change: (ExportedBackup) throws -> Void) async throws -> String? {
    let backup = try await ExportedBackup(of: try Sample.scenario())
    try change(backup)
    let before = try Self.state(of: backup.device)
    defer { #expect((try? Self.state(of: backup.device)) == before) }
    do {
      _ = try backup.comparison()
      return nil
    } catch let error as BackupFolderError {
      return error.description
    }
  }

  /// Returns the name, size and mode of each item in a folder.
  private static func state(of folder: String) throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: folder).sorted().map { name in
      var status = stat()
      lstat("\(folder)/\(name)", &status)
      return "\(name) \(status.st_size) \(status.st_mode)"
    }
  }

  /// Edits a property list in a backup folder.
  private func editList(
    _ name: String, of backup: ExportedBackup, _ edit: (inout [String: PropertyList]) -> Void
  ) throws {
    guard case .dictionary(var values) = try PropertyList.read(at: "\(backup.device)/\(name)")
    else {
      throw TestError("\(name) is not a dictionary")
    }
    edit(&values)
    try Data(PropertyList.dictionary(values).binaryBytes).write(
      to: URL(fileURLWithPath: "\(backup.device)/\(name)"))
  }

  @Test func `a backup that is not finished is refused`() async throws {
    let errorMessage = try await errorMessage { backup in
      try editList("Status.plist", of: backup) { $0["SnapshotState"] = .string("new") }
    }
    #expect(
      errorMessage?.hasSuffix(
        "the backup is 'new', not 'finished'; take it again and let it finish")
        == true)
  }

  @Test(arguments: [("99.1", true), ("26.0.1", false), ("18.7", false)])
  func `an iOS version newer than all known versions is reported`(version: String, isReported: Bool)
    async throws
  {
    let backup = try await ExportedBackup(of: try Sample.scenario())
    try editList("Manifest.plist", of: backup) {
      $0["Lockdown"] = .dictionary(["ProductVersion": .string(version)])
    }
    let folder = try BackupFolder(at: backup.device)
    let remarks = folder.remarks(usingRulesOf: try #require(folder.profile))
    let newest = try #require(SystemProfile.newest).version
    #expect(
      remarks
        == (isReported
          ? [
            "The device had iOS \(version), which this version of the kit does not know. The "
              + "rules of iOS \(newest) were used."
          ] : []))
  }

  @Test func `a folder that is no backup is an error`() throws {
    let folder = try TestFolder(["a/b.txt": ""])
    for path in [
      folder.path, folder.url("a").path, folder.url("missing").path, folder.url("a/b.txt").path,
    ] {
      #expect(throws: BackupFolderError.self) { try BackupFolder(at: path) }
    }
  }

  @Test(
    arguments: [
      ("DROP TABLE Files", "the table 'Files' is missing"),
      ("DROP TABLE Files; CREATE TABLE Files(a)", "no such column"),
      (
        "ALTER TABLE Files RENAME TO Other; CREATE VIEW Files AS SELECT * FROM Other",
        "the table 'Files' is missing"
      ),
      (
        "DROP TABLE Files; CREATE TABLE Files(a); PRAGMA writable_schema = ON; UPDATE sqlite_master "
          + "SET rootpage = 0, sql = 'CREATE  VIRTUAL TABLE Files USING fts5(a)' WHERE name = 'Files'",
        "the table 'Files' is missing"
      ),
      ("CREATE VIEW Other AS SELECT 1", "something other than tables and indexes"),
      (
        """
        DROP TABLE Files; CREATE TABLE Files(fileID, domain, relativePath, flags,
          file GENERATED ALWAYS AS (zeroblob(60000000)) VIRTUAL);
        INSERT INTO Files(fileID) VALUES (1);
        """, "has computed columns"
      ),
      // All rows share a large value that the file stores only once.
      (
        """
        DROP TABLE Files; CREATE TABLE Files(fileID);
        INSERT INTO Files VALUES (1), (2), (3), (4), (5);
        ALTER TABLE Files ADD COLUMN domain; ALTER TABLE Files ADD COLUMN relativePath;
        ALTER TABLE Files ADD COLUMN flags;
        ALTER TABLE Files ADD COLUMN file DEFAULT '\(String(repeating: "x", count: 100_000))';
        """, "its rows have more bytes than the file could hold"
      ),
    ].map { (LongText($0.0), $0.1) })
  func `a manifest without its table, or with another, is an error`(
    statements: LongText, words: String
  ) async throws {
    let errorMessage = try await errorMessage { try $0.change(statements.text) }
    #expect(errorMessage?.contains(words) == true, "\(errorMessage ?? "nothing")")
  }

  @Test func `a manifest without rows has no items and no containers`() async throws {
    let backup = try await ExportedBackup(of: try Sample.scenario())
    try backup.change("DELETE FROM Files")
    let comparison = try backup.comparison()
    #expect(comparison.contents.records.isEmpty && comparison.contents.domains.isEmpty)
    #expect(comparison.agreeingItemCount == 0 && !comparison.isClean)
    #expect(comparison.differences.allSatisfy { $0.kind == .missing })
  }

  @Test func `a manifest with only the container has nothing to compare`() async throws {
    let backup = try await ExportedBackup(of: try Sample.scenario())
    #expect(try !backup.comparison().hasNoItems)
    #expect(try !backup.comparison(with: FileTree(), examined: []).hasNoItems)
    try backup.change(
      "DELETE FROM Files WHERE relativePath <> '' OR domain NOT LIKE 'AppDomain-%'")
    #expect(try !backup.comparison().hasNoItems)
    #expect(try backup.comparison(with: FileTree(), examined: []).hasNoItems)
  }

  @Test func `an impossible date is ignored, and the device's model is printed on one line`()
    async throws
  {
    let backup = try await ExportedBackup(of: try Sample.scenario())
    for date in [Double.nan, .infinity, 1e300] {
      try editList("Manifest.plist", of: backup) {
        $0["Date"] = .date(date)
        $0["Lockdown"] = .dictionary(["ProductType": .string("a\n\u{202E}")])
      }
      let folder = try BackupFolder(at: backup.device)
      #expect(folder.date == nil)
      #expect(folder.model == "a\\n\\u{202E}")
    }
  }

  /// Apple's dlopen takes a name without a slash from the working directory too.
  @Test func `SQLite is never loaded from the working directory`() {
    let names = SQLiteDatabase.libraryNames
    #expect(!names.isEmpty)
    #expect(names.allSatisfy { $0.hasPrefix("/usr/lib/") || $0.contains(".so") })
  }

  @Test func `a manifest that is no database is an error`() async throws {
    for bytes in [Data(), Data(repeating: 7, count: 10_000)] {
      let errorMessage = try await errorMessage { backup in
        try bytes.write(to: URL(fileURLWithPath: "\(backup.device)/Manifest.db"))
      }
      #expect(errorMessage?.contains("Manifest.db: ") == true, "\(errorMessage ?? "nothing")")
    }
  }

  /// The file is sparse, so that it needs no space on the volume.
  @Test(arguments: ["Manifest.db", "Manifest.db-wal"])
  func `a manifest that is too large is not copied`(name: String) async throws {
    let errorMessage = try await errorMessage { backup in
      let file = open("\(backup.device)/\(name)", O_WRONLY | O_CREAT, 0o600)
      #expect(ftruncate(file, 100_000_000_000) == 0)
      close(file)
    }
    #expect(errorMessage?.contains("\(name): is larger than 4.0 GB") == true)
  }

  @Test(arguments: [true, false])
  func `a manifest that is larger than its pages is not copied`(isDatabase: Bool) async throws {
    let errorMessage = try await errorMessage { backup in
      let file = open("\(backup.device)/Manifest.db", O_WRONLY, 0o600)
      if !isDatabase { #expect(ftruncate(file, 0) == 0) }
      #expect(ftruncate(file, 3_000_000_000) == 0)
      close(file)
    }
    let problem = isDatabase ? "its header says" : "it is not a SQLite database"
    #expect(
      errorMessage?.contains("Manifest.db: is damaged: \(problem)") == true, "\(errorMessage ?? "")"
    )
  }

  @Test(arguments: ["Manifest.db", "Manifest.plist", "Status.plist"])
  func `a link, a pipe or a folder in a file's place is not opened`(name: String) async throws {
    for make: (String) -> Int32 in [
      { symlink("/dev/zero", $0) }, { mkfifo($0, 0o600) }, { mkdir($0, 0o700) },
    ] {
      let errorMessage = try await errorMessage { backup in
        let path = "\(backup.device)/\(name)"
        unlink(path)
        #expect(make(path) == 0)
      }
      #expect(errorMessage?.contains(name) == true, "\(errorMessage ?? "nothing")")
    }
  }

  @Test func `the log beside a manifest is read, and the folder is not changed`()
    async throws
  {
    let backup = try await ExportedBackup(of: try Sample.scenario())
    let file = "\(backup.device)/Manifest.db"
    let writer = try SQLiteDatabase(path: file)
    // A log that is still open, as a killed program leaves it.
    _ = try writer.prepare("PRAGMA journal_mode = WAL").moveToNextRow()
    try writer.execute("DELETE FROM Files WHERE relativePath = 'Documents/list.json'")
    #expect(FileManager.default.fileExists(atPath: "\(file)-wal"))
    let comparison = try backup.comparison()
    #expect(comparison.differences.map(\.path.description) == ["Documents/list.json"])
    #expect(FileManager.default.fileExists(atPath: "\(file)-wal"))
  }

  @Test func `hostile rows are counted by kind`() async throws {
    let backup = try await ExportedBackup(of: try Sample.scenario())
    let manifest = "\(backup.device)/Manifest.db"
    let appDomain = backup.domains[0]
    let paths = [
      "../../etc/passwd", "/etc/passwd", "Documents/../..", "Documents//a", "Documents/",
      String(repeating: "a/", count: 200) + "a", String(repeating: "x", count: 1_000_000),
    ]
    for path in paths {
      try ManifestEditing.add(BackupRecord(.file(size: 1)), at: path, in: appDomain, of: manifest)
    }
    try backup.change(
      """
      INSERT INTO Files VALUES ('a', '\(appDomain.name)', X'00', 1, X'00');
      INSERT INTO Files VALUES ('b', '\(appDomain.name)', 'Documents/b', 'one', X'00');
      INSERT INTO Files VALUES ('c', '\(appDomain.name)', 'Documents/c', 1, X'00');
      INSERT INTO Files VALUES ('d', '\(appDomain.name)', 'Documents/d', 1, zeroblob(10000000));
      INSERT INTO Files VALUES ('e', X'07', 'Documents/e', 1, X'00');
      INSERT INTO Files SELECT 'f', domain, relativePath, flags, file FROM Files
        WHERE relativePath = 'Documents/list.json';
      INSERT INTO Files SELECT 'g', domain, 'Nowhere/g', flags, file FROM Files
        WHERE relativePath = 'Documents/list.json' AND fileID != 'f';
      """)
    let comparison = try backup.comparison()
    let faults = comparison.contents.faults.mapValues(\.count)
    #expect(
      faults == [
        .impossiblePath: 7, .wrongTypes: 3, .unreadableArchive: 2, .duplicateItem: 1, .wrongName: 2,
        .contradiction: 1, .unlistedParent: 1,
      ],
      "\(faults)")
    #expect(comparison.differences.map(\.path.description) == ["Nowhere/g", "Nowhere/g"])
    #expect(comparison.text.contains("wrong in the manifest (7):\n"))
    #expect(comparison.text.utf8.count < 5_000)
    #expect(!comparison.isClean)
  }

  @Test func `an item of the app is never treated as an item of another container`() async throws {
    let backup = try await ExportedBackup(of: try Sample.scenario())
    for path in ["group.com.example.app:/planted", "group.com.example.app:", "com.example.x:/y"] {
      try ManifestEditing.add(
        BackupRecord(.directory), at: path, in: backup.domains[0],
        of: "\(backup.device)/Manifest.db")
    }
    let comparison = try backup.comparison()
    #expect(comparison.contents.faults.mapValues(\.count) == [.impossiblePath: 3])
    #expect(comparison.differences.isEmpty, "\(comparison.text)")
  }

  @Test(arguments: [0, 1])
  func `a container that is described as a link is a contradiction`(domain: Int) async throws {
    let backup = try await ExportedBackup(of: try Sample.scenario())
    try backup.change("DELETE FROM Files WHERE domain = '\(backup.domains[domain].name)'")
    try ManifestEditing.add(
      BackupRecord(.link(target: Array("/".utf8))), at: "", in: backup.domains[domain],
      of: "\(backup.device)/Manifest.db")
    let faults = try backup.comparison().contents.faults
    #expect(faults.mapValues(\.count) == [.contradiction: 1])
  }

  @Test func `a statement that never ends is given up`() throws {
    let folder = try TestFolder()
    let database = try SQLiteDatabase(path: folder.url("x.db").path, maximumStepCount: 100_000)
    let rows = try database.prepare(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n")
    let error = #expect(throws: BackupFolderError.self) { try rows.moveToNextRow() }
    #expect(
      error?.reason.hasPrefix("reading stopped because it takes far longer than for a real backup")
        == true)
  }
}
