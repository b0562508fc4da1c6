package import BackupFileTree
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
}

extension FakeContainer {
  /// Forgets the notes so far.
  func clearNotes() {
    try? FileManager.default.removeItem(at: notes)
  }

  /// The absolute paths that the notes name; the notes are forgotten.
  func takeNotes() -> [String] {
    guard let data = try? Data(contentsOf: notes) else { return [] }
    clearNotes()
    return data.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The path in this container that an absolute one names, nil for one outside.
  package func containerPath(of absolute: String) -> ContainerPath? {
    Self.path(absolute, in: url)
  }

  /// The path in a former container that an absolute one names, nil for any other.
  package func formerContainerPath(of absolute: String) -> ContainerPath? {
    formerURLs.lazy.compactMap { Self.path(absolute, in: $0) }.first
  }

  /// The path below a directory that an absolute one names.
  private static func path(_ absolute: String, in directory: URL) -> ContainerPath? {
    let roots = [directory.path, "/private" + directory.path]
    guard let root = roots.first(where: { absolute.hasPrefix($0 + "/") }) else { return nil }
    return try? ContainerPath(absolute.dropFirst(root.count + 1))
  }

  /// The file of the notes.
  private var notes: URL { device.appendingPathComponent(MissingMarkNotes.fileName) }
}
