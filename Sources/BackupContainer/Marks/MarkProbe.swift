import BackupFileTree
import CBackupFiles
import Foundation

extension ExclusionMark {
  /// The attribute that stands on an item for the mark while its marks are taken off; the shim for
  /// Linux knows the resource value's as well.
  var probeName: String {
    self == .resourceValue ? "swift-backup-testing.probe" : "swift-backup-testing.probe.attribute"
  }
}

extension cea_place {
  /// The marks that an item had; the probes are taken off.
  fileprivate func takeProbes() throws(SystemError) -> ExclusionMark {
    var marks: ExclusionMark = []
    for mark in ExclusionMark.all where try attribute(mark.probeName) != nil {
      marks.insert(mark)
      try removeAttribute(mark.probeName)
    }
    return marks
  }

  /// Spells the mark on a marked item as the platform does.
  ///
  /// - Returns: Whether it was spelt as the witness still.
  fileprivate func takeWitness() throws(SystemError) -> Bool {
    let mark = ExclusionMark.resourceValue
    guard try attribute(mark.attributeName) == markWitness else { return false }
    try setAttribute(mark.attributeName, to: mark.attributeValue)
    return true
  }
}

extension ContainerRoots {
  /// Runs calls for the attributes of an item, which is made writable for them.
  private func whileWritable(
    _ path: ContainerPath, _ calls: (cea_place) throws(SystemError) -> Void
  ) throws(SystemError) {
    try DiskPath(path, in: self).whileWritable { disk throws(SystemError) in
      try disk.atPlace(calls)
    }
  }

  /// Takes the marks off every item, leaving probes in their place.
  func takeMarksOff(_ tree: FileTree) throws(SystemError) {
    try tree.visitMarked { path, item throws(SystemError) in
      try whileWritable(path) { place throws(SystemError) in
        for mark in ExclusionMark.all where item.marks.contains(mark) {
          try place.setAttribute(mark.probeName, to: [1])
        }
        try place.setMark(item.marks, false)
      }
    }
  }

  /// Puts the marks back on what was not saved, takes the probes off, and returns the marks that
  /// the app took off meanwhile: where the probe is gone.
  func putMarksBack(
    before: FileTree, now found: inout FileTree, after changes: [FileTree.Change]
  ) throws(SystemError) -> [FileTree.Change] {
    let saved = Set(
      changes.compactMap { change in
        if case .savedInPlace(let path) = change { found[path]?.observation.inode } else { nil }
      })
    let formerMarks = before.marksByItem()
    let unmarked = found
    var isKnown = true
    var probes: [UInt64: ExclusionMark] = [:]
    var cleared: [FileTree.Change] = []
    try unmarked.visit {
      formerMarks($0) != nil
    } _: { path, item throws(SystemError) in
      let marks = formerMarks(item) ?? []
      if item.isUnreadable { isKnown = false }
      let inode = item.observation.inode
      try whileWritable(path) { place throws(SystemError) in
        if probes[inode] == nil { probes[inode] = try place.takeProbes() }
        let probe = probes[inode] ?? []
        for mark in ExclusionMark.all where marks.contains(mark) && !item.marks.contains(mark) {
          if !probe.contains(mark) {
            cleared.append(.cleared(path, mark))
          } else if !saved.contains(inode) {
            try place.setMark(mark, true)
            found.modify(path) { $0.marks.insert(mark) }
          }
        }
      }
    }
    // How much can be seen of an item that cannot be read, only the disk knows.
    if !isKnown { found = try Scanner.scan(self) }
    return cleared
  }

  /// Leaves a witness in every mark, which shows whether the app sets it again.
  func placeWitnesses(_ tree: FileTree) throws(SystemError) {
    try tree.visitMarked { path, item throws(SystemError) in
      guard item.marks.contains(.resourceValue) else { return }
      try whileWritable(path) { place throws(SystemError) in
        try place.setAttribute(ExclusionMark.resourceValue.attributeName, to: markWitness)
      }
    }
  }

  /// Takes the witnesses off.
  ///
  /// - Returns: The marks that the app set again on items that had them.
  func takeWitnesses(
    before: FileTree, now found: FileTree
  ) throws(SystemError) -> [FileTree.Change] {
    let formerMarks = before.marksByItem()
    var witnesses: [UInt64: Bool] = [:]
    var again: [FileTree.Change] = []
    try found.visitMarked { path, item throws(SystemError) in
      guard item.marks.contains(.resourceValue),
        formerMarks(item)?.contains(.resourceValue) == true
      else { return }
      let inode = item.observation.inode
      try whileWritable(path) { place throws(SystemError) in
        if witnesses[inode] == nil { witnesses[inode] = try place.takeWitness() }
        if witnesses[inode] == false { again.append(.marked(path, .resourceValue)) }
      }
    }
    return again
  }
}

extension FileTree {
  /// Tells the marks that an item had in this tree, whatever became of the item; nil for none.
  func marksByItem() -> (Item) -> ExclusionMark? {
    var byIdentity: [UInt64: ExclusionMark] = [:]
    var byInode: [UInt64: ExclusionMark] = [:]
    visitMarked { _, item in
      guard item.identity != 0 else { return }
      byIdentity[item.identity] = item.marks
      byInode[item.observation.inode] = item.marks
    }
    return { [byIdentity, byInode] item in
      guard !byIdentity.isEmpty else { return nil }
      // The stamp of an item that is unreadable cannot be read now.
      return item.isUnreadable ? byInode[item.observation.inode] : byIdentity[item.identity]
    }
  }
}

/// The witness: another way to spell the mark, which is gone once the app sets the mark again.
///
/// A binary property list has a byte, 32 before its end, that no reader looks at; in the witness it is
/// not 0. Readers of the mark test its presence (`observed`).
let markWitness: [UInt8] = {
  var value = ExclusionMark.resourceValue.attributeValue
  value[value.count - 32] = 1
  return value
}()
