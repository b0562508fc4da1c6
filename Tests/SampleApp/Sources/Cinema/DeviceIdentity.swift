import Foundation

/// The key by which the server knows this device. Another device must not get it from a backup.
public struct DeviceIdentity: Sendable {
  /// The file with the key.
  public let file: URL
  /// The temporary place of a new key.
  private let draft: URL

  /// Creates the identity in an app's container.
  public init(directories: AppDirectories = .standard) {
    self.file = directories.applicationSupport.appending(path: "Identity.key")
    self.draft = directories.temporary.appending(path: "Identity.key")
  }

  /// Returns the key, or a new key if there is none, for example on a new device.
  ///
  /// A new key is marked before it is moved to its place. If iOS ends the app at any point, no key
  /// without a mark is there.
  public func key() throws -> String {
    if let key = try? String(contentsOf: file, encoding: .utf8) { return key }
    let key = UUID().uuidString
    try Data(key.utf8).write(to: draft)
    try draft.setExcluded(fromBackup: true)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.moveItem(at: draft, to: file)
    return key
  }
}
