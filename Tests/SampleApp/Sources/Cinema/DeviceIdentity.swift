import Foundation

/// The key by which the server knows this device: another device must never get it from a backup.
public struct DeviceIdentity: Sendable {
  /// The file.
  public let file: URL
  /// Where the file is made.
  private let draft: URL

  /// The key in an app's container.
  public init(directories: AppDirectories = .standard) {
    self.file = directories.applicationSupport.appending(path: "Identity.key")
    self.draft = directories.temporary.appending(path: "Identity.key")
  }

  /// The key; a new one where there is none, as on a new device.
  ///
  /// A new one is marked before it takes its place: whenever iOS ends the app, a key that is there
  /// is marked.
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
