import BackupFileTree
import Foundation
import TestSupport
import Testing
import TreeSupport

@testable import BackupContainer

/// Logs of FileSystemTap. Most of them are malformed on purpose.
@Suite struct TapLogTests {
  /// Returns the bytes of a record. A given `length` is wrong on purpose.
  private static func record(
    kind: UInt32, number: UInt32 = 1, path: String = "", other: String = "", offset: Int64 = 0,
    argument: Int64 = 0, data: [UInt8] = [], length: UInt64? = nil, pathLength: UInt32? = nil,
    magic: UInt32 = 0x3154_4253
  ) -> [UInt8] {
    var bytes: [UInt8] = []
    func add(_ value: some FixedWidthInteger) {
      withUnsafeBytes(of: value.littleEndian) { bytes += $0 }
    }
    add(magic)
    add(kind)
    add(length ?? UInt64(48 + path.utf8.count + other.utf8.count + data.count))
    add(UInt32(77))
    add(number)
    add(offset)
    add(argument)
    add(pathLength ?? UInt32(path.utf8.count))
    add(UInt32(other.utf8.count))
    return bytes + Array(path.utf8) + Array(other.utf8) + data
  }

  /// A log with one failed change, and two writes that wrote only a part of their bytes.
  private static let log =
    record(kind: 1, number: 1, path: "/c/a")
    + record(kind: 3, number: 2, path: "/c/a", offset: 5, data: [1, 2, 3])
    + record(kind: 16, number: 2, argument: 2)
    + record(kind: 4, number: 3, path: "/c/a", other: "/c/b", argument: 1)
    + record(kind: 9, number: 4, path: "/c/b")
    + record(kind: 13, number: 4, argument: 17)
    + record(kind: 12, number: 0, path: "/c/b")
    + record(kind: 3, number: 5, path: "/c/b", argument: 700_000_000)
    + record(kind: 16, number: 5, argument: 10)

  /// Returns the changes that a log has of a container at `/c`.
  @discardableResult
  private static func changes(_ log: [UInt8]) throws(TapLogError) -> [FileChange] {
    try TapLog(log) { path in
      path.hasPrefix("/c/") ? try? ContainerPath(path.dropFirst(3)) : nil
    }.changes
  }

  @Test func `a log has the successful changes in order`() throws {
    #expect(
      try Self.changes(Self.log) == [
        .create("a"), .write("a", .bytes([1, 2]), at: 5), .rename("a", to: "b"), .unseen("b"),
        .write("b", .zeros(10), at: 0),
      ])
  }

  @Test func `a failure refers to the last change with its number`() throws {
    let log =
      Self.record(kind: 9, path: "/c/a") + Self.record(kind: 9, path: "/c/b")
      + Self.record(kind: 13, argument: 17)
    #expect(try Self.changes(log) == [.createDirectory("a")])
  }

  @Test func `a write of no bytes is no change`() throws {
    let log = Self.record(kind: 3, path: "/c/a", data: [1]) + Self.record(kind: 16)
    #expect(try Self.changes(log) == [])
  }

  @Test func `a change outside of the container is left out, even if it failed`() throws {
    let write = Self.record(kind: 3, path: "/d/a", data: [1])
    #expect(try Self.changes(write + Self.record(kind: 16)) == [])
    #expect(try Self.changes(write + Self.record(kind: 13)) == [])
  }

  @Test(arguments: [2, 3, 14], [[Int64.max, .max], [0, .max], [8_000_000_000_001, 0]])
  func `impossible offsets and sizes make a change unseen`(
    kind: UInt32, numbers: [Int64]
  ) throws {
    let log = Self.record(kind: kind, path: "/c/a", offset: numbers[0], argument: numbers[1])
    #expect(try Self.changes(log) == [.unseen("a")])
  }

  @Test(arguments: [
    (record(kind: 1, path: "/c", magic: 7), "does not begin like a record"),
    (record(kind: 1, path: "/c", length: 51), "is longer than the rest of the log"),
    (record(kind: 1, path: "/c", length: .max), "is longer than the rest of the log"),
    (record(kind: 1, path: "/c", length: 0), "is shorter than the paths in it"),
    (record(kind: 1, path: "/c", pathLength: .max), "is shorter than the paths in it"),
    (record(kind: 1, path: "/c", offset: -1), "has a negative number"),
    (record(kind: 2, path: "/c", argument: .min), "has a negative number"),
    (record(kind: 18, path: "/c"), "has the unknown kind 18"),
    (record(kind: 0, path: "/c"), "has the unknown kind 0"),
    (record(kind: 9), "has no path"),
    (
      record(kind: 13, number: 3),
      "refers to change 3 of process 77, which does not come before it"
    ),
    (record(kind: 16), "refers to change 1 of process 77, which does not come before it"),
  ])
  func `a malformed record is an error`(bytes: [UInt8], reason: String) throws {
    let before = Self.record(kind: 9, number: 9, path: "/c")
    let error = #expect(throws: TapLogError.self) { try Self.changes(before + bytes) }
    #expect(error?.reason == reason)
    #expect(error?.offset == before.count)
    #expect(
      error?.description.hasPrefix(
        "the log of the app's changes to files cannot be read: the record at byte 50 \(reason). ")
        == true)
  }

  @Test func `a result with more bytes than its write is an error`() throws {
    let write = Self.record(kind: 3, path: "/c/a", data: [1, 2])
    let error = #expect(throws: TapLogError.self) {
      try Self.changes(write + Self.record(kind: 16, argument: 3))
    }
    #expect(error?.reason == "has more bytes than change 1 of process 77 writes")
    let folder = Self.record(kind: 9, path: "/c/a") + Self.record(kind: 16, argument: 0)
    #expect(throws: TapLogError.self) { try Self.changes(folder) }
  }

  @Test
  func `a log that ends within a record is an error, and one that ends between records is not`() {
    var readablePrefixes = 0
    for count in 0...Self.log.count {
      do throws(TapLogError) {
        try Self.changes(Array(Self.log.prefix(count)))
        readablePrefixes += 1
      } catch {
        #expect(
          error.reason.hasPrefix(
            "ends in the middle of") || error.reason.hasPrefix("is longer"))
      }
    }
    #expect(readablePrefixes == 10)
  }

  @Test func `no bytes make it crash`() {
    for seed in Thoroughness.seeds(200, of: 20000) {
      var generator = SeededGenerator(seed: seed)
      var bytes = Self.log
      for _ in 0...Int.random(in: 0..<8, using: &generator) {
        let index = bytes.indices.randomElement(using: &generator) ?? 0
        bytes[index] = UInt8.random(in: 0...255, using: &generator)
      }
      _ = try? Self.changes(bytes)
      _ = try? Self.changes(Array(bytes.dropFirst(Int.random(in: 0..<48, using: &generator))))
    }
  }
}
