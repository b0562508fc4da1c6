import Foundation
import Testing
import TreeSupport

@testable import BackupContainer
@testable import BackupFileTree

/// Large files cost nothing, copied or not.
@Suite struct SparseFileTests {
  /// How many bytes of the disk a file takes.
  private func allocated(_ url: URL) throws -> Int64 {
    var status = stat()
    try #require(lstat(url.path, &status) == 0)
    return Int64(status.st_blocks) * 512
  }

  @Test func `700 MB of zeros take no room`() throws {
    var twin = try Twin()
    try twin.prepare(.write("tmp/film", .zeros(700_000_000), method: .atomically))
    #expect(try allocated(twin.container.url(of: "tmp/film")) < 1_000_000)
  }

  @Test func `a copy keeps the holes and the data between them`() throws {
    var twin = try Twin()
    try twin.prepare(
      .write("tmp/a", .text("head"), method: .inPlace), .append("tmp/a", .zeros(300_000_000)),
      .append("tmp/a", .text("middle")), .append("tmp/a", .zeros(300_000_000)),
      .copy("tmp/a", to: "tmp/b"))
    let copy = twin.container.url(of: "tmp/b")
    #expect(try allocated(copy) < 1_000_000)
    let file = try FileHandle(forReadingFrom: copy)
    #expect(try file.read(upToCount: 5) == Data("head\0".utf8))
    try file.seek(toOffset: 300_000_004)
    #expect(try file.read(upToCount: 7) == Data("middle\0".utf8))
    #expect(twin.tree["tmp/b"]?.size == 600_000_010)
  }

  @Test func `an archive keeps the holes`() throws {
    let container = try FakeContainer()
    try container.apply(.write("tmp/a", .zeros(700_000_000), method: .inPlace))
    let tree = try container.scan()
    let archive = try ContainerArchive(of: ["tmp/a"], in: container)
    try container.apply(.remove("tmp/a"))
    try container.materialise(tree, contents: archive)
    #expect(try container.scan() == tree)
    #expect(try allocated(container.url(of: "tmp/a")) < 1_000_000)
  }
}
