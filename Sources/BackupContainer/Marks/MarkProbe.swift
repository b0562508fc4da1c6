import BackupFileTree
import CBackupFiles
import Foundation

// Probes and witnesses show which marks the app's code sets or clears. A probe is an attribute that
// replaces a mark while the code runs. Code that clears the mark also removes the probe. A witness
// is another form of a mark (see `markWitness`).

extension ExclusionMark {
  /// The name of the mark's probe. The shim for Linux also contains the name for the resource
  /// value.
  var probeName: String {
    self == .resourceValue ? "swift-backup-testing.probe" : "swift-backup-testing.probe.attribute"
  }
}

extension cea_place {
  /// Removes the probes of an item, and returns the marks that the probes replaced.
  fileprivate func removeProbes() throws(SystemError) -> ExclusionMark {
    var marks: ExclusionMark = []
    for mark in ExclusionMark.all where try attribute(mark.probeName) != nil {
      marks.insert(mark)
      try removeAttribute(mark.probeName)
    }
    return marks
  }

  /// Replaces the witness on an item with the mark that the platform writes.
  ///
  /// - Returns: True if the witness was still there.
  fileprivate func removeWitness() throws(SystemError) -> Bool {
    let mark = ExclusionMark.resourceValue
    guard try attribute(mark.attributeName) == markWitness else { return false }
    try setAttribute(mark.attributeName, to: mark.attributeValue)
    return true
  }
}

extension ContainerRoots {
  /// Runs calls on the attributes of an item. If the item's permissions forbid them, the item
  /// becomes writable meanwhile.
  private func whileWritable(
    _ path: ContainerPath, _ calls: (cea_place) throws(SystemError) -> Void
  ) throws(SystemError) {
    try DiskPath(path, in: self).whileWritable { diskPath throws(SystemError) in
      try diskPath.accessAttributes(calls)
    }
  }

  /// Replaces every mark with a probe.
  func placeProbes(_ tree: FileTree) throws(SystemError) {
    try tree.visitMarkedItems { path, item throws(SystemError) in
      try whileWritable(path) { diskItem throws(SystemError) in
        for mark in ExclusionMark.all where item.marks.contains(mark) {
          try diskItem.setAttribute(mark.probeName, to: [1])
        }
        try diskItem.setMark(item.marks, false)
      }
    }
  }

  /// Restores the marks of items that the app has not saved, and removes the probes.
  ///
  /// - Returns: A change for each mark that the app has cleared. The probe of such a mark is gone.
  func restoreMarks(
    former formerTree: FileTree, current tree: inout FileTree, changes: [FileTree.Change]
  ) throws(SystemError) -> [FileTree.Change] {
    let savedInodes = Set(
      changes.compactMap { change in
        if case .savedInPlace(let path) = change { tree[path]?.observation.inode } else { nil }
      })
    let formerMarks = formerTree.marksByItem()
    let treeBeforeRestoring = tree
    var canReadAllItems = true
    var probedMarksByInode: [UInt64: ExclusionMark] = [:]
    var clearingChanges: [FileTree.Change] = []
    try treeBeforeRestoring.visit {
      formerMarks($0) != nil
    } _: { path, item throws(SystemError) in
      let marks = formerMarks(item) ?? []
      if item.isUnreadable { canReadAllItems = false }
      let inode = item.observation.inode
      try whileWritable(path) { diskItem throws(SystemError) in
        if probedMarksByInode[inode] == nil {
          probedMarksByInode[inode] = try diskItem.removeProbes()
        }
        let probedMarks = probedMarksByInode[inode] ?? []
        for mark in ExclusionMark.all where marks.contains(mark) && !item.marks.contains(mark) {
          if !probedMarks.contains(mark) {
            clearingChanges.append(.cleared(path, mark))
          } else if !savedInodes.contains(inode) {
            try diskItem.setMark(mark, true)
            tree.modify(path) { $0.marks.insert(mark) }
          }
        }
      }
    }
    // If an item cannot be read, only a new scan shows which of its properties can be read.
    if !canReadAllItems { tree = try Scanner.scan(self) }
    return clearingChanges
  }

  /// Replaces each mark that `isExcludedFromBackup` sets with a witness. The witness shows whether
  /// the app sets the mark again.
  func placeWitnesses(_ tree: FileTree) throws(SystemError) {
    try tree.visitMarkedItems { path, item throws(SystemError) in
      guard item.marks.contains(.resourceValue) else { return }
      try whileWritable(path) { diskItem throws(SystemError) in
        try diskItem.setAttribute(ExclusionMark.resourceValue.attributeName, to: markWitness)
      }
    }
  }

  /// Removes the witnesses.
  ///
  /// - Returns: A change for each mark that the app set again on an item that already had it.
  func removeWitnesses(
    former formerTree: FileTree, current tree: FileTree
  ) throws(SystemError) -> [FileTree.Change] {
    let formerMarks = formerTree.marksByItem()
    var hasWitnessByInode: [UInt64: Bool] = [:]
    var repeatedMarks: [FileTree.Change] = []
    try tree.visitMarkedItems { path, item throws(SystemError) in
      guard item.marks.contains(.resourceValue),
        formerMarks(item)?.contains(.resourceValue) == true
      else { return }
      let inode = item.observation.inode
      try whileWritable(path) { diskItem throws(SystemError) in
        if hasWitnessByInode[inode] == nil {
          hasWitnessByInode[inode] = try diskItem.removeWitness()
        }
        if hasWitnessByInode[inode] == false { repeatedMarks.append(.marked(path, .resourceValue)) }
      }
    }
    return repeatedMarks
  }
}

extension FileTree {
  /// Returns a function that finds the marks of an item in this tree, even if the item has moved
  /// since. The function returns nil for an item without marks.
  func marksByItem() -> (Item) -> ExclusionMark? {
    var marksByIdentity: [UInt64: ExclusionMark] = [:]
    var marksByInode: [UInt64: ExclusionMark] = [:]
    visitMarkedItems { _, item in
      guard item.stamp != 0 else { return }
      marksByIdentity[item.stamp] = item.marks
      marksByInode[item.observation.inode] = item.marks
    }
    return { [marksByIdentity, marksByInode] item in
      guard !marksByIdentity.isEmpty else { return nil }
      // The stamp of an unreadable item cannot be read.
      return item.isUnreadable
        ? marksByInode[item.observation.inode] : marksByIdentity[item.stamp]
    }
  }
}

/// The value of a witness: the value of a mark with one byte changed. If the app sets the mark
/// again, the platform's usual value replaces it.
///
/// The changed byte is the 32nd from the end and usually 0. No reader of a binary property list
/// uses this byte. Code that reads the mark only tests whether the mark is present (`observed`).
let markWitness: [UInt8] = {
  var value = ExclusionMark.resourceValue.attributeValue
  value[value.count - 32] = 1
  return value
}()
