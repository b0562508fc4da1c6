import BackupFileTree
import CBackupFiles
import Foundation
import TestSupport
import Testing
import TreeSupport

@testable import BackupContainer

/// Copies of a container share the unchanged pieces of large files.
struct SavedPartsTests {
  private static let pieceLength = 1 << 16

  /// Returns `count` pieces, each with another byte.
  private static func makePieces(_ count: Int) -> [UInt8] {
    (0..<count).flatMap { number in
      [UInt8](repeating: UInt8(truncatingIfNeeded: number + 1), count: pieceLength)
    }
  }

  private static func write(_ bytes: [UInt8], in container: FakeContainer) throws {
    try Data(bytes).write(to: container.documents.appending(path: "movie"))
  }

  @Test func `a file that grows in pieces is kept once`() throws {
    let container = try FakeContainer()
    let allBytes = Self.makePieces(20)
    var copies: [SavedContainer] = []
    for count in 1...20 {
      try Self.write(Array(allBytes.prefix(count * Self.pieceLength - 100)), in: container)
      copies.append(try container.save())
    }
    // The last piece of each copy is incomplete, so the next copy stores it again.
    #expect(container.savedCopiesByteCount < 2 * allBytes.count)
    for (index, copy) in copies.enumerated().reversed() {
      try container.goBack(to: copy)
      let found = try container.bytes(of: "Documents/movie")
      #expect(
        found.map { $0 == Array(allBytes.prefix((index + 1) * Self.pieceLength - 100)) } == true)
    }
    copies = []
    #expect(container.savedCopiesByteCount == 0)
  }

  @Test func `after a change in place, only the changed pieces are stored again`() throws {
    let container = try FakeContainer()
    var bytes = Self.makePieces(10)
    try Self.write(bytes, in: container)
    let first = try container.save()
    let before = try container.scan()
    bytes[5 * Self.pieceLength + 7] = 0
    try Self.write(bytes, in: container)
    let second = try container.save()
    #expect(container.savedCopiesByteCount == 11 * Int64(Self.pieceLength))
    try container.goBack(to: first)
    #expect(try container.bytes(of: "Documents/movie").map { $0 == Self.makePieces(10) } == true)
    #expect(try container.scan() == before)
    try container.goBack(to: second)
    #expect(try container.bytes(of: "Documents/movie").map { $0 == bytes } == true)
  }

  @Test func `each copy has its own marks, dates, permissions and holes`() throws {
    let container = try FakeContainer()
    let url = container.documents.appending(path: "movie")
    try Self.write(Self.makePieces(2), in: container)
    #expect(truncate(url.path, off_t(10 * Self.pieceLength)) == 0)
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

  @Test func `random changes of the container change no copy`() throws {
    var generator = SeededGenerator(seed: 7)
    let container = try FakeContainer()
    let length = 12 * Self.pieceLength
    var bytes = Self.makePieces(8)
    var copies: [(copy: SavedContainer, bytes: [UInt8])] = []
    for _ in 0..<60 {
      if let earlierCopy = copies.randomElement(using: &generator), Bool.random(using: &generator) {
        try container.goBack(to: earlierCopy.copy)
        bytes = earlierCopy.bytes
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
