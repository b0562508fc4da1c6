/// What processes have changed, in the order in which they did, as FileSystemTap has noted it.
///
/// A log may come from any process, so nothing in it is trusted.
package struct TapLog: Sendable {
  /// The changes that were done, but for the last of each process, which may have been killed before
  /// it; and the mappings.
  package let records: [TapRecord]

  /// Reads a log.
  ///
  /// - Throws: ``TapLogError`` where it is not as FileSystemTap writes it, or ends within a record.
  package init(_ bytes: [UInt8]) throws(TapLogError) {
    var reader = TapLogReader(bytes)
    while try reader.readRecord() {}
    records = reader.records.compactMap(\.self)
  }
}

/// A log of FileSystemTap's that is none, or is not whole.
package struct TapLogError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Where the record at fault begins, in bytes.
  package let offset: Int
  /// What is wrong with it.
  package let reason: String

  /// What is wrong, as a sentence.
  package var description: String {
    "the log of the app's changes to files cannot be read: the record at byte \(offset) \(reason)"
  }
}
