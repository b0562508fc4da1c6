import BackupFileTree
import Foundation

/// The witness: another way to spell the mark, which is gone once the app sets the mark again.
///
/// A binary property list ends with bytes that no reader looks at; in the witness one of them is
/// not 0. Readers of the mark test its presence (`observed`).
private let witness: [UInt8] = {
  var value = ExclusionMark.resourceValue.attributeValue
  value[value.count - unusedByte] = 1
  return value
}()

/// How many bytes from its end a property list has one that no reader looks at.
private let unusedByte = 32

extension DiskPath {
  /// Spells the mark on a marked item as the platform does.
  ///
  /// - Returns: Whether it was spelt as the witness still.
  fileprivate func takeWitness() throws(SystemError) -> Bool {
    let mark = ExclusionMark.resourceValue
    guard try attribute(mark.attributeName) == witness else { return false }
    try setAttribute(mark.attributeName, to: mark.attributeValue)
    return true
  }
}

extension ContainerRoots {
  /// Leaves a witness in every mark, which shows whether the app sets it again.
  func placeWitnesses(_ tree: FileTree) throws(SystemError) {
    try tree.visit {
      $0.marks.contains(.resourceValue)
    } _: { path, _ throws(SystemError) in
      try DiskPath(path, in: self).whileWritable { disk throws(SystemError) in
        try disk.setAttribute(ExclusionMark.resourceValue.attributeName, to: witness)
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
    try found.visit { item in
      item.marks.contains(.resourceValue)
        && formerMarks(item)?.contains(.resourceValue) == true
    } _: { path, item throws(SystemError) in
      let inode = item.observation.inode
      try DiskPath(path, in: self).whileWritable { disk throws(SystemError) in
        if witnesses[inode] == nil { witnesses[inode] = try disk.takeWitness() }
        if witnesses[inode] == false { again.append(.marked(path, .resourceValue)) }
      }
    }
    return again
  }
}
