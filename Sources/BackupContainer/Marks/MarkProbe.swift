import BackupFileTree
import Foundation

/// What stands on an item while its marks are taken off; clearing a mark takes its probe off too.
enum MarkProbe {
  /// The attribute that stands for a mark; the shim for Linux knows the resource value's as well.
  static func attributeName(of mark: ExclusionMark) -> String {
    mark == .resourceValue ? "swift-backup-testing.probe" : "swift-backup-testing.probe.attribute"
  }

  /// Notes the marks that an item had.
  static func put(_ marks: ExclusionMark, at path: DiskPath) throws(SystemError) {
    for mark in ExclusionMark.all where marks.contains(mark) {
      try path.setAttribute(attributeName(of: mark), to: [1])
    }
  }

  /// The marks that an item had; the notes are taken off.
  static func take(at path: DiskPath) throws(SystemError) -> ExclusionMark {
    var marks: ExclusionMark = []
    for mark in ExclusionMark.all
    where try path.attribute(attributeName(of: mark)) != nil {
      marks.insert(mark)
      try forget(mark, at: path)
    }
    return marks
  }

  /// Takes off what stands for a mark that the app clears.
  static func forget(
    _ mark: ExclusionMark, at path: DiskPath
  ) throws(SystemError) {
    try path.removeAttribute(attributeName(of: mark))
  }
}

extension MarkProbe {
  /// Takes the marks off every item, leaving the probe in their place.
  static func takeMarksOff(
    _ tree: FileTree, in roots: ContainerRoots
  ) throws(SystemError) {
    try tree.visit {
      !$0.marks.isEmpty
    } _: { path, item throws(SystemError) in
      try DiskPath(path, in: roots).whileWritable { disk throws(SystemError) in
        try put(item.marks, at: disk)
        try disk.setMark(item.marks, false)
      }
    }
  }

  /// Puts the marks back on what was not saved, and takes the probes off.
  ///
  /// - Parameters:
  ///   - before: The container before the marks were taken off.
  ///   - found: The container as it was just found; afterwards with the marks that are on it again.
  ///   - changes: What the app did meanwhile.
  ///   - roots: Where the containers are.
  /// - Returns: The marks that the app took off meanwhile: where the probe is gone.
  /// - Throws: ``SystemError`` where an item cannot be marked.
  static func putMarksBack(
    before: FileTree, now found: inout FileTree, after changes: [FileTree.Change],
    in roots: ContainerRoots
  ) throws(SystemError) -> [FileTree.Change] {
    let saved = Set(changes.compactMap(\.savedPath).compactMap { found[$0]?.observation.inode })
    let marked = MarkedItems(before)
    let unmarked = found
    var isKnown = true
    var probes: [UInt64: ExclusionMark] = [:]
    var cleared: [FileTree.Change] = []
    try unmarked.visit {
      marked.marks(of: $0) != nil
    } _: { path, item throws(SystemError) in
      let marks = marked.marks(of: item) ?? []
      if item.isUnreadable { isKnown = false }
      let inode = item.observation.inode
      try DiskPath(path, in: roots).whileWritable { disk throws(SystemError) in
        if probes[inode] == nil { probes[inode] = try take(at: disk) }
        let probe = probes[inode] ?? []
        for mark in ExclusionMark.all where marks.contains(mark) && !item.marks.contains(mark) {
          if !probe.contains(mark) {
            cleared.append(.cleared(path, mark))
          } else if !saved.contains(inode) {
            try disk.setMark(mark, true)
            found.modify(path) { $0.marks.insert(mark) }
          }
        }
      }
    }
    // How much can be seen of an item that cannot be read, only the disk knows.
    if !isKnown { found = try Scanner.scan(roots) }
    return cleared
  }
}

extension FileTree.Change {
  /// The item that was written to in place; nil for any other change.
  fileprivate var savedPath: ContainerPath? {
    if case .savedInPlace(let path) = self { path } else { nil }
  }
}

/// The marks that items had before, whatever became of the items.
struct MarkedItems {
  /// The marks by stamp.
  private var byIdentity: [UInt64: ExclusionMark] = [:]
  /// The marks by inode number, for items whose stamp cannot be read now.
  private var byInode: [UInt64: ExclusionMark] = [:]

  /// Collects the marks in a container.
  init(_ tree: FileTree) {
    tree.visit {
      !$0.marks.isEmpty && $0.identity != 0
    } _: { _, item in
      byIdentity[item.identity] = item.marks
      byInode[item.observation.inode] = item.marks
    }
  }

  /// The marks that an item had; nil for none.
  func marks(of item: FileTree.Item) -> ExclusionMark? {
    guard !byIdentity.isEmpty else { return nil }
    return item.isUnreadable ? byInode[item.observation.inode] : byIdentity[item.identity]
  }
}
