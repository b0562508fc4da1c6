import BackupFileTree
public import Foundation

extension URL {
  /// Sets the mark that leaves this item out of backups, the same on every platform.
  ///
  /// ```swift
  /// try movie.excludeFromBackup()
  /// try movie.hasBackupExclusionMark  // true
  /// ```
  ///
  /// It stores what `URLResourceValues.isExcludedFromBackup` stores on Apple platforms, where the
  /// Foundation of other platforms does nothing and says nothing. A marked directory keeps out all
  /// that is in it. Source: `apple-resource-value`.
  ///
  /// In a container whose device has iOS 5.0 or 5.0.1 there is no such mark, and the call fails. What
  /// these systems themselves did is `unverified`: Apple says to ask for the system
  /// (`apple-qa1719`).
  ///
  /// - Throws: `CocoaError.fileNoSuchFile` if nothing is at this URL, as on iOS;
  ///   `CocoaError.featureUnsupported` in a container whose device's system has no such mark;
  ///   `CocoaError.fileWriteUnsupportedScheme` for a URL of no file;
  ///   `CocoaError.fileWriteUnknown` with the underlying error otherwise.
  public func excludeFromBackup() throws { try setMark(true) }

  /// Clears the mark that leaves this item out of backups; an item without one stays as it is.
  ///
  /// - Throws: As ``excludeFromBackup()``.
  public func includeInBackup() throws { try setMark(false) }

  private func setMark(_ isExcluded: Bool) throws {
    guard isFileURL else { throw CocoaError(.fileWriteUnsupportedScheme) }
    do throws(SystemError) {
      guard try FakeContainer.lacksResourceValue(above: path) else {
        return try storeMark(isExcluded)
      }
      // The kit is to know of a mark that the app wants.
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

  /// Whether the mark that leaves an item out of backups is on the item itself.
  ///
  /// A mark on a directory above it keeps the item out too, but does not show here.
  ///
  /// ```swift
  /// let movie = container.documents.appending(path: "movie.mp4")
  /// #expect(try movie.hasBackupExclusionMark)
  /// ```
  ///
  /// - Throws: `CocoaError.fileNoSuchFile` when nothing is at this URL;
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

  /// The Cocoa error that app code expects for a failed call on this URL.
  private func cocoaError(_ error: SystemError, otherwise code: CocoaError.Code) -> CocoaError {
    let underlying = NSError(domain: NSPOSIXErrorDomain, code: Int(error.number))
    return CocoaError(
      error.isMissingItem ? .fileNoSuchFile : code,
      userInfo: [NSFilePathErrorKey: path, NSUnderlyingErrorKey: underlying])
  }
}
