import Foundation

/// Keeps downloads out of the backup: code as an iOS app has it, which knows of no shim.
public struct DownloadStore: Sendable {
  /// The folder that holds the downloads.
  public var folder: URL {
    .applicationSupportDirectory.appendingPathComponent("Downloads", isDirectory: true)
  }

  /// Makes a store; it creates nothing yet.
  public init() {}

  /// Saves a download under a name and marks it.
  ///
  /// - Parameters:
  ///   - data: What to save.
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
  /// - Parameter count: How many.
  /// - Returns: The new files, in no order.
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

  /// Replaces a download by way of a temporary file.
  ///
  /// - Parameters:
  ///   - file: The file to replace.
  ///   - data: What it is to hold.
  ///   - backupName: The name of the backup that is to stay, or nil for none.
  /// - Returns: The file.
  /// - Throws: Whatever Foundation throws.
  public func replace(_ file: URL, with data: Data, backupName: String? = nil) throws -> URL? {
    let temporary = try FileManager.default.url(
      for: .itemReplacementDirectory, in: .userDomainMask, appropriateFor: file, create: true
    ).appendingPathComponent("new")
    try data.write(to: temporary)
    return try replace(file, withItemAt: temporary, backupName: backupName)
  }

  /// Replaces an item by another.
  ///
  /// - Parameters:
  ///   - item: The item to replace.
  ///   - new: What takes its place.
  ///   - backupName: The name of the backup that is to stay, or nil for none.
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
  ///   - destination: Where the copy goes.
  ///   - usesPaths: Whether to name both by path.
  /// - Throws: Whatever Foundation throws.
  public func copy(_ item: URL, to destination: URL, usesPaths: Bool) throws {
    if usesPaths {
      try FileManager.default.copyItem(atPath: item.path, toPath: destination.path)
    } else {
      try FileManager.default.copyItem(at: item, to: destination)
    }
  }
}
