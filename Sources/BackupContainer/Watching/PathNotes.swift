import Foundation

/// Notes of what the app's code did that no look afterwards shows, and of what it tried in vain,
/// since it may swallow the error.
///
/// They stand in the device's folder, beside the container. Of marks
/// ``Foundation/URL/excludeFromBackup()`` and the shim for Linux leave one; on Apple
/// platforms Foundation's own interface does not. Of the rest FileSystemTap does.
struct PathNotes: Sendable {
  /// Of marks that were set where nothing is.
  static let marksOnMissingItems = PathNotes(fileName: "marks-on-missing-items")
  /// Of marks that the device's system does not have.
  static let marksUnavailable = PathNotes(fileName: "marks-unavailable")
  /// Of marks that were set; of one that was taken off again, with a `-` before the path.
  static let marksSet = PathNotes(fileName: "marks-set")
  /// Of what was made or written where a device refuses it.
  static let refusedPlaces = PathNotes(fileName: "refused-places")
  /// Of what was looked for in a container that the app had before, and of items of the same names
  /// that were looked for in the present one afterwards.
  static let formerPaths = PathNotes(fileName: "former-paths")

  /// Of what was looked for, other than by opening it, and is not there.
  static let missingItems = PathNotes(fileName: "missing-items")

  private static let all = [
    marksOnMissingItems, marksUnavailable, marksSet, refusedPlaces, formerPaths, missingItems,
  ]

  /// The file in the device's folder: absolute paths, each ended by a NUL.
  let fileName: String

  /// Notes a path, if it is in a fake container, with something before it.
  func add(_ path: String, after sign: String = "") {
    guard let device = DeviceFolder.above(path) else { return }
    let file = DiskPath(URL(fileURLWithPath: String(device))).appending(Array(fileName.utf8))
    let line = Array((sign + path).utf8) + [0]
    try? file.withFile(O_WRONLY | O_APPEND | O_CREAT) { file throws(SystemError) in
      _ = line.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
    }
  }

  static func clearAll(in device: DeviceFolder) throws(SystemError) {
    for notes in all { try notes.clear(in: device) }
  }

  private func clear(in device: DeviceFolder) throws(SystemError) {
    try file(in: device).removeItem()
  }

  /// The absolute paths that the notes in a device's folder name; the notes are forgotten.
  func take(from device: DeviceFolder) throws(SystemError) -> [String] {
    guard let bytes = try file(in: device).bytesIfThere() else { return [] }
    try clear(in: device)
    return bytes.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }

  private func file(in device: DeviceFolder) -> DiskPath {
    device.path(fileName)
  }
}
