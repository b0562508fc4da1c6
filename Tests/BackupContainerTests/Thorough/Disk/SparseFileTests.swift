import CBackupFiles
import Foundation
import TestSupport
import Testing
import TreeSupport

@testable import BackupContainer
@testable import BackupFileTree

/// Large files of zeros take no disk space, even if they are copied.
@Suite struct SparseFileTests {
  private func allocatedBytes(_ url: URL) throws -> Int64 {
    var status = stat()
    try #require(lstat(url.path, &status) == 0)
    return Int64(status.st_blocks) * 512
  }

  @Test func `700 MB of zeros take no room`() throws {
    var twin = try Twin()
    try twin.prepare(.write("tmp/film", .zeros(700_000_000), method: .atomically))
    #expect(try allocatedBytes(twin.container.url(of: "tmp/film")) < 1_000_000)
  }

  @Test func `a copy keeps the holes and the data between them`() throws {
    var twin = try Twin()
    try twin.prepare(
      .write("tmp/a", .text("head"), method: .inPlace), .append("tmp/a", .zeros(300_000_000)),
      .append("tmp/a", .text("middle")), .append("tmp/a", .zeros(300_000_000)),
      .copy("tmp/a", to: "tmp/b"))
    let copy = twin.container.url(of: "tmp/b")
    #expect(try allocatedBytes(copy) < 1_000_000)
    let file = try FileHandle(forReadingFrom: copy)
    #expect(try file.read(upToCount: 5) == Data("head\0".utf8))
    try file.seek(toOffset: 300_000_004)
    #expect(try file.read(upToCount: 7) == Data("middle\0".utf8))
    #expect(twin.tree["tmp/b"]?.size == 600_000_010)
  }

  /// Apple platforms copy files this way: a file may take no blocks there although it holds data,
  /// so the kit does not ask for holes.
  @Test func `a copy by reading has all data, and holes where blocks are zeros`() throws {
    var twin = try Twin()
    let data = (0..<9000).map { UInt8($0 % 251) }
    try twin.prepare(
      .write("tmp/a", .zeros(5000), method: .inPlace), .append("tmp/a", .bytes(data)),
      .append("tmp/a", .zeros(300_000)), .append("tmp/a", .text("end")),
      .append("tmp/a", .zeros(20_000)))
    let (file, copy) = (twin.container.url(of: "tmp/a"), twin.container.url(of: "tmp/b"))
    let count = try DiskPath(file).copyFile(to: DiskPath(copy), by: cfs_read_next_extent)
    #expect(try Data(contentsOf: copy) == Data(contentsOf: file))
    #expect(count < 20_000)
    #expect(try allocatedBytes(copy) < 40_000)
  }

  @Test func `a file is a hole only if it reads as zeros`() throws {
    let folder = try TestFolder(["data": "\0\0a"])
    try folder.write(Data(count: 100_000), to: "zeros")
    try folder.write("", to: "empty")
    let holes = try ["data", "zeros", "empty"].map { name in
      try DiskPath(folder.url(name)).withFile(O_RDONLY) { file throws(SystemError) in
        var extent = cfs_extent()
        return cfs_read_next_extent(file, 0, 200_000, &extent) == 0
      }
    }
    #expect(holes == [false, true, true])
  }

  @Test func `an archive keeps the holes`() throws {
    let container = try FakeContainer()
    try container.apply(.write("tmp/a", .zeros(700_000_000), method: .inPlace))
    let tree = try container.scan()
    let archive = try ContainerArchive(of: ["tmp/a"], in: container)
    try container.apply(.remove("tmp/a"))
    try container.materialise(tree, contents: archive)
    #expect(try container.scan() == tree)
    #expect(try allocatedBytes(container.url(of: "tmp/a")) < 1_000_000)
  }
}
