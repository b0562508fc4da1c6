import BackupFileTree

/// The list of items in a backup before iOS 10, `Manifest.mbdb`.
///
/// Its records consist of numbers, highest byte first, and of texts. The length of each text comes
/// before the text.
struct MobileBackupDatabase {
  private static let header = Array("mbdb".utf8) + [5, 0]
  /// The size, in bytes, of the largest file that the kit reads: some two million items.
  private static let maximumSize = 300_000_000

  private var remaining: ArraySlice<UInt8>

  static func read(at path: String, into collector: inout ManifestCollector)
    throws(BackupFolderError)
  {
    let bytes = try BackupFolder.bytes(at: path, atMost: maximumSize)
    guard bytes.starts(with: header) else {
      throw BackupFolderError(path, "is not a Manifest.mbdb: its first bytes differ")
    }
    var database = MobileBackupDatabase(remaining: bytes[header.count...])
    while !database.remaining.isEmpty {
      let offset = database.remaining.startIndex
      guard database.readRecord(into: &collector) else {
        throw BackupFolderError(
          path,
          "is damaged: the record at byte \(offset) ends after the end of the file")
      }
    }
  }

  /// Reads `size` bytes. Returns nil if fewer bytes remain.
  private mutating func readBytes(_ size: Int) -> ArraySlice<UInt8>? {
    guard remaining.count >= size else { return nil }
    defer { remaining = remaining.dropFirst(size) }
    return remaining.prefix(size)
  }

  /// Reads a number of `size` bytes.
  private mutating func readNumber(_ size: Int) -> UInt64? {
    readBytes(size)?.reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// Reads a text. Returns an empty text if the record has none here, and nil if the text is
  /// incomplete.
  private mutating func readText() -> [UInt8]? {
    guard let size = readNumber(2) else { return nil }
    return size == 0xFFFF ? [] : readBytes(Int(size)).map(Array.init)
  }

  /// Reads a record, and adds it to the collector. Returns false if the record is incomplete.
  private mutating func readRecord(into collector: inout ManifestCollector) -> Bool {
    guard let domain = readText(), let path = readText(), let target = readText(),
      readText() != nil,
      readText() != nil, let mode = readNumber(2), readBytes(28) != nil, let size = readNumber(8),
      readBytes(1) != nil, let attributeCount = readNumber(1)
    else { return false }
    var attributes: Set<String> = []
    for _ in 0..<attributeCount {
      guard let name = readText(), readText() != nil else { return false }
      attributes.insert(String(decoding: name, as: UTF8.self))
    }
    guard let domain = collector.domain(named: domain) else { return true }
    let kind: BackupRecord.Kind
    switch mode & 0o170000 {
    case 0o100000: kind = .file(size: Int64(clamping: size))
    case 0o040000: kind = .directory
    case 0o120000: kind = .link(target: target)
    default:
      collector.contents.addFault(.unreadableArchive, at: domain.name)
      return true
    }
    let record = BackupRecord(kind, attributes: ItemAttributes { attributes.contains($0) })
    collector.add(record, at: path, in: domain, domain.hash(of: path))
    return true
  }
}
