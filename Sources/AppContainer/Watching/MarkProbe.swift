import Foundation

/// What stands on an item while its marks are taken off; clearing the mark takes it off too.
enum MarkProbe {
  /// The attribute's name; the shim for Linux knows it as well.
  static let attributeName = "swift-backup-testing.probe"

  /// Notes the marks that an item had.
  static func put(_ marks: ExclusionMark, at path: UnsafePointer<CChar>) throws(SystemError) {
    try ExtendedAttributes.set(attributeName, to: [marks.rawValue], at: path)
  }

  /// The marks that an item had; the note is taken off.
  static func take(at path: UnsafePointer<CChar>) throws(SystemError) -> ExclusionMark {
    guard let value = try ExtendedAttributes.value(of: attributeName, at: path)?.first else {
      return []
    }
    try ExtendedAttributes.remove(attributeName, at: path)
    return ExclusionMark(rawValue: value)
  }
}
