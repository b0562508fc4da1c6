import Foundation
import TestSupport
import Testing
import TreeSupport

@testable import BackupContainer
@testable import BackupFileTree

/// An operation that fails has an error code, names the item, and changes nothing.
@Suite struct OperationErrorTests {
  /// Returns a twin with a file `a`, a full directory `d`, an empty one `e` and a link `l`, all in
  /// `Documents`.
  private func makeTwin() throws -> Twin {
    var twin = try Twin()
    try twin.prepare(
      .save("Documents/a"), .makeDirectory("Documents/d"), .makeDirectory("Documents/e"),
      .save("Documents/d/x"), .link("Documents/l", destination: "tmp"))
    return twin
  }

  @Test(
    arguments: [
      (.save("no/x"), .noSuchFile, "no"),
      (.append("Documents/no", .zeros(1)), .noSuchFile, "Documents/no"),
      (.remove("Documents/no"), .noSuchFile, "Documents/no"),
      (.mark("Documents/no"), .noSuchFile, "Documents/no"),
      (.copy("no", to: "tmp/x"), .noSuchFile, "no"),
      (.move("no", to: "tmp/x", replacing: true), .noSuchFile, "no"),
      (.move("Documents/a", to: "no/x", replacing: true), .noSuchFile, "no"),
      (.link("no/x", destination: "tmp"), .noSuchFile, "no"),
      (.makeDirectory("Documents/d"), .fileExists, "Documents/d"),
      (.createDirectory("Documents/a", intermediates: true), .fileExists, "Documents/a"),
      (.copy("Documents/a", to: "Documents/d"), .fileExists, "Documents/d"),
      (.move("Documents/a", to: "Documents/e", replacing: false), .fileExists, "Documents/e"),
      (.link("Documents/a", destination: "tmp"), .fileExists, "Documents/a"),
      (.save("Documents/a/x"), .notADirectory, "Documents/a"),
      (.createDirectory("Documents/a/x", intermediates: true), .notADirectory, "Documents/a"),
      (.move("Documents/d", to: "Documents/a", replacing: true), .notADirectory, "Documents/a"),
      (.save("Documents/d"), .isADirectory, "Documents/d"),
      (.append("Documents/d", .zeros(1)), .isADirectory, "Documents/d"),
      (.move("Documents/a", to: "Documents/e", replacing: true), .isADirectory, "Documents/e"),
      (.move("Documents/e", to: "Documents/d", replacing: true), .directoryNotEmpty, "Documents/d"),
      (.save("Documents/l"), .notAFile, "Documents/l"),
      (.append("Documents/l", .zeros(1)), .notAFile, "Documents/l"),
      (.mark("Documents/l"), .notAFile, "Documents/l"),
      (.copy("Documents/d", to: "Documents/d/x2"), .intoItself, "Documents/d"),
      (.move("Documents/d", to: "Documents/d/x2", replacing: false), .intoItself, "Documents/d"),
      (.write("tmp/x", .zeros(.max), method: .inPlace), .tooLarge, "tmp/x"),
      (.append("Documents/a", .zeros(FileOperation.Contents.largest)), .tooLarge, "Documents/a"),
    ] as [(FileOperation, FileOperation.Failure.Code, ContainerPath)])
  func `a mistake is refused and named`(
    operation: FileOperation, code: FileOperation.Failure.Code, path: ContainerPath
  ) throws {
    var twin = try makeTwin()
    let before = twin.tree
    let error = try twin.perform(operation)
    #expect(error == FileOperation.Failure(code, path))
    #expect(error?.description.contains("'\(path)'") == true)
    #expect(twin.tree == before)
  }

  @Test func `a copy or move that makes a path too long is refused`() throws {
    var twin = try Twin()
    let name = String(repeating: "n", count: 200)
    let deepPath = try ContainerPath(
      "tmp/a/" + Array(repeating: name, count: 4).joined(separator: "/"))
    let longPath = try ContainerPath("tmp/" + String(repeating: "m", count: 250))
    try twin.prepare(.createDirectory(deepPath, intermediates: true))
    let error = FileOperation.Failure(.pathTooLong, longPath)
    #expect(try twin.perform(.move("tmp/a", to: longPath, replacing: false)) == error)
    #expect(try twin.perform(.copy("tmp/a", to: longPath)) == error)
  }

  @Test func `a pipe is removed and moved, but neither written nor copied`() throws {
    var twin = try Twin()
    let url = twin.container.temporary.appending(path: "pipe")
    try #require(mkfifo(url.path, 0o644) == 0)
    let tree = try twin.container.scan()
    for operation in [
      .save("tmp/pipe"), .append("tmp/pipe", .zeros(1)), .copy("tmp/pipe", to: "tmp/x"),
      .mark("tmp/pipe"),
    ] as [FileOperation] {
      var copy = tree
      let onTree = thrownError { () throws(FileOperation.Failure) in try copy.apply(operation) }
      let onDisk = thrownError { () throws(FileOperation.Failure) in
        try twin.container.apply(operation)
      }
      #expect(onTree == FileOperation.Failure(.notAFile, "tmp/pipe"))
      #expect(onDisk == onTree)
    }
    try twin.container.apply(.move("tmp/pipe", to: "tmp/moved", replacing: false))
    try twin.container.apply(.remove("tmp/moved"))
    #expect(try twin.container.scan() == FileTree.Layout.newlyInstalled.tree)
    try twin.prepare(.save("tmp/pipe"))
  }

  @Test func `an error of the file system is reported in its words`() throws {
    let container = try FakeContainer()
    try container.remove()
    let error = thrownError { () throws(FileOperation.Failure) in
      try container.apply(.makeDirectory("a"))
    }
    #expect(error?.code == .failed)
    #expect(error?.description.contains("'a': ") == true)
    #expect(error?.underlying?.isEmpty == false)
  }
}
