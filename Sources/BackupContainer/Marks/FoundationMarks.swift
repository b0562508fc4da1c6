import BackupFileTree
import CBackupFiles
package import Foundation

/// Whether a mark that the app's code sets by Foundation is seen.
///
/// Foundation on Linux ignores `isExcludedFromBackup` and says nothing. In a module with the shim
/// it does not, and the shim asks the kit for the container each time. Where the executable has
/// LinuxAppShim it does not in any module, as long as that knows what the toolchain calls
/// Foundation's functions.
package enum FoundationMarks: String, Codable, Hashable, Sendable {
  /// The executable does not have LinuxAppShim, or the platform needs none.
  case absent
  /// A mark that Foundation set was found on disk.
  case works
  /// Foundation set a mark, and none was there: the file of the shim is what is left.
  case fails

  /// Whether a module with the shim has asked for a container in this process.
  private static let hasShim = Locked(false)

  package static func noteShim() {
    hasShim.withLock { $0 = true }
  }

  /// Whether this machine's Foundation is Apple's, which stores them.
  package static var areThePlatforms: Bool { cea_foundation_stores_marks() != 0 }

  /// Whether such marks are seen: by the platform, or as far as is known by the shim.
  package static var areSeen: Bool {
    areThePlatforms || hasShim.withLock { $0 } || appShim == .works
  }

  /// What was found out about LinuxAppShim in this process, once; a process of the app's own
  /// reports it at its start.
  package static let appShim: FoundationMarks =
    NSClassFromString("LinuxAppShim.AppFileManager") == nil ? .absent : tryOut() ? .works : .fails

  /// Where the mark is tried: in the temporary folder, or in an app's process, whose temporary
  /// folder is in its container, beside the container. Nothing is to change in that but by the app.
  static func place(for temporary: URL) -> URL {
    DeviceFolder.above(temporary.path).map { URL(fileURLWithPath: String($0)) } ?? temporary
  }

  /// Whether a mark that Foundation sets on a directory of a device's folder is on disk; false too
  /// if nothing can be made.
  package static func tryOut(in parent: URL? = nil) -> Bool {
    let parent = parent ?? place(for: DeviceFolder.usualParent)
    guard let device = try? DeviceFolder.make(in: parent) else { return false }
    defer { DeviceFolder.remove(device) }
    let container = device.url.appendingPathComponent(
      DeviceFolder.makeIdentifier(), isDirectory: true)
    let disk = DiskPath(container, in: device)
    var values = URLResourceValues()
    values.isExcludedFromBackup = true
    do {
      try disk.makeDirectory(permissions: 0o700)
      var marked = container
      try marked.setResourceValues(values)
      return try disk.marks().contains(.resourceValue)
    } catch {
      return false
    }
  }
}
