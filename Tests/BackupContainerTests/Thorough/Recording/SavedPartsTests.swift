import BackupFileTree
import CBackupFiles
import Foundation
import TestSupport
import Testing
import TreeSupport

@testable import BackupContainer

/// What copies of a container keep of large files.
struct SavedPartsTests {
  private static let piece = 1 << 16

  /// Bytes that differ from piece to piece.
  private static func bytes(_ pieces: Int) -> [UInt8] {
    (0..<pieces).flatMap { number in
      [UInt8](repeating: UInt8(truncatingIfNeeded: number + 1), count: piece)
    }
  }

  private static func write(_ bytes: [UInt8], in container: FakeContainer) throws {
    try Data(bytes).write(to: container.documents.appending(path: "movie"))
  }

  @Test func `a file that grows in pieces is kept once`() throws {
    let container = try FakeContainer()
    let all = Self.bytes(20)
    var copies: [SavedContainer] = []
    for count in 1...20 {
      try Self.write(Array(all.prefix(count * Self.piece - 100)), in: container)
      copies.append(try container.save())
    }
    // The last piece of each is not whole, and is kept again.
    #expect(container.bytesOfSavedCopies < 2 * all.count)
    for (index, copy) in copies.enumerated().reversed() {
      try container.goBack(to: copy)
      let found = try container.bytes(of: "Documents/movie")
      #expect(found.map { $0 == Array(all.prefix((index + 1) * Self.piece - 100)) } == true)
    }
    copies = []
    #expect(container.bytesOfSavedCopies == 0)
  }

  @Test func `of a file that is changed in place the changed pieces are kept again`() throws {
    let container = try FakeContainer()
    var bytes = Self.bytes(10)
    try Self.write(bytes, in: container)
    let first = try container.save()
    let before = try container.scan()
    bytes[5 * Self.piece + 7] = 0
    try Self.write(bytes, in: container)
    let second = try container.save()
    #expect(container.bytesOfSavedCopies == 11 * Int64(Self.piece))
    try container.goBack(to: first)
    #expect(try container.bytes(of: "Documents/movie").map { $0 == Self.bytes(10) } == true)
    #expect(try container.scan() == before)
    try container.goBack(to: second)
    #expect(try container.bytes(of: "Documents/movie").map { $0 == bytes } == true)
  }

  @Test func `a copy outlives the one that it shares with`() throws {
    let container = try FakeContainer()
    let bytes = Self.bytes(4)
    try Self.write(bytes, in: container)
    var first: SavedContainer? = try container.save()
    let second = try container.save()
    #expect(first != nil)
    first = nil
    try Self.write([], in: container)
    try container.goBack(to: second)
    #expect(try container.bytes(of: "Documents/movie").map { $0 == bytes } == true)
  }

  @Test func `what the app writes after a return changes no copy`() throws {
    let container = try FakeContainer()
    let bytes = Self.bytes(4)
    try Self.write(bytes, in: container)
    let copies = [try container.save(), try container.save()]
    for copy in copies {
      try container.goBack(to: copy)
      let file = try FileHandle(forUpdating: container.documents.appending(path: "movie"))
      try file.write(contentsOf: [UInt8](repeating: 99, count: bytes.count))
      try file.close()
    }
    for copy in copies {
      try container.goBack(to: copy)
      #expect(try container.bytes(of: "Documents/movie").map { $0 == bytes } == true)
    }
  }

  @Test func `marks, dates, permissions and holes are those of each copy`() throws {
    let container = try FakeContainer()
    let url = container.documents.appending(path: "movie")
    try Self.write(Self.bytes(2), in: container)
    #expect(truncate(url.path, off_t(10 * Self.piece)) == 0)
    let first = try container.save()
    let before = (tree: try container.scan(), status: try status(of: url), blocks(of: url))
    try container.apply(.setMark(.resourceValue, on: "Documents/movie", to: true))
    #expect(chmod(url.path, 0o600) == 0)
    let second = try container.save()
    let after = try status(of: url)
    try container.goBack(to: first)
    #expect(try container.scan() == before.tree)
    #expect(try status(of: url).modified == before.status.modified)
    #expect(try status(of: url).permissions == before.status.permissions)
    #expect(blocks(of: url) <= before.2)
    try container.goBack(to: second)
    #expect(try status(of: url).permissions == after.permissions)
    #expect(try container.scan()["Documents/movie"]?.marks == .resourceValue)
  }

  @Test func `copies of random changes are all what they were`() throws {
    var generator = SeededGenerator(seed: 7)
    let container = try FakeContainer()
    let length = 12 * Self.piece
    var bytes = Self.bytes(8)
    var copies: [(copy: SavedContainer, bytes: [UInt8])] = []
    for _ in 0..<60 {
      if let kept = copies.randomElement(using: &generator), Bool.random(using: &generator) {
        try container.goBack(to: kept.copy)
        bytes = kept.bytes
      }
      switch Int.random(in: 0..<4, using: &generator) {
      case 0: bytes = Array(bytes.prefix(Int.random(in: 0...length, using: &generator)))
      case 1:
        let count = min(Int.random(in: 0...length, using: &generator), length - bytes.count)
        bytes += [UInt8](repeating: 0, count: max(0, count))
      case 2 where !bytes.isEmpty:
        bytes[Int.random(in: bytes.indices, using: &generator)] &+= 1
      default: break
      }
      try Self.write(bytes, in: container)
      copies.append((try container.save(), bytes))
      if copies.count > 8 {
        copies.remove(at: Int.random(in: copies.indices, using: &generator))
      }
    }
    for (copy, bytes) in copies {
      try container.goBack(to: copy)
      #expect(try container.bytes(of: "Documents/movie").map { $0 == bytes } == true)
    }
  }

  private func status(of url: URL) throws -> cfs_status {
    try #require(try DiskPath(url).status())
  }

  private func blocks(of url: URL) -> Int {
    var status = stat()
    return stat(url.path, &status) == 0 ? Int(status.st_blocks) : -1
  }
}
