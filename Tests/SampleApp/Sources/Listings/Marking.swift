import CListings
import Foundation

/// The ways in which Apple's pages and a well-known post mark an item.
public enum Marking: String, CaseIterable, Sendable {
  /// `URLResourceValues`, as on Apple's current pages.
  case resourceValues
  /// One value of `NSURL`, as in Apple's Q&A 1719 for iOS 5.1 and later.
  case singleValue
  /// The attribute in C, as in Apple's Q&A 1719 for iOS 5.0.1.
  case attribute
  /// The value. If iOS does not support it, the attribute.
  case valueOrAttribute
  /// The value and the attribute, even if the value fails.
  case both
  /// The value, with an error that the code ignores.
  case swallowed

  /// Excludes an existing item from backups.
  ///
  /// - Parameter item: The item.
  /// - Throws: An error of Foundation, except in the ways that ignore it.
  public func keepOut(_ item: URL) throws {
    switch self {
    case .resourceValues: try setValues(on: item)
    case .singleValue:
      precondition(FileManager.default.fileExists(atPath: item.path))
      try (item as NSURL).setResourceValue(true, forKey: .isExcludedFromBackupKey)
    case .attribute: _ = keep_out_by_attribute(item.path)
    case .valueOrAttribute:
      do {
        try setValues(on: item)
      } catch CocoaError.featureUnsupported {
        _ = keep_out_by_attribute(item.path)
      }
    case .both:
      try? setValues(on: item)
      _ = keep_out_by_attribute(item.path)
    case .swallowed: try? setValues(on: item)
    }
  }

  /// Sets the value on a copy of the URL, because the URL must be a variable.
  private func setValues(on item: URL) throws {
    var item = item
    var values = URLResourceValues()
    values.isExcludedFromBackup = true
    try item.setResourceValues(values)
  }
}
