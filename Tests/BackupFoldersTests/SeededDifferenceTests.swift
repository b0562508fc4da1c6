import BackupDevice
import BackupFileTree
import BackupReports
import Foundation
import TestSupport
import Testing

@testable import BackupFolders

/// Differences between a backup and its containers, which the tests create. The comparison has to
/// name each of them, and nothing else.
@Suite struct SeededDifferenceTests {
  /// A difference and the report on it.
  struct SeededDifference: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// Creates the difference: changes the backup folder, or the containers that it is compared
    /// with.
    let makeDifference: @Sendable (ExportedBackup, inout FileTree) throws -> Void
    /// The kind of the difference, as its word in reports.
    let kind: String
    /// A line that the report must contain.
    let line: String

    init(
      _ description: String, is kind: String, says line: String,
      _ makeDifference: @escaping @Sendable (ExportedBackup, inout FileTree) throws -> Void
    ) {
      self.testDescription = description
      self.kind = kind
      self.line = line
      self.makeDifference = makeDifference
    }
  }

  private static func file(_ size: Int64) -> FileTree.Item {
    FileTree.Item(.file(FileTree.FileInformation(size: size)))
  }

  private static func path(_ text: String) throws -> ContainerPath { try ContainerPath(text) }

  private static func removal(of path: String) -> String {
    "DELETE FROM Files WHERE relativePath = '\(path)'"
  }

  static let seededDifferences = rows + contents + containers

  /// Differences in the rows of the manifest.
  private static let rows = [
    SeededDifference("a file is not listed", is: "predicted-in", says: "  Documents/list.json\n") {
      backup, _ in
      try backup.change(removal(of: "Documents/list.json"))
    },
    SeededDifference("a directory is not listed", is: "predicted-in", says: "  Documents/Empty\n") {
      backup, _ in
      try backup.change(removal(of: "Documents/Empty"))
    },
    SeededDifference("a link is not listed", is: "predicted-in", says: "  Documents/Previews\n") {
      backup, _ in
      try backup.change(removal(of: "Documents/Previews"))
    },
    SeededDifference(
      "an odd name is not listed", is: "predicted-in", says: "  Documents/映画 🎬.txt\n"
    ) {
      backup, _ in
      try backup.change(removal(of: "Documents/映画 🎬.txt"))
    },
    SeededDifference(
      "a group's file is not listed", is: "predicted-in",
      says: "  group.com.example.app:/widget.json\n"
    ) {
      backup, _ in try backup.change(removal(of: "widget.json"))
    },
    SeededDifference(
      "an extension's file is not listed", is: "predicted-in",
      says: "  com.example.app.widget:/Documents/choice.json\n"
    ) { backup, _ in try backup.change(removal(of: "Documents/choice.json")) },
    SeededDifference(
      "a marked file is listed", is: "predicted-out", says: "  Documents/movie.mp4: it is marked\n"
    ) { backup, _ in
      try add(BackupRecord(.file(size: 7_000)), "Documents/movie.mp4", to: backup)
    },
    SeededDifference(
      "a cache is listed", is: "predicted-out",
      says: "  Library/Caches: Library/Caches is never backed up\n"
    ) {
      backup, _ in
      try add(BackupRecord(.directory), "Library/Caches", to: backup)
    },
    SeededDifference(
      "a directory of scratch files is listed", is: "predicted-out",
      says: "  tmp: tmp is never backed up\n"
    ) {
      backup, _ in
      try add(BackupRecord(.directory), "tmp", to: backup)
    },
    SeededDifference(
      "a database's sibling is listed", is: "predicted-out",
      says: "  Documents/notes.db-wal: it is stored with the database Documents/notes.db\n"
    ) { backup, _ in
      try add(BackupRecord(.file(size: 9_000)), "Documents/notes.db-wal", to: backup)
    },
    SeededDifference(
      "a group's cache is listed", is: "predicted-out",
      says:
        "  group.com.example.app:/Library/Caches: group.com.example.app:/Library/Caches is never"
    ) {
      backup, _ in try add(BackupRecord(.directory), "Library/Caches", to: backup, in: 1)
    },
    SeededDifference(
      "a marked file is listed that only the backup has", is: "predicted-out",
      says: "  Documents/gone.mp4: it is marked\n"
    ) { backup, _ in
      var record = BackupRecord(.file(size: 1))
      record.attributes.marks = .resourceValue
      try add(record, "Documents/gone.mp4", to: backup)
    },
    SeededDifference(
      "an unknown file is listed", is: "not-in-container", says: "  Documents/stranger\n"
    ) {
      backup, _ in
      try add(BackupRecord(.file(size: 1)), "Documents/stranger", to: backup)
    },
    SeededDifference(
      "a file is listed as a directory", is: "unlike",
      says: "  Documents/list.json: a directory in the backup, a file of 6 bytes in the container\n"
    ) { backup, _ in
      try ManifestEditing.describe(
        "Documents/list.json", as: BackupRecord(.directory), in: "\(backup.device)/Manifest.db")
    },
    SeededDifference(
      "a file is listed with another size", is: "unlike",
      says: "  Documents/list.json: a file of 7 bytes in the backup, a file of 6 bytes in the "
        + "container\n"
    ) { backup, _ in
      try ManifestEditing.describe(
        "Documents/list.json", as: BackupRecord(.file(size: 7)), in: "\(backup.device)/Manifest.db")
      try Data("[1, 23]".utf8).write(to: backup.contents(of: "Documents/list.json"))
    },
    SeededDifference(
      "a link leads elsewhere", is: "unlike",
      says:
        "  Documents/Previews: a link to /tmp in the backup, a link to ../Library/Caches in the "
        + "container\n"
    ) { backup, _ in
      try ManifestEditing.describe(
        "Documents/Previews", as: BackupRecord(.link(target: Array("/tmp".utf8))),
        in: "\(backup.device)/Manifest.db")
    },
  ]

  private static let contents = [
    SeededDifference(
      "a file's contents are gone", is: "without-contents",
      says: "  Documents/list.json: the file is missing\n"
    ) {
      backup, _ in
      try FileManager.default.removeItem(at: backup.contents(of: "Documents/list.json"))
    },
    SeededDifference(
      "the contents of a file of no bytes are gone", is: "without-contents",
      says: "  Documents/nothing: the file is missing\n"
    ) { backup, _ in
      try FileManager.default.removeItem(at: backup.contents(of: "Documents/nothing"))
    },
    SeededDifference(
      "a file's contents are cut short", is: "without-contents",
      says: "  Documents/list.json: a file of 1 byte is there instead\n"
    ) { backup, _ in
      try Data("[".utf8).write(to: backup.contents(of: "Documents/list.json"))
    },
    SeededDifference(
      "a link is in the place of a file's contents", is: "without-contents",
      says: "  Documents/list.json: something other than a file is there\n"
    ) { backup, _ in
      let file = backup.contents(of: "Documents/list.json")
      try FileManager.default.removeItem(at: file)
      try FileManager.default.createSymbolicLink(
        at: file, withDestinationURL: backup.contents(of: "Documents/nothing"))
    },
    SeededDifference(
      "a folder of contents is a link", is: "without-contents",
      says: "  Documents/list.json: the file is missing\n"
    ) { backup, _ in
      let folder = backup.contents(of: "Documents/list.json").deletingLastPathComponent()
      let moved = folder.deletingLastPathComponent().appendingPathComponent("moved")
      try FileManager.default.moveItem(at: folder, to: moved)
      try FileManager.default.createSymbolicLink(at: folder, withDestinationURL: moved)
    },
  ]

  /// Differences in the containers.
  private static let containers = [
    SeededDifference(
      "a file came into the container", is: "predicted-in", says: "  Documents/new\n"
    ) {
      _, tree in
      tree.insert(file(1), at: try path("Documents/new"))
    },
    SeededDifference(
      "a file went from the container", is: "not-in-container", says: "  Documents/list.json\n"
    ) { _, tree in
      tree.remove(try path("Documents/list.json"))
    },
    SeededDifference(
      "a file was marked", is: "predicted-out", says: "  Documents/list.json: it is marked\n"
    ) {
      _, tree in
      tree.modify(try path("Documents/list.json")) { $0.marks = .resourceValue }
    },
    SeededDifference(
      "a marked file has lost its mark", is: "predicted-in", says: "  Documents/movie.mp4\n"
    ) {
      _, tree in
      tree.modify(try path("Documents/movie.mp4")) { $0.marks = [] }
    },
    SeededDifference(
      "a group's container was marked whole", is: "predicted-out",
      says: "  group.com.example.app:: it is marked\n"
    ) {
      _, tree in
      tree.modify(try path("group.com.example.app:")) { $0.marks = .resourceValue }
    },
  ]

  /// Adds a row to the manifest, and contents if the row is a file.
  private static func add(
    _ record: BackupRecord, _ path: String, to backup: ExportedBackup, in domain: Int = 0
  ) throws {
    try ManifestEditing.add(
      record, at: path, in: backup.domains[domain], of: "\(backup.device)/Manifest.db")
    guard case .file(let size) = record.kind else { return }
    let file = backup.contents(of: path, in: domain)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(count: Int(size)).write(to: file)
  }

  @Test(arguments: seededDifferences)
  func `a difference is named`(difference: SeededDifference) async throws {
    let backup = try await ExportedBackup(of: try Sample.scenario())
    var tree = backup.tree
    try difference.makeDifference(backup, &tree)
    let comparison = try backup.comparison(with: tree)
    #expect(comparison.text.contains(difference.line), "\(comparison.text)")
    #expect(!comparison.isClean)
    let expected = difference.testDescription.contains("marked whole") ? 3 : 1
    let kinds = comparison.differences.map(\.kind.word)
    #expect(kinds == [String](repeating: difference.kind, count: expected), "\(comparison.text)")
    #expect(comparison.contents.faults.isEmpty, "\(comparison.text)")
    #expect(try comparison.json().contains("\"outcome\" : \"\(difference.kind)\""))
  }

  @Test func `there are at least twenty differences, and without them the comparison is clean`()
    async throws
  {
    #expect(Self.seededDifferences.count >= 20)
    let comparison = try await ExportedBackup(of: try Sample.scenario()).comparison()
    #expect(comparison.isClean, "\(comparison.text)")
    #expect(
      comparison.text.contains(
        """
        excluded, as predicted (7):
          excluded by a mark: Documents/movie.mp4
          excluded by its place: Library/Caches, com.example.app.widget:/Library/Caches, com.example.app.widget:/tmp, group.com.example.app:/Library/Caches, tmp
          Documents/notes.db-wal: it is stored with the database Documents/notes.db
        """), "\(comparison.text)")
  }

  @Test
  func `without a container, only the items of the backup are compared, and the report says so`()
    async throws
  {
    let backup = try await ExportedBackup(of: try Sample.scenario())
    try backup.change(Self.removal(of: "Documents/list.json"))
    let clean = try backup.comparison(with: FileTree(), examined: [])
    #expect(clean.differences.isEmpty, "\(clean.text)")
    #expect(clean.text.contains("No container of com.example.app, "))
    try Self.add(BackupRecord(.file(size: 1)), "Library/Caches", to: backup)
    let comparison = try backup.comparison(with: FileTree(), examined: [])
    #expect(comparison.differences.map(\.kind.word) == ["predicted-out"])
  }

  @Test func `a database may have another size, because a backup stores it with its log`()
    async throws
  {
    let backup = try await ExportedBackup(of: try Sample.scenario())
    try ManifestEditing.describe(
      "Documents/notes.db", as: BackupRecord(.file(size: 45_000)),
      in: "\(backup.device)/Manifest.db")
    #expect(try backup.comparison().isClean)
  }
}
