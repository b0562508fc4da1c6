import BackupDevice
import BackupFileTree
import Testing

/// The files that SQLite keeps beside a database.
@Suite struct DatabaseSiblingTests {
  /// The suffixes that SQLite appends to a database's name.
  static let suffixes = ["-wal", "-shm", "-journal"]

  @Test(arguments: suffixes)
  func `a sibling of a readable database is stored with it`(suffix: String) throws {
    let name = "Documents/app.sqlite"
    let set = try FileTree.app.with(name, .database).with(name + suffix).backedUp()
    #expect(try set.holds(name))
    #expect(try set.reason(name + suffix) == .databaseSibling(of: try path(name)))
  }

  @Test(arguments: suffixes)
  func `a sibling of a file that is no database is stored on its own`(suffix: String) throws {
    let set = try FileTree.app.with(files: "Documents/x.db", "Documents/x.db" + suffix).backedUp()
    #expect(try set.holds("Documents/x.db" + suffix))
  }

  @Test(
    arguments: [FileTree.Kind.emptyDirectory, .link, .special, .unreadable(reason: "no")], suffixes)
  func `a sibling of anything but a readable file is stored on its own`(
    kind: FileTree.Kind, suffix: String
  ) throws {
    let set = try FileTree.app.with("Documents/x.db", kind).with("Documents/x.db" + suffix)
      .backedUp()
    #expect(try set.holds("Documents/x.db" + suffix))
  }

  @Test(arguments: suffixes)
  func `a sibling without its database is stored on its own`(suffix: String) throws {
    let tree = try FileTree.app.with("Library/x.db", .database)
      .with(files: "Documents/x.db" + suffix)
    #expect(try tree.backedUp().holds("Documents/x.db" + suffix))
  }

  @Test(arguments: ["Documents/x.db-WAL", "Documents/x.db-wal2", "Documents/X.db-wal"])
  func `other names beside a database are ordinary`(file: String) throws {
    let tree = try FileTree.app.with("Documents/x.db", .database).with(file)
    #expect(try tree.backedUp().holds(file))
  }

  @Test(arguments: suffixes)
  func `a directory or link with a sibling's name is an ordinary one`(suffix: String) throws {
    let tree = try FileTree.app.with("Documents/x.db", .database)
    let name = "Documents/x.db" + suffix
    #expect(try tree.with(name, .emptyDirectory).backedUp().holds(name))
    #expect(try tree.with(name, .link).backedUp().holds(name))
  }

  @Test(arguments: suffixes)
  func `a suffix alone is a name like any other`(suffix: String) throws {
    let name = "Documents/" + suffix
    #expect(try FileTree.app.with(files: name).backedUp().holds(name))
  }

  @Test(arguments: suffixes)
  func `a sibling at the top of a group container is found too`(suffix: String) throws {
    let tree = try FileTree().with("app.sqlite", .database).with("app.sqlite" + suffix)
    let set = try tree.backedUp(container: .appGroup)
    #expect(try set.holds("app.sqlite"))
    #expect(try set.reason("app.sqlite" + suffix) == .databaseSibling(of: try path("app.sqlite")))
  }

  @Test func `a sibling of a sibling belongs to the file whose name it extends`() throws {
    let tree = try FileTree.app.with("Documents/x", .database).with("Documents/x-wal", .database)
      .with("Documents/x-wal-shm")
    let database = try path("Documents/x-wal")
    #expect(
      try tree.backedUp().reason("Documents/x-wal-shm") == .databaseSibling(of: database))
  }

  @Test func `a marked sibling is left out for its mark`() throws {
    let tree = try FileTree.app.with("Documents/x.db", .database)
      .with("Documents/x.db-wal", marks: .resourceValue)
    #expect(try tree.backedUp().reason("Documents/x.db-wal") == .ownMark(.resourceValue))
  }
}
