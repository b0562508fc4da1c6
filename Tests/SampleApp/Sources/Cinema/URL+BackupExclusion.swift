import Foundation

extension URL {
  /// Keeps the item out of backups, or puts it back in; it has to be there.
  public func setExcluded(fromBackup isExcluded: Bool) throws {
    var item = self
    var values = URLResourceValues()
    values.isExcludedFromBackup = isExcluded
    try item.setResourceValues(values)
  }

  /// Makes the folder where it is missing and keeps it, with all in it, out of backups.
  ///
  /// Called before each save, since a folder made again after a restore has lost the mark.
  public func makeExcludedFolder() throws {
    try FileManager.default.createDirectory(at: self, withIntermediateDirectories: true)
    try setExcluded(fromBackup: true)
  }
}
