import BackupCollections

extension FileTree {
  /// A count of items and of the bytes in their files, at most `Int64.max`.
  package struct Amount {
    package fileprivate(set) var items = 0
    package fileprivate(set) var bytes: Int64 = 0
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
    amount.items += 1
    switch kind {
    case .file(let information):
      let sum = amount.bytes.addingReportingOverflow(information.size)
      amount.bytes = sum.overflow ? .max : sum.partialValue
    case .directory(let children): children.count(into: &amount)
    case .link, .special, .unreadable: break
    }
  }
}

extension FileTree.Children {
  fileprivate func count(into amount: inout FileTree.Amount) {
    list.forEachChunk { entries in
      for entry in entries { entry.item.count(into: &amount) }
    }
  }
}

/// A count of files and of their bytes.
///
/// It stays exact when files are added and removed, however large they are.
package struct FileSum: Hashable, Sendable {
  package private(set) var files = 0
  /// The lower 64 bits of the number of bytes.
  private var low: UInt64 = 0
  /// The higher bits of the number of bytes.
  private var carries = 0

  package init() {}

  /// The number of bytes, at most `Int64.max`.
  package var bytes: Int64 { carries > 0 ? .max : Int64(clamping: low) }

  /// Adds a file of a size in bytes.
  package mutating func add(_ size: Int64) {
    let (sum, isOver) = low.addingReportingOverflow(UInt64(clamping: size))
    (files, low, carries) = (files + 1, sum, carries + (isOver ? 1 : 0))
  }

  package mutating func add(_ other: FileSum) {
    let (sum, isOver) = low.addingReportingOverflow(other.low)
    (files, low) = (files + other.files, sum)
    carries += other.carries + (isOver ? 1 : 0)
  }

  /// Removes a file of a size in bytes that was added before.
  package mutating func remove(_ size: Int64) {
    let (rest, isUnder) = low.subtractingReportingOverflow(UInt64(clamping: size))
    (files, low, carries) = (files - 1, rest, carries - (isUnder ? 1 : 0))
  }
}
