import Foundation

/// Notes of marks that were set where nothing is, by code that may swallow the error.
///
/// ``Foundation/URL/setBackupExclusionMark(_:)`` and the shim for Linux write one into the device's
/// folder, beside the container; on Apple platforms Foundation's own interface leaves none.
enum MissingMarkNotes {
  /// The file in the device's folder: absolute paths, each ended by a NUL.
  static let fileName = "marks-on-missing-items"

  /// Notes a path, if it is in a fake container.
  static func add(_ path: String) {
    guard let device = DeviceFolder.above(path) else { return }
    let options = O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_CLOEXEC
    let file = open("\(device)/\(fileName)", options, 0o600)
    guard file >= 0 else { return }
    defer { close(file) }
    let line = Array(path.utf8) + [0]
    _ = line.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
  }

  /// Forgets the notes in a device's folder.
  static func clear(in device: URL) {
    try? FileManager.default.removeItem(at: file(in: device))
  }

  /// The absolute paths that the notes in a device's folder name; the notes are forgotten.
  static func take(from device: URL) -> [String] {
    guard let data = try? Data(contentsOf: file(in: device)) else { return [] }
    clear(in: device)
    return data.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }

  /// Where the notes of a device are.
  private static func file(in device: URL) -> URL { device.appendingPathComponent(fileName) }
}
