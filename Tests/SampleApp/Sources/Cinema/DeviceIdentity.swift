import Foundation

/// The key by which the server knows this device: another device must never get it from a backup.
public struct DeviceIdentity: Sendable {
  /// The file.
  public let file: URL

  /// The key in an app's container.
  public init(directories: AppDirectories = .standard) {
    self.file = directories.applicationSupport.appending(path: "Identity.key")
  }

  /// The key; a new one where there is none, as on a new device.
  public func key() throws -> String {
    if let key = try? String(contentsOf: file, encoding: .utf8) { return key }
    let key = UUID().uuidString
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(key.utf8).write(to: file, options: .atomic)
    try file.setExcluded(fromBackup: true)
    return key
  }
}
