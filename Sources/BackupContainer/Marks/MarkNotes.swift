import Foundation

/// Notes of marks that were set in vain, by code that may swallow the error.
///
/// ``Foundation/URL/setBackupExclusionMark(_:)`` and the shim for Linux write one into the device's
/// folder, beside the container; on Apple platforms Foundation's own interface leaves none.
struct MarkNotes: Sendable {
  /// Of marks that were set where nothing is.
  static let onMissingItems = MarkNotes(fileName: "marks-on-missing-items")
  /// Of marks that the device's system does not have.
  static let unavailable = MarkNotes(fileName: "marks-unavailable")

  /// The file in the device's folder: absolute paths, each ended by a NUL.
  let fileName: String

  /// Notes a path, if it is in a fake container.
  func add(_ path: String) {
    guard let device = DeviceFolder.above(path) else { return }
    let options = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC
    let file = open("\(device)/\(fileName)", options, 0o600)
    guard file >= 0 else { return }
    defer { close(file) }
    let line = Array(path.utf8) + [0]
    _ = line.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
  }

  /// Forgets the notes in a device's folder.
  func clear(in device: URL) throws(SystemError) {
    try file(in: device).removeItem()
  }

  /// The absolute paths that the notes in a device's folder name; the notes are forgotten.
  func take(from device: URL) throws(SystemError) -> [String] {
    guard let bytes = try file(in: device).bytesIfThere() else { return [] }
    try clear(in: device)
    return bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }

  private func file(in device: URL) -> DiskPath {
    DiskPath(device.appendingPathComponent(fileName))
  }
}
