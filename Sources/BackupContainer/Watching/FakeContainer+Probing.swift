import BackupFileTree
import Foundation

extension FakeContainer {
  /// Takes the marks off every item, leaving the probe in their place.
  func takeMarksOff(_ tree: FileTree) throws(SystemError) {
    let root = DiskPath(url)
    try tree.walk { path, item throws(SystemError) in
      guard !item.marks.isEmpty else { return true }
      try DiskPath(path, in: root).whileWritable { disk throws(SystemError) in
        try MarkProbe.put(item.marks, at: disk.characters)
        try disk.setMark(item.marks, false)
      }
      return true
    }
  }

  /// Puts the marks back on what was not saved, and takes the probes off.
  ///
  /// - Returns: The marks that the app took off meanwhile: where the probe is gone.
  func putMarksBack(
    _ before: FileTree, _ found: FileTree, _ changes: [FileTree.Change]
  ) throws(SystemError) -> [FileTree.Change] {
    let root = DiskPath(url)
    let saved = Set(changes.compactMap(\.savedPath).compactMap { found[$0]?.observation.inode })
    let marked = MarkedItems(before)
    var probes: [UInt64: ExclusionMark] = [:]
    var cleared: [FileTree.Change] = []
    try found.walk { path, item throws(SystemError) in
      guard let marks = marked.marks(of: item) else { return true }
      let inode = item.observation.inode
      try DiskPath(path, in: root).whileWritable { disk throws(SystemError) in
        if probes[inode] == nil { probes[inode] = try MarkProbe.take(at: disk.characters) }
        let probe = probes[inode] ?? []
        for mark in ExclusionMark.all where marks.contains(mark) && !item.marks.contains(mark) {
          if !probe.contains(mark) {
            cleared.append(.cleared(path, mark))
          } else if !saved.contains(inode) {
            try disk.setMark(mark, true)
          }
        }
      }
      return true
    }
    return cleared
  }

  /// Leaves a witness in every mark, which shows whether the app sets it again.
  func placeWitnesses(_ tree: FileTree) throws(SystemError) {
    let root = DiskPath(url)
    try tree.walk { path, item throws(SystemError) in
      guard item.marks.contains(.resourceValue) else { return true }
      try DiskPath(path, in: root).whileWritable { disk throws(SystemError) in
        try MarkWitness.put(at: disk.characters)
      }
      return true
    }
  }

  /// Takes the witnesses off.
  ///
  /// - Returns: The marks that the app set again on items that had them.
  func takeWitnesses(
    _ before: FileTree, _ found: FileTree
  ) throws(SystemError) -> [FileTree.Change] {
    let root = DiskPath(url)
    let marked = MarkedItems(before)
    var witnesses: [UInt64: Bool] = [:]
    var again: [FileTree.Change] = []
    try found.walk { path, item throws(SystemError) in
      guard item.marks.contains(.resourceValue),
        marked.marks(of: item)?.contains(.resourceValue) == true
      else { return true }
      let inode = item.observation.inode
      try DiskPath(path, in: root).whileWritable { disk throws(SystemError) in
        if witnesses[inode] == nil { witnesses[inode] = try MarkWitness.take(at: disk.characters) }
        if witnesses[inode] == false { again.append(.marked(path, .resourceValue)) }
      }
      return true
    }
    return again
  }
}

/// The marks that items had before, whatever became of the items.
private struct MarkedItems {
  /// The marks by stamp.
  private var byIdentity: [UInt64: ExclusionMark] = [:]
  /// The marks by inode number, for items whose stamp cannot be read now.
  private var byInode: [UInt64: ExclusionMark] = [:]

  /// Collects the marks in a container.
  init(_ tree: FileTree) {
    tree.walk { _, item in
      guard !item.marks.isEmpty, item.identity != 0 else { return true }
      byIdentity[item.identity] = item.marks
      byInode[item.observation.inode] = item.marks
      return true
    }
  }

  /// The marks that an item had; nil for none.
  func marks(of item: FileTree.Item) -> ExclusionMark? {
    item.isUnreadable ? byInode[item.observation.inode] : byIdentity[item.identity]
  }
}

extension FileTree.Change {
  /// The item that was written to in place; nil for any other change.
  fileprivate var savedPath: ContainerPath? {
    if case .savedInPlace(let path) = self { path } else { nil }
  }
}
