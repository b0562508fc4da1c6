import Foundation

extension FileManager {
  /// What a path is, without following a link; nil where nothing is there or it cannot be looked
  /// at.
  func typeOfItem(atPath path: String) -> FileAttributeType? {
    (try? attributesOfItem(atPath: path))?[.type] as? FileAttributeType
  }
}
