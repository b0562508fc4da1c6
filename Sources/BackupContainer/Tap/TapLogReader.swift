/// Reads the records of a log one after the other, and keeps what was done.
struct TapLogReader {
  /// A change, by its process and its number.
  struct Change: Hashable {
    /// The process's id.
    let process: UInt32
    let number: UInt32
  }

  /// What begins each record.
  private static let magic: UInt32 = 0x3154_4253
  /// The kinds of records that tell what became of a change.
  private static let failed: UInt32 = 13
  private static let short: UInt32 = 16
  /// How many bytes a record's header has.
  private static let headerSize = 48

  private let bytes: [UInt8]
  /// Where the record begins that is read.
  private var start = 0
  /// What was read, with nil for what was not done.
  private(set) var records: [TapRecord?] = []
  /// Where in that a change is. An id may be used again, and a program that takes another's place
  /// counts from 1 again: then it is the last.
  private var places: [Change: Int] = [:]

  /// Reads a log from its begin.
  init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// A number in the header of the record.
  private func number<Number: FixedWidthInteger>(at offset: Int) -> Number {
    bytes.withUnsafeBytes { bytes in
      Number(littleEndian: bytes.loadUnaligned(fromByteOffset: start + offset, as: Number.self))
    }
  }

  /// Says what is wrong with the record.
  private func error(_ reason: String) -> TapLogError {
    TapLogError(offset: start, reason: reason)
  }

  /// Reads the next record and does what it says; returns false at the end.
  mutating func readRecord() throws(TapLogError) -> Bool {
    guard start < bytes.count else { return false }
    guard bytes.count - start >= Self.headerSize else { throw error("ends within its header") }
    guard number(at: 0) == Self.magic else { throw error("does not begin as records do") }
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
    let change = Change(process: number(at: 16), number: number(at: 20))
    let (offset, argument): (Int64, Int64) = (number(at: 24), number(at: 32))
    guard offset >= 0, argument >= 0 else { throw error("has a number below 0") }
    let kind: UInt32 = number(at: 4)
    if kind == Self.failed { return records[try place(of: change)] = nil }
    if kind == Self.short { return try shorten(change, to: argument) }
    guard let kind = TapRecord.Kind(rawValue: kind) else {
      throw error("is of the kind \(kind), which there is not")
    }
    guard path > 0 else { throw error("has no path") }
    let paths = start + Self.headerSize
    let data = paths + path + other
    places[change] = records.count
    records.append(
      TapRecord(
        kind: kind, process: change.process, number: change.number,
        path: String(decoding: bytes[paths..<paths + path], as: UTF8.self),
        other: String(decoding: bytes[paths + path..<data], as: UTF8.self),
        offset: offset, argument: argument, data: Array(bytes[data..<end])))
  }

  /// Where a change is that the record tells of.
  private func place(of change: Change) throws(TapLogError) -> Int {
    guard let place = places[change], records[place] != nil else {
      throw error(
        "tells of the change \(change.number) of process \(change.process), "
          + "which is not before it")
    }
    return place
  }

  /// Leaves the first bytes of a write.
  private mutating func shorten(_ change: Change, to count: Int64) throws(TapLogError) {
    let place = try place(of: change)
    guard var record = records[place], record.kind != .unseen else { return }
    guard record.kind == .write, count <= record.count else {
      throw error(
        "tells of more bytes than the change \(change.number) of process "
          + "\(change.process) writes")
    }
    if record.data.isEmpty {
      record.argument = count
    } else {
      record.data.removeSubrange(Int(count)...)
    }
    records[place] = count == 0 ? nil : record
  }
}
