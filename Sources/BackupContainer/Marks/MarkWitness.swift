import BackupFileTree
import Foundation

/// Another way to spell the mark, which is gone once the app sets the mark again.
///
/// A binary property list ends with bytes that no reader looks at; in the witness one of them is
/// not 0. Readers of the mark test its presence (`observed`).
enum MarkWitness {
  /// How many bytes from its end a property list has one that no reader looks at.
  private static let unusedByte = 32

  /// The spelling.
  private static let value: [UInt8] = {
    var value = ExclusionMark.resourceValue.attributeValue
    value[value.count - unusedByte] = 1
    return value
  }()

  /// Spells the mark on a marked item this way.
  static func put(at path: DiskPath) throws(SystemError) {
    try path.setAttribute(ExclusionMark.resourceValue.attributeName, to: value)
  }

  /// Spells the mark as the platform does.
  ///
  /// - Returns: Whether it was spelt this way still.
  static func take(at path: DiskPath) throws(SystemError) -> Bool {
    let mark = ExclusionMark.resourceValue
    let found = try path.attribute(mark.attributeName)
    guard found == value else { return false }
    try path.setAttribute(mark.attributeName, to: mark.attributeValue)
    return true
  }
}

extension MarkWitness {
  /// Leaves a witness in every mark, which shows whether the app sets it again.
  static func placeWitnesses(
    _ tree: FileTree, in roots: ContainerRoots
  ) throws(SystemError) {
    try tree.visit {
      $0.marks.contains(.resourceValue)
    } _: { path, _ throws(SystemError) in
      try DiskPath(path, in: roots).whileWritable { disk throws(SystemError) in
        try put(at: disk)
      }
    }
  }

  /// Takes the witnesses off.
  ///
  /// - Returns: The marks that the app set again on items that had them.
  static func takeWitnesses(
    before: FileTree, now found: FileTree, in roots: ContainerRoots
  ) throws(SystemError) -> [FileTree.Change] {
    let marked = MarkedItems(before)
    var witnesses: [UInt64: Bool] = [:]
    var again: [FileTree.Change] = []
    try found.visit { item in
      item.marks.contains(.resourceValue)
        && marked.marks(of: item)?.contains(.resourceValue) == true
    } _: { path, item throws(SystemError) in
      let inode = item.observation.inode
      try DiskPath(path, in: roots).whileWritable { disk throws(SystemError) in
        if witnesses[inode] == nil { witnesses[inode] = try take(at: disk) }
        if witnesses[inode] == false { again.append(.marked(path, .resourceValue)) }
      }
    }
    return again
  }
}
