import Foundation

/// The ways in which an app's code reads and writes the mark. This code does not know the shim.
public enum BackupExclusion: String, CaseIterable, Sendable {
  /// Through `URL` and `URLResourceValues`.
  case url
  /// Through `NSURL`, one value at a time.
  case objectiveC
  /// Through `NSURL`, with a dictionary of values.
  case dictionary

  /// Sets or clears the mark of an item.
  ///
  /// - Parameters:
  ///   - isExcluded: True to set the mark, false to clear it.
  ///   - item: The item.
  /// - Throws: Whatever Foundation throws.
  public func set(_ isExcluded: Bool, on item: URL) throws {
    switch self {
    case .url:
      var item = item
      var values = URLResourceValues()
      values.isExcludedFromBackup = isExcluded
      try item.setResourceValues(values)
    case .objectiveC:
      try (item as NSURL).setResourceValue(isExcluded, forKey: .isExcludedFromBackupKey)
    case .dictionary:
      let values: [URLResourceKey: Any] = [.isExcludedFromBackupKey: NSNumber(value: isExcluded)]
      try (item as NSURL).setResourceValues(values)
    }
  }

  /// Reads the mark of an item.
  ///
  /// - Parameter item: The item.
  /// - Returns: Foundation's value of the mark; nil if it has none.
  /// - Throws: Whatever Foundation throws.
  public func isSet(on item: URL) throws -> Bool? {
    switch self {
    case .url:
      return try item.resourceValues(forKeys: [.isExcludedFromBackupKey, .nameKey])
        .isExcludedFromBackup
    case .objectiveC:
      var value: AnyObject?
      try (item as NSURL).getResourceValue(&value, forKey: .isExcludedFromBackupKey)
      return (value as? NSNumber)?.boolValue
    case .dictionary:
      let values = try (item as NSURL).resourceValues(forKeys: [.isExcludedFromBackupKey])
      return values[.isExcludedFromBackupKey] as? Bool
    }
  }

  /// Reads the mark together with other values.
  ///
  /// - Parameter item: The item.
  /// - Returns: The size, the mark, and whether the item is a directory.
  /// - Throws: Whatever Foundation throws.
  public static func describe(_ item: URL) throws -> URLResourceValues {
    try item.resourceValues(
      forKeys: [.fileSizeKey, .isDirectoryKey, .isExcludedFromBackupKey])
  }

  /// Sets the mark together with the modification date.
  ///
  /// - Parameters:
  ///   - date: The modification date.
  ///   - item: The item.
  /// - Throws: Whatever Foundation throws.
  public static func setChanged(_ date: Date, on item: URL) throws {
    var item = item
    var values = URLResourceValues()
    values.contentModificationDate = date
    values.isExcludedFromBackup = true
    try item.setResourceValues(values)
  }
}
