package import BackupFileTree

/// The changes that processes made, in order, as FileSystemTap noted them.
///
/// Any process may write into a log, so the reader checks each record.
package struct TapLog: Sendable {
  /// The kind of a record; the numbers are those of `FileSystemTap.h`.
  enum Kind: UInt32 {
    case create = 1
    /// A file gets the length `argument`.
    case truncate = 2
    /// Bytes are written at `offset`.
    case write = 3
    /// The item at `path` is renamed to `other`. `argument` has the flags of renameat2(2).
    case rename = 4
    /// `path` gets a further name, `other`.
    case hardLink = 5
    case symbolicLink = 6
    /// A file or a link is removed.
    case unlink = 7
    case removeDirectory = 8
    case makeDirectory = 9
    /// The extended attribute `other` gets the value `data`. `argument` has the flags of
    /// setxattr(2).
    case setAttribute = 10
    /// The extended attribute `other` is removed.
    case removeAttribute = 11
    /// The process maps the file, and can change it from now on without a record. The file does not
    /// change yet.
    case mapping = 12
    /// The change with the same process and number has failed.
    case failed = 13
    /// `argument` bytes are allocated from `offset` on, which makes the file longer.
    case allocate = 14
    /// The item changes in a way that the log cannot describe.
    case unseen = 15
    /// Of the write with the same process and number, only the first `argument` bytes were written.
    case shortWrite = 16
    /// Bytes of another file are written at `offset`.
    case copy = 17
    /// Only in notes of calls (``ChangeCall``): a device refuses to make or write the item.
    case refused = 18
    /// Only in notes of calls (``ChangeCall``): the item is looked for or opened, and is missing.
    case look = 19
  }

  private struct ChangeID: Hashable {
    let process: UInt32
    let number: UInt32
  }

  /// The first four bytes of each record.
  private static let magic: UInt32 = 0x3154_4253
  /// Added to the kind of a write that makes the file longer.
  private static let growthFlag: UInt32 = 0x100
  private static let headerSize = 48

  private let bytes: [UInt8]
  /// The offset of the record that is being read.
  private var recordStart = 0
  /// The changes that were read. An entry is nil if the change was not made, or is not in the
  /// container.
  private var recordedChanges: [FileChange?] = []
  /// The index in `recordedChanges` of each change that may have been made. Two changes may have
  /// the same id: the system reuses process ids, and after exec(3) a process counts its changes
  /// from 1 again. The index is then that of the later change.
  private var indicesByID: [ChangeID: Int] = [:]

  /// Reads a log. `containerPath` maps an absolute path into the container, and returns nil for a
  /// path outside.
  package init(
    _ bytes: [UInt8], _ containerPath: (String) -> ContainerPath?
  ) throws(TapLogError) {
    self.bytes = bytes
    while try readRecord(containerPath) {}
  }

  /// The changes that were made. The last change of each process may not have been made, because
  /// the process may have been killed just before it.
  package var changes: [FileChange] { recordedChanges.compactMap(\.self) }

  private func number<Number: FixedWidthInteger>(at offset: Int) -> Number {
    bytes.withUnsafeBytes { bytes in
      Number(
        littleEndian: bytes.loadUnaligned(fromByteOffset: recordStart + offset, as: Number.self))
    }
  }

  // The fields of the record at `recordStart`. They are valid once the lengths in the record were
  // checked.
  private var isGrowth: Bool { number(at: 4) & Self.growthFlag != 0 }
  private var recordEnd: Int { recordStart + Int(number(at: 8) as UInt64) }
  private var id: ChangeID { ChangeID(process: number(at: 16), number: number(at: 20)) }
  private var offset: Int64 { number(at: 24) }
  private var argument: Int64 { number(at: 32) }
  private var pathEnd: Int { recordStart + Self.headerSize + Int(number(at: 40) as UInt32) }
  private var otherEnd: Int { pathEnd + Int(number(at: 44) as UInt32) }
  private var path: String { text(recordStart + Self.headerSize..<pathEnd) }
  private var other: String { text(pathEnd..<otherEnd) }
  private var data: ArraySlice<UInt8> { bytes[otherEnd..<recordEnd] }

  private func text(_ range: Range<Int>) -> String {
    String(decoding: bytes[range], as: UTF8.self)
  }

  private func error(_ reason: String) -> TapLogError {
    TapLogError(offset: recordStart, reason: reason)
  }

  /// Reads the next record and adds or corrects a change. Returns false at the end.
  private mutating func readRecord(
    _ containerPath: (String) -> ContainerPath?
  ) throws(TapLogError) -> Bool {
    guard recordStart < bytes.count else { return false }
    guard bytes.count - recordStart >= Self.headerSize else {
      throw error(
        "ends in the middle of its header")
    }
    guard number(at: 0) == Self.magic else { throw error("does not begin like a record") }
    let length: UInt64 = number(at: 8)
    guard length <= bytes.count - recordStart else {
      throw error("is longer than the rest of the log")
    }
    let (pathLength, otherLength): (UInt32, UInt32) = (number(at: 40), number(at: 44))
    guard length >= UInt64(Self.headerSize) + UInt64(pathLength) + UInt64(otherLength) else {
      throw error("is shorter than the paths in it")
    }
    try readChange(containerPath)
    recordStart = recordEnd
    return true
  }

  private mutating func readChange(
    _ containerPath: (String) -> ContainerPath?
  ) throws(TapLogError) {
    guard offset >= 0, argument >= 0 else { throw error("has a negative number") }
    let kindNumber: UInt32 = number(at: 4)
    guard let kind = Kind(rawValue: kindNumber & ~Self.growthFlag), kind != .refused, kind != .look,
      !isGrowth || kind == .write || kind == .copy
    else {
      throw error("has the unknown kind \(kindNumber)")
    }
    switch kind {
    case .failed: try replaceChange(with: nil)
    case .shortWrite: try shorten()
    default:
      let absolutePath = path
      guard !absolutePath.isEmpty else { throw error("has no path") }
      let itemChange = containerPath(absolutePath).flatMap { change(kind, $0, containerPath) }
      indicesByID[id] = recordedChanges.count
      recordedChanges.append(itemChange)
    }
  }

  /// Returns the change of an item, or nil for a change of an attribute that the kit ignores.
  private func change(
    _ kind: Kind, _ path: ContainerPath, _ containerPath: (String) -> ContainerPath?
  ) -> FileChange? {
    // The kit creates no larger file, and the sum of two such numbers does not overflow.
    guard max(offset, argument) <= FileOperation.Contents.largest else { return .unseen(path) }
    switch kind {
    case .create: return .create(path)
    case .truncate: return .resize(path, to: argument)
    case .allocate: return .resize(path, to: offset + argument)
    case .write, .copy:
      return .write(
        path, data.isEmpty ? .zeros(argument) : .bytes(Array(data)), at: offset,
        isCopy: kind == .copy, isGrowth: isGrowth)
    case .rename where argument & ~1 == 0:
      return containerPath(other).map { .rename(path, to: $0) } ?? .unseen(path)
    case .hardLink: return containerPath(other).map { .hardLink($0, of: path) } ?? .unseen(path)
    case .symbolicLink: return .link(path, target: Array(data))
    case .unlink: return .remove(path, isDirectory: false)
    case .removeDirectory: return .remove(path, isDirectory: true)
    case .makeDirectory: return .createDirectory(path)
    case .setAttribute, .removeAttribute:
      let name = other
      switch ItemAttributes.ExtendedAttribute.all.first(where: { name.hasSuffix($0.name) }) {
      case .mark(let mark): return .setMark(mark, on: path, isSet: kind == .setAttribute)
      case nil: return nil
      }
    case .rename, .mapping, .unseen, .failed, .shortWrite, .refused, .look: return .unseen(path)
    }
  }

  /// Returns the index in `recordedChanges` of the change that the record refers to.
  private func indexOfReferredChange() throws(TapLogError) -> Int {
    guard let index = indicesByID[id] else {
      throw error(
        "refers to change \(id.number) of process \(id.process), which does not come before it")
    }
    return index
  }

  /// Replaces the change that the record refers to with the part that was made; nil if no part was.
  private mutating func replaceChange(with madePart: FileChange?) throws(TapLogError) {
    recordedChanges[try indexOfReferredChange()] = madePart
    if madePart == nil { indicesByID[id] = nil }
  }

  /// Shortens the write that the record refers to.
  private mutating func shorten() throws(TapLogError) {
    switch recordedChanges[try indexOfReferredChange()] {
    case nil, .unseen: break
    case .write(let path, let contents, at: let writeStart, let isCopy, let isGrowth)
    where argument <= contents.size:
      try replaceChange(
        with: argument == 0
          ? nil
          : .write(
            path, contents.prefix(argument), at: writeStart, isCopy: isCopy, isGrowth: isGrowth))
    default:
      throw error(
        "has more bytes than change \(id.number) of process \(id.process) writes")
    }
  }
}

extension FileOperation.Contents {
  fileprivate func prefix(_ count: Int64) -> FileOperation.Contents {
    switch self {
    case .zeros(let size): .zeros(min(size, count))
    case .bytes(let bytes): .bytes(Array(bytes.prefix(Int(count))))
    }
  }
}

/// An error about an invalid or incomplete log of FileSystemTap.
package struct TapLogError: Error, Hashable, Sendable, CustomStringConvertible {
  /// The offset of the record at fault, in bytes.
  package let offset: Int
  package let reason: String

  package var description: String {
    "the log of the app's changes to files cannot be read: the record at byte \(offset) \(reason). "
      + "Either the app's code wrote into the log, or this is a bug in the kit; please report it"
  }
}
