import BackupFileTree
public import Foundation

extension URL {
  /// Sets the mark that excludes this item from backups, in the same way on every platform.
  ///
  /// ```swift
  /// try movie.excludeFromBackup()
  /// try movie.hasBackupExclusionMark  // true
  /// ```
  ///
  /// It stores the value that `URLResourceValues.isExcludedFromBackup` stores on Apple platforms.
  /// On other platforms, Foundation silently stores nothing. A mark on a directory also excludes
  /// all items in it. Source: `apple-resource-value`.
  ///
  /// In a container whose device has iOS 5.0 or 5.0.1 there is no such mark, and the call fails.
  /// The behavior of these systems themselves is `unverified`: Apple says to check the version of
  /// the system (`apple-qa1719`).
  ///
  /// - Throws: `CocoaError.fileNoSuchFile` if nothing is at this URL, as on iOS;
  ///   `CocoaError.featureUnsupported` in a container whose device's system has no such mark;
  ///   `CocoaError.fileWriteUnsupportedScheme` for a URL of no file;
  ///   `CocoaError.fileWriteUnknown` with the underlying error otherwise.
  public func excludeFromBackup() throws { try setMark(true) }

  /// Clears the mark that excludes this item from backups. An item without a mark stays as it is.
  ///
  /// - Throws: As ``excludeFromBackup()``.
  public func includeInBackup() throws { try setMark(false) }

  private func setMark(_ isExcluded: Bool) throws {
    guard isFileURL else { throw CocoaError(.fileWriteUnsupportedScheme) }
    do throws(SystemError) {
      guard try FakeContainer.lacksResourceValue(above: path) else {
        return try storeMark(isExcluded)
      }
      // The kit must know that the app wanted a mark.
      if isExcluded { try PathNotes.marksUnavailable.add(path) }
    } catch {
      throw cocoaError(error, otherwise: .fileWriteUnknown)
    }
    throw CocoaError(.featureUnsupported, userInfo: [NSFilePathErrorKey: path])
  }

  private func storeMark(_ isExcluded: Bool) throws(SystemError) {
    let item = DiskPath(self)
    do throws(SystemError) {
      try item.setMark(.resourceValue, isExcluded)
      if !isExcluded { try item.removeAttribute(ExclusionMark.resourceValue.probeName) }
    } catch {
      if isExcluded, error.isMissingItem { try PathNotes.marksOnMissingItems.add(path) }
      throw error
    }
    try PathNotes.marksSet.add(path, after: isExcluded ? "" : "-")
  }

  /// A Boolean value that indicates whether the item itself has the mark that excludes it from
  /// backups.
  ///
  /// A mark on a directory above also excludes the item, but does not count here.
  ///
  /// ```swift
  /// let movie = container.documents.appending(path: "movie.mp4")
  /// #expect(try movie.hasBackupExclusionMark)
  /// ```
  ///
  /// - Throws: `CocoaError.fileNoSuchFile` if nothing is at this URL;
  ///   `CocoaError.fileReadUnsupportedScheme` for a URL of no file;
  ///   `CocoaError.fileReadUnknown` with the underlying error otherwise.
  public var hasBackupExclusionMark: Bool {
    get throws {
      guard isFileURL else { throw CocoaError(.fileReadUnsupportedScheme) }
      do throws(SystemError) {
        return try DiskPath(self).attribute(ExclusionMark.resourceValue.attributeName) != nil
      } catch {
        throw cocoaError(error, otherwise: .fileReadUnknown)
      }
    }
  }

  /// Returns the Cocoa error that app code expects for a failed call on this URL.
  private func cocoaError(_ error: SystemError, otherwise code: CocoaError.Code) -> CocoaError {
    let underlying = NSError(domain: NSPOSIXErrorDomain, code: Int(error.number))
    return CocoaError(
      error.isMissingItem ? .fileNoSuchFile : code,
      userInfo: [NSFilePathErrorKey: path, NSUnderlyingErrorKey: underlying])
  }
}
