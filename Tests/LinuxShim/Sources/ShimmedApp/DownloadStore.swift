import Foundation

/// Excludes downloads from the backup, as an iOS app does. This code does not know the shim.
public struct DownloadStore: Sendable {
  /// The folder with the downloads.
  public var folder: URL {
    .applicationSupportDirectory.appendingPathComponent("Downloads", isDirectory: true)
  }

  /// Creates a store. The first save creates the folder.
  public init() {}

  /// Saves a download under a name and marks it.
  ///
  /// - Parameters:
  ///   - data: The file's contents.
  ///   - name: The file's name.
  /// - Returns: The new file.
  /// - Throws: Whatever Foundation throws.
  public func save(_ data: Data, as name: String) throws -> URL {
    let support = try FileManager.default.url(
      for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: true)
    let folder = support.appendingPathComponent("Downloads", isDirectory: true)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    var file = folder.appendingPathComponent(name)
    try data.write(to: file)
    var values = URLResourceValues()
    values.isExcludedFromBackup = true
    try file.setResourceValues(values)
    return file
  }

  /// Saves many downloads at once, each in a child task.
  ///
  /// - Parameter count: The number of downloads.
  /// - Returns: The new files, in any order.
  /// - Throws: Whatever Foundation throws.
  public func saveConcurrently(_ count: Int) async throws -> [URL] {
    try await withThrowingTaskGroup(of: URL.self) { group in
      for number in 0..<count {
        group.addTask {
          await Task.yield()
          return try save(Data([1]), as: "\(number).bin")
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
  }

  /// Replaces a download with a temporary file.
  ///
  /// - Parameters:
  ///   - file: The file to replace.
  ///   - data: The new contents.
  ///   - backupName: The name under which the old file is kept; nil to delete the old file.
  /// - Returns: The file.
  /// - Throws: Whatever Foundation throws.
  public func replace(_ file: URL, with data: Data, backupName: String? = nil) throws -> URL? {
    let temporary = try FileManager.default.url(
      for: .itemReplacementDirectory, in: .userDomainMask, appropriateFor: file, create: true
    ).appendingPathComponent("new")
    try data.write(to: temporary)
    return try replace(file, withItemAt: temporary, backupName: backupName)
  }

  /// Replaces an item with another item.
  ///
  /// - Parameters:
  ///   - item: The item to replace.
  ///   - new: The new item.
  ///   - backupName: The name under which the old item is kept; nil to delete the old item.
  /// - Returns: The item.
  /// - Throws: Whatever Foundation throws.
  public func replace(_ item: URL, withItemAt new: URL, backupName: String? = nil) throws -> URL? {
    guard let backupName else {
      return try FileManager.default.replaceItemAt(item, withItemAt: new)
    }
    var result: NSURL?
    try FileManager.default.replaceItem(
      at: item, withItemAt: new, backupItemName: backupName,
      options: .withoutDeletingBackupItem, resultingItemURL: &result)
    return result as URL?
  }

  /// Copies an item, through URLs or through paths.
  ///
  /// - Parameters:
  ///   - item: The item to copy.
  ///   - destination: The place of the copy.
  ///   - usesPaths: True to call Foundation with paths, false to call it with URLs.
  /// - Throws: Whatever Foundation throws.
  public func copy(_ item: URL, to destination: URL, usesPaths: Bool) throws {
    if usesPaths {
      try FileManager.default.copyItem(atPath: item.path, toPath: destination.path)
    } else {
      try FileManager.default.copyItem(at: item, to: destination)
    }
  }
}
