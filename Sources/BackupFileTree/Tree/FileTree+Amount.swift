import BackupCollections

extension FileTree {
  /// The number of items, and the number of bytes in files (at most `Int64.max`).
  package struct Amount {
    package fileprivate(set) var itemCount = 0
    package fileprivate(set) var byteCount: Int64 = 0
  }

  package var amount: Amount {
    var amount = Amount()
    children.count(into: &amount)
    return amount
  }
}

extension FileTree.Item {
  package var amount: FileTree.Amount {
    var amount = FileTree.Amount()
    count(into: &amount)
    return amount
  }

  fileprivate func count(into amount: inout FileTree.Amount) {
    amount.itemCount += 1
    switch kind {
    case .file(let information):
      let sum = amount.byteCount.addingReportingOverflow(information.size)
      amount.byteCount = sum.overflow ? .max : sum.partialValue
    case .directory(let children): children.count(into: &amount)
    case .link, .special, .unreadable: break
    }
  }
}

extension FileTree.Children {
  fileprivate func count(into amount: inout FileTree.Amount) {
    chunkedEntries.forEachChunk { entries in
      for entry in entries { entry.item.count(into: &amount) }
    }
  }
}

/// A number of files, and the number of bytes in them.
///
/// The numbers stay exact when files are added and removed, even if the files together have more
/// bytes than an `Int64` can hold.
package struct FileTotal: Hashable, Sendable {
  package private(set) var fileCount = 0
  /// The lower 64 bits of the number of bytes.
  private var lowBits: UInt64 = 0
  /// The higher bits of the number of bytes.
  private var highBits = 0

  package init() {}

  /// The number of bytes, at most `Int64.max`.
  package var byteCount: Int64 { highBits > 0 ? .max : Int64(clamping: lowBits) }

  /// Adds a file with a size in bytes.
  package mutating func addFile(_ size: Int64) {
    let (sum, overflows) = lowBits.addingReportingOverflow(UInt64(clamping: size))
    (fileCount, lowBits, highBits) = (fileCount + 1, sum, highBits + (overflows ? 1 : 0))
  }

  package mutating func add(_ other: FileTotal) {
    let (sum, overflows) = lowBits.addingReportingOverflow(other.lowBits)
    (fileCount, lowBits) = (fileCount + other.fileCount, sum)
    highBits += other.highBits + (overflows ? 1 : 0)
  }

  /// Removes a file with a size in bytes. The file must have been added before.
  package mutating func removeFile(_ size: Int64) {
    let (difference, underflows) = lowBits.subtractingReportingOverflow(UInt64(clamping: size))
    (fileCount, lowBits, highBits) = (fileCount - 1, difference, highBits - (underflows ? 1 : 0))
  }
}
