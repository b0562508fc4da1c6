import CBackupFiles
import Foundation
import Testing
import TreeSupport

@testable import BackupContainer
@testable import BackupFileTree

/// Each operation has the same effect on items and marks, on the tree and on disk.
@Suite struct OperationTests {
  /// Returns a twin with a marked file, `Documents/a`.
  private func makeTwinWithMarkedFile() throws -> Twin {
    var twin = try Twin()
    try twin.prepare(.save("Documents/a"), .mark("Documents/a"))
    return twin
  }

  @Test func `a copy of a directory keeps every mark inside and its own`() throws {
    var twin = try makeTwinWithMarkedFile()
    try twin.prepare(
      .setMark(.extendedAttribute, on: "Documents", to: true),
      .link("Documents/l", destination: "x"),
      .copy("Documents", to: "tmp/d"))
    #expect(twin.tree["tmp/d"] == twin.tree["Documents"])
    #expect(twin.tree["tmp/d/a"]?.marks == .resourceValue)
    #expect(twin.tree["tmp/d"]?.marks == .extendedAttribute)
  }

  @Test func `a set of marks is set mark by mark, and an empty one changes nothing`() throws {
    var twin = try Twin()
    try twin.prepare(.save("Documents/a"), .setMark([], on: "Documents/a", to: true))
    #expect(twin.tree["Documents/a"]?.marks == [])
    let bothMarks = ExclusionMark(ExclusionMark.all)
    try twin.prepare(.setMark(bothMarks, on: "Documents/a", to: true))
    try twin.prepare(.setMark([], on: "Documents/a", to: false))
    #expect(twin.tree["Documents/a"]?.marks == bothMarks)
    try twin.prepare(.setMark(bothMarks, on: "Documents/a", to: false))
    #expect(twin.tree["Documents/a"]?.marks == [])
  }

  @Test func `a copy of a directory leaves out the pipes in it`() throws {
    let container = try FakeContainer()
    try container.apply(.makeDirectory("tmp/d"))
    try #require(mkfifo(container.temporary.appending(path: "d/pipe").path, 0o644) == 0)
    var tree = try container.scan()
    try tree.apply(.copy("tmp/d", to: "Documents/d"))
    try container.apply(.copy("tmp/d", to: "Documents/d"))
    #expect(try container.scan() == tree)
    #expect(tree.contains("tmp/d/pipe") && !tree.contains("Documents/d/pipe"))
  }

  @Test func `clearing a mark that is not there is no error`() throws {
    var twin = try Twin()
    try twin.prepare(.setMark(.resourceValue, on: "Documents", to: false))
  }

  @Test func `missing directories are made only when asked`() throws {
    var twin = try Twin()
    #expect(try twin.perform(.makeDirectory("a/b"))?.code == .noSuchFile)
    try twin.prepare(.createDirectory("a/b/c", intermediates: true))
    try twin.prepare(.createDirectory("a/b/c", intermediates: true))
    #expect(twin.tree.contains("a/b/c"))
  }

  @Test func `a link points from its own directory`() throws {
    var twin = try Twin()
    try twin.prepare(
      .link("Documents/l", destination: "Library/Caches/x"),
      .link("Documents/here", destination: "Documents"), .link("top", destination: "tmp"))
    let target = { twin.tree[$0]?.kind } as (ContainerPath) -> FileTree.Kind?
    #expect(target("Documents/l") == .link(target: Array("../Library/Caches/x".utf8)))
    #expect(target("Documents/here") == .link(target: Array(".".utf8)))
    #expect(target("top") == .link(target: Array("tmp".utf8)))
  }

  @Test func `a file is a database if it begins with a database's header`() throws {
    var twin = try Twin()
    let contents = FileOperation.Contents.bytes(FileOperation.Contents.databaseHeader)
    try twin.prepare(
      .write("tmp/a", .bytes([]), method: .inPlace), .append("tmp/a", contents),
      .write("tmp/b", .text("x"), method: .inPlace), .append("tmp/b", contents))
    #expect(twin.tree["tmp/a"]?.kind == .file(.init(size: 16, isDatabase: true)))
    #expect(twin.tree["tmp/b"]?.kind == .file(.init(size: 17, isDatabase: false)))
  }

  @Test func `a move onto itself changes nothing`() throws {
    var twin = try makeTwinWithMarkedFile()
    let before = twin.tree
    try twin.prepare(.move("Documents/a", to: "Documents/a", replacing: true))
    #expect(twin.tree == before)
  }

  @Test func `a negative number of bytes counts as none`() throws {
    var twin = try makeTwinWithMarkedFile()
    try twin.prepare(
      .append("Documents/a", .zeros(-3)), .write("tmp/a", .zeros(.min), method: .inPlace))
    #expect(twin.tree["Documents/a"]?.size == 5)
    #expect(twin.tree["tmp/a"]?.size == 0)
  }

  @Test func `a read-only file is copied with its mark and replaced with its permissions`() throws {
    var twin = try makeTwinWithMarkedFile()
    let url = twin.container.documents.appending(path: "a")
    try #require(chmod(url.path, 0o444) == 0)
    try twin.prepare(.copy("Documents/a", to: "tmp/b"), .save("Documents/a"))
    #expect(twin.tree["tmp/b"]?.marks == .resourceValue)
    #expect(try DiskPath(url).status()?.permissions == 0o444)
    #expect(try DiskPath(twin.container.url(of: "tmp/b")).status()?.permissions == 0o444)
  }
}
