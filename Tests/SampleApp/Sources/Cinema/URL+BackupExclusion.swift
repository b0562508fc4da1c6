import Foundation

extension URL {
  /// Excludes the item from backups, or includes it again. The item must exist.
  public func setExcluded(fromBackup isExcluded: Bool) throws {
    var item = self
    var values = URLResourceValues()
    values.isExcludedFromBackup = isExcluded
    try item.setResourceValues(values)
  }

  /// Creates the folder if it is missing, and excludes it and its contents from backups.
  ///
  /// The app calls this before each save, because a folder that is created after a restore has no
  /// mark.
  public func makeExcludedFolder() throws {
    try FileManager.default.createDirectory(at: self, withIntermediateDirectories: true)
    try setExcluded(fromBackup: true)
  }
}
