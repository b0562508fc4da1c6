import BackupFileTree
import Foundation

/// What stands on an item while its marks are taken off; clearing a mark takes its probe off too.
enum MarkProbe {
  /// The attribute that stands for a mark; the shim for Linux knows the resource value's as well.
  static func attributeName(of mark: ExclusionMark) -> String {
    mark == .resourceValue ? "swift-backup-testing.probe" : "swift-backup-testing.probe.attribute"
  }

  /// Notes the marks that an item had.
  static func put(_ marks: ExclusionMark, at path: UnsafePointer<CChar>) throws(SystemError) {
    for mark in ExclusionMark.all where marks.contains(mark) {
      try ExtendedAttributes.set(attributeName(of: mark), to: [1], at: path)
    }
  }

  /// The marks that an item had; the notes are taken off.
  static func take(at path: UnsafePointer<CChar>) throws(SystemError) -> ExclusionMark {
    var marks: ExclusionMark = []
    for mark in ExclusionMark.all
    where try ExtendedAttributes.value(of: attributeName(of: mark), at: path) != nil {
      marks.insert(mark)
      try forget(mark, at: path)
    }
    return marks
  }

  /// Takes off what stands for a mark that the app clears.
  static func forget(
    _ mark: ExclusionMark, at path: UnsafePointer<CChar>
  ) throws(SystemError) {
    try ExtendedAttributes.remove(attributeName(of: mark), at: path)
  }
}
