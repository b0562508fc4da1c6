import Foundation
import Testing

@testable import BackupContainer
@testable import BackupFileTree
@testable import BackupFolders

/// A scan of a container reads the values in SQLite databases.
@Suite struct DatabaseRowsTests {
  private let container: FakeContainer
  private let database: SQLiteDatabase

  init() throws {
    container = try FakeContainer()
    database = try SQLiteDatabase(
      path: container.documents.appendingPathComponent("notes.sqlite").path)
    try database.execute("CREATE TABLE \"my notes\"(id INTEGER PRIMARY KEY, text TEXT)")
  }

  private func leaves(knowing known: FileTree = FileTree()) throws -> (tree: FileTree, count: Int?)
  {
    let tree = try container.addingChecksums(to: container.scan(), known: known)
    let path = try ContainerPath("Documents/notes.sqlite")
    return (tree, tree.fileInformation(at: path)?.details?.values?.leaves.count)
  }

  private func insertNote(_ text: String) throws {
    try database.execute("INSERT INTO \"my notes\"(text) VALUES ('\(text)')")
  }

  @Test func `each column of each row is a value`() throws {
    #expect(try leaves().count == 0)
    try insertNote("lake")
    try insertNote("hill")
    #expect(try leaves().count == 4)
  }

  @Test func `rows that are only in the log count, and reading them changes no file`() throws {
    _ = try database.prepare("PRAGMA journal_mode = WAL").moveToNextRow()
    try insertNote("lake")
    let (tree, count) = try leaves()
    #expect(count == 2)
    try insertNote("hill")
    let before = try Data(contentsOf: container.documents.appendingPathComponent("notes.sqlite"))
    let log = try Data(contentsOf: container.documents.appendingPathComponent("notes.sqlite-wal"))
    #expect(try leaves(knowing: tree).count == 4)
    #expect(
      try Data(contentsOf: container.documents.appendingPathComponent("notes.sqlite")) == before)
    #expect(
      try Data(contentsOf: container.documents.appendingPathComponent("notes.sqlite-wal")) == log)
  }

  @Test func `the values of a damaged database are unknown`() throws {
    let file = container.documents.appendingPathComponent("notes.sqlite")
    try (Data("SQLite format 3\0".utf8) + Data(repeating: 7, count: 5000)).write(to: file)
    #expect(try leaves().count == nil)
  }
}
