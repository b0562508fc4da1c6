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
  /// The mark has the value that `URLResourceValues.isExcludedFromBackup` stores on Apple
  /// platforms. On other platforms, Foundation silently stores nothing. A mark on a directory also
  /// excludes all items in it. Source: `apple-resource-value`.
  ///
  /// iOS 5.0 and 5.0.1 have no such mark. In a container of a device with one of these versions,
  /// the call fails. What these versions themselves do is `unverified`: Apple only says to check
  /// the version of the system (`apple-qa1719`).
  ///
  /// - Throws: `CocoaError.fileNoSuchFile` if nothing is at this URL, as on iOS;
  ///   `CocoaError.featureUnsupported` in a container of a device whose iOS version has no such
  ///   mark; `CocoaError.fileWriteUnsupportedScheme` for a URL that is not a file URL;
  ///   `CocoaError.fileWriteUnknown` with the underlying error otherwise.
  public func excludeFromBackup() throws { try setMark(true) }

  /// Clears the mark that excludes this item from backups. An item without a mark stays as it is.
  ///
  /// - Throws: As ``excludeFromBackup()``.
  public func includeInBackup() throws { try setMark(false) }

  private func setMark(_ isExcluded: Bool) throws {
    guard isFileURL else { throw CocoaError(.fileWriteUnsupportedScheme) }
    do throws(SystemError) {
      guard try FakeContainer.lacksResourceValue(at: path) else {
        return try storeMark(isExcluded)
      }
      // The kit must know that the app tried to set a mark.
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
    try PathNotes.marksSet.add(path, prefix: isExcluded ? "" : "-")
  }

  /// A Boolean value that indicates whether the item itself has the mark that excludes it from
  /// backups.
  ///
  /// A mark on a directory above also excludes the item, but does not count for this property.
  ///
  /// ```swift
  /// let movie = container.documents.appending(path: "movie.mp4")
  /// #expect(try movie.hasBackupExclusionMark)
  /// ```
  ///
  /// - Throws: `CocoaError.fileNoSuchFile` if nothing is at this URL;
  ///   `CocoaError.fileReadUnsupportedScheme` for a URL that is not a file URL;
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
