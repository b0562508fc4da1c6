import BackupCollections

extension FileTree {
  /// How many items there are and how many bytes their files have, for limits.
  package struct Amount: Hashable, Sendable {
    /// How many items.
    package var items = 0
    /// The logical sizes of the files in bytes, at most `Int64.max`.
    package var bytes: Int64 = 0
  }

  /// The amount of all that is in the container.
  package var amount: Amount {
    var amount = Amount()
    children.count(into: &amount)
    return amount
  }
}

extension FileTree.Item {
  /// The amount of the item and all in it.
  package var amount: FileTree.Amount {
    var amount = FileTree.Amount()
    count(into: &amount)
    return amount
  }

  /// Adds the item and all in it; a walk would make a path for each.
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
  /// Adds all in a directory.
  fileprivate func count(into amount: inout FileTree.Amount) {
    list.forEachChunk { entries in
      for entry in entries { entry.item.count(into: &amount) }
    }
  }
}
