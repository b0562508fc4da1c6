import Foundation
import TestSupport
import Testing
import TreeSupport

@testable import BackupContainer
@testable import BackupFileTree

/// No operation follows a link out of the container.
@Suite struct LinkSafetyTests {
  /// The container with the links.
  private let container: FakeContainer
  /// Another container, to which the link `Documents/out` leads.
  private let outside: FakeContainer
  private let outsideTree: FileTree

  init() throws {
    container = try FakeContainer()
    outside = try FakeContainer()
    try outside.apply(.save("Documents/precious"))
    outsideTree = try outside.scan()
    let link = container.documents.appending(path: "out").path
    try #require(symlink(outside.documents.path, link) == 0)
    let fileLink = container.documents.appending(path: "file").path
    try #require(symlink(outside.documents.appending(path: "precious").path, fileLink) == 0)
    try container.apply(.save("tmp/mine"))
  }

  @Test(
    arguments: [
      .makeDirectory("Documents/out/x"), .createDirectory("Documents/out/x", intermediates: true),
      .save("Documents/out/x"), .write("Documents/out/precious", .zeros(9), method: .inPlace),
      .write("Documents/out/precious", .zeros(9), method: .deleteFirst),
      .append("Documents/out/precious", .zeros(9)),
      .move("Documents/out/precious", to: "tmp/x", replacing: true),
      .move("tmp/mine", to: "Documents/out/precious", replacing: true),
      .copy("Documents/out/precious", to: "tmp/x"), .copy("tmp/mine", to: "Documents/out/x"),
      .remove("Documents/out/precious"), .link("Documents/out/x", destination: "tmp"),
      .mark("Documents/out/precious"), .mark("Documents/out"), .save("Documents/file"),
      .write("Documents/file", .zeros(9), method: .inPlace), .append("Documents/file", .zeros(9)),
      .write("Documents/file", .zeros(9), method: .deleteFirst), .mark("Documents/file"),
    ] as [FileOperation])
  func `an operation through a link is refused`(operation: FileOperation) throws {
    let treeBefore = try container.scan()
    let error = thrownError { () throws(FileOperation.Failure) in try container.apply(operation) }
    #expect(error?.code == .notAFile)
    #expect(try outside.scan() == outsideTree)
    #expect(try container.scan() == treeBefore)
  }

  @Test(
    arguments: [
      .remove("Documents/out"), .move("Documents/out", to: "tmp/x", replacing: false),
      .copy("Documents/out", to: "tmp/x"), .remove("Documents"), .copy("Documents", to: "tmp/d"),
      .move("tmp/mine", to: "Documents/out", replacing: true),
    ] as [FileOperation])
  func `an operation on the link itself leaves its target unchanged`(
    operation: FileOperation
  ) throws {
    var expected = try container.scan()
    try expected.apply(operation)
    try container.apply(operation)
    #expect(try container.scan() == expected)
    #expect(try outside.scan() == outsideTree)
  }

  @Test func `removing the container leaves the targets of its links unchanged`() throws {
    try container.remove()
    #expect(try outside.scan() == outsideTree)
  }

  @Test func `materialising replaces a link instead of following it`() throws {
    var tree = FileTree.Layout.newlyInstalled.tree
    tree.ensureDirectory("Documents/out/inside")
    tree.insert(FileTree.Item(.file(.init(size: 3))), at: "Documents/file")
    try container.materialise(tree)
    #expect(try container.scan() == tree)
    #expect(try outside.scan() == outsideTree)
  }
}
