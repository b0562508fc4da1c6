/// What processes have changed, in the order in which they did, as FileSystemTap has noted it.
///
/// A log may come from any process, so nothing in it is trusted.
package struct TapLog: Sendable {
  private struct ChangeID: Hashable {
    let process: UInt32
    let number: UInt32
  }

  private static let magic: UInt32 = 0x3154_4253
  /// The kinds of records that tell what became of a change.
  private static let failed: UInt32 = 13
  private static let short: UInt32 = 16
  /// Added to the kind of a write that makes the file longer.
  private static let grows: UInt32 = 0x100
  private static let headerSize = 48

  private let bytes: [UInt8]
  private var start = 0
  /// What was read, with nil for what was not done.
  private var noted: [TapRecord?] = []
  /// Where in that a change is. An id may be used again, and a program that takes another's place
  /// counts from 1 again: then it is the last.
  private var places: [ChangeID: Int] = [:]

  package init(_ bytes: [UInt8]) throws(TapLogError) {
    self.bytes = bytes
    while try readRecord() {}
  }

  /// The changes that were done, but for the last of each process, which may have been killed
  /// before it; and the mappings.
  package var records: [TapRecord] { noted.compactMap(\.self) }

  private func number<Number: FixedWidthInteger>(at offset: Int) -> Number {
    bytes.withUnsafeBytes { bytes in
      Number(littleEndian: bytes.loadUnaligned(fromByteOffset: start + offset, as: Number.self))
    }
  }

  private func error(_ reason: String) -> TapLogError {
    TapLogError(offset: start, reason: reason)
  }

  /// Reads the next record and does what it says; returns false at the end.
  private mutating func readRecord() throws(TapLogError) -> Bool {
    guard start < bytes.count else { return false }
    guard bytes.count - start >= Self.headerSize else {
      throw error(
        "ends in the middle of its header")
    }
    guard number(at: 0) == Self.magic else { throw error("does not begin like a record") }
    let length: UInt64 = number(at: 8)
    guard length <= bytes.count - start else { throw error("is longer than the rest of the log") }
    let (path, other): (UInt32, UInt32) = (number(at: 40), number(at: 44))
    guard length >= UInt64(Self.headerSize) + UInt64(path) + UInt64(other) else {
      throw error("is shorter than the paths in it")
    }
    try take(path: Int(path), other: Int(other), end: start + Int(length))
    start += Int(length)
    return true
  }

  /// Does what the record says, whose lengths are right.
  private mutating func take(path: Int, other: Int, end: Int) throws(TapLogError) {
    let change = ChangeID(process: number(at: 16), number: number(at: 20))
    let (offset, argument): (Int64, Int64) = (number(at: 24), number(at: 32))
    guard offset >= 0, argument >= 0 else { throw error("has a negative number") }
    let kind: UInt32 = number(at: 4)
    if kind == Self.failed { return noted[try place(of: change)] = nil }
    if kind == Self.short { return try shorten(change, to: argument) }
    let isGrowth = kind & Self.grows != 0
    guard let kind = TapRecord.Kind(rawValue: kind & ~Self.grows),
      !isGrowth || kind == .write || kind == .copy
    else {
      throw error("has the unknown kind \(kind)")
    }
    guard path > 0 else { throw error("has no path") }
    let paths = start + Self.headerSize
    let data = paths + path + other
    places[change] = noted.count
    noted.append(
      TapRecord(
        kind: kind, process: change.process, number: change.number,
        path: String(decoding: bytes[paths..<paths + path], as: UTF8.self),
        other: String(decoding: bytes[paths + path..<data], as: UTF8.self),
        offset: offset, argument: argument, data: Array(bytes[data..<end]), isGrowth: isGrowth))
  }

  private func place(of change: ChangeID) throws(TapLogError) -> Int {
    guard let place = places[change], noted[place] != nil else {
      throw error(
        "refers to change \(change.number) of process \(change.process), which does not come "
          + "before it")
    }
    return place
  }

  private mutating func shorten(_ change: ChangeID, to count: Int64) throws(TapLogError) {
    let place = try place(of: change)
    guard var record = noted[place], record.kind != .unseen else { return }
    guard record.kind == .write || record.kind == .copy, count <= record.count else {
      throw error(
        "has more bytes than change \(change.number) of process \(change.process) writes")
    }
    if record.data.isEmpty {
      record.argument = count
    } else {
      record.data.removeSubrange(Int(count)...)
    }
    noted[place] = count == 0 ? nil : record
  }
}

/// A log of FileSystemTap's that is invalid, or is not whole.
package struct TapLogError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Where the record at fault begins, in bytes.
  package let offset: Int
  package let reason: String

  package var description: String {
    "the log of the app's changes to files cannot be read: the record at byte \(offset) \(reason). "
      + "Either the app's code wrote into the log, or this is a bug in the kit; please report it"
  }
}

/// A change of a process's to files, as FileSystemTap has noted it before it was done.
package struct TapRecord: Hashable, Sendable {
  /// What is changed; the numbers are those of `FileSystemTap.h`.
  package enum Kind: UInt32, CaseIterable, Sendable {
    case create = 1
    /// A file gets the length `argument`.
    case truncate = 2
    /// Bytes are written at `offset`.
    case write = 3
    /// `path` becomes `other`, by the flags of `renameat2` in `argument`.
    case rename = 4
    /// `path` gets a further name, `other`.
    case hardLink = 5
    case symbolicLink = 6
    /// What is no directory is removed.
    case unlink = 7
    case removeDirectory = 8
    case makeDirectory = 9
    /// The extended attribute `other` gets the value `data`, by the flags of `setxattr`.
    case setAttribute = 10
    /// The extended attribute `other` is removed.
    case removeAttribute = 11
    /// From now on the process can write to the file unseen. This is no change itself.
    case mapping = 12
    /// From `offset` on `argument` bytes are allocated, which makes the file longer.
    case allocate = 14
    /// The item changes in a way that the log cannot tell.
    case unseen = 15
    /// Bytes of another file are written at `offset`.
    case copy = 17
  }

  package let kind: Kind
  package let process: UInt32
  /// Which change of the process it is, from 1; 0 for a mapping.
  package let number: UInt32
  /// The item's absolute path. Bytes that are no UTF-8 have become U+FFFD.
  package let path: String
  /// Another path, or the name of an attribute; empty for most kinds.
  package let other: String
  package let offset: Int64
  package internal(set) var argument: Int64
  /// What is written. Nothing but zeros are left out, and then `argument` says how many.
  package internal(set) var data: [UInt8]
  /// Whether it is a write that makes the file longer.
  package var isGrowth = false

  /// How many bytes a write writes.
  package var count: Int { data.isEmpty ? Int(argument) : data.count }
}
