import CListings
import Foundation

/// The ways in which Apple's pages and a well-known post mark an item, around the same calls.
public enum Marking: String, CaseIterable, Sendable {
  /// `URLResourceValues`, as current pages have it.
  case resourceValues
  /// One value of `NSURL`, as Q&A 1719 lists it for iOS 5.1 and later.
  case singleValue
  /// The attribute, as Q&A 1719 lists it for iOS 5.0.1, in C.
  case attribute
  /// The value, and the attribute where that fails.
  case valueOrAttribute
  /// Both, whatever comes of the first.
  case both
  /// The value, with an error that nobody sees.
  case swallowed

  /// Keeps an item that is there out of backups.
  ///
  /// - Parameter item: The item.
  /// - Throws: What Foundation throws, where this way lets it out.
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

  /// Sets the value through a copy of the URL, which has to be a variable.
  private func setValues(on item: URL) throws {
    var item = item
    var values = URLResourceValues()
    values.isExcludedFromBackup = true
    try item.setResourceValues(values)
  }
}
