import BackupCollections

extension FileTree {
  /// How many items there are, and how many bytes their files have, at most `Int64.max`.
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

/// How many files there are, and how many bytes they have together.
///
/// It stays exact while files come and go, however large they are.
package struct FileSum: Hashable, Sendable {
  package private(set) var files = 0
  /// Their bytes, without what goes beyond 64 bits.
  private var low: UInt64 = 0
  /// How many times the bytes went beyond 64 bits.
  private var carries = 0

  package init() {}

  /// How many bytes they have together, at most `Int64.max`.
  package var bytes: Int64 { carries > 0 ? .max : Int64(clamping: low) }

  /// Counts a file of a size in bytes.
  package mutating func add(_ size: Int64) {
    let (sum, isOver) = low.addingReportingOverflow(UInt64(clamping: size))
    (files, low, carries) = (files + 1, sum, carries + (isOver ? 1 : 0))
  }

  package mutating func add(_ other: FileSum) {
    let (sum, isOver) = low.addingReportingOverflow(other.low)
    (files, low) = (files + other.files, sum)
    carries += other.carries + (isOver ? 1 : 0)
  }

  /// Takes out a file of a size in bytes that was counted before.
  package mutating func remove(_ size: Int64) {
    let (rest, isUnder) = low.subtractingReportingOverflow(UInt64(clamping: size))
    (files, low, carries) = (files - 1, rest, carries - (isUnder ? 1 : 0))
  }
}
