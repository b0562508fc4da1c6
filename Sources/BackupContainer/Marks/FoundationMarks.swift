package import BackupDiagnostics
package import BackupFileTree
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

  /// In whose code the kit sees the marks that Foundation sets.
  package enum Reach: Hashable, Sendable {
    case everyModule
    /// Of the modules with the shim, those whose code ran.
    case modules(Set<String>)
  }

  private static let modulesWithShim = Locked<Set<String>>([])

  /// Notes that code of modules with the shim ran, in this process or in one of the app's.
  package static func noteShim(in modules: some Sequence<String>) {
    modulesWithShim.withLock { $0.formUnion(modules) }
  }

  /// Whether a module in this program has the shim's file, whether or not its code ran.
  package static func hasShim(_ module: String) -> Bool {
    _typeByName("\(module.utf8.count)\(module)18LinuxShimContainerO") != nil
  }

  /// Whether this machine's Foundation is Apple's, which stores them.
  package static var areThePlatforms: Bool { cea_foundation_stores_marks() != 0 }

  package static var reach: Reach {
    areThePlatforms || appShim == .works ? .everyModule : .modules(modulesWithShim.withLock { $0 })
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

extension FakeContainer {
  /// Tells the code that runs in the container which marks its device's system has.
  ///
  /// ``Foundation/URL/excludeFromBackup()`` and the shim for Linux then fail with
  /// `CocoaError.featureUnsupported` if it has no resource value. Without this call, a container
  /// has every mark.
  package func offer(_ marks: ExclusionMark, of system: String) throws(RunError) {
    systemName.withLock { $0 = system }
    let sign = folder.path(Self.noResourceValueSign)
    do throws(SystemError) {
      if marks.contains(.resourceValue) {
        try sign.removeItem()
      } else {
        try sign.write(.bytes([]), options: 0)
      }
    } catch {
      throw RunError(path: sign.string, reason: "cannot be written: \(error)")
    }
  }

  /// The name of the sign in a device's folder that its system has no resource value to mark with.
  /// It is a file because code that does not link the kit, such as the shim for Linux, must see it.
  private static let noResourceValueSign = "no-resource-value"

  /// Whether the system of the device that an absolute path is on has no resource value; false for
  /// a path that is in no container.
  static func lacksResourceValue(above path: String) -> Bool {
    DeviceFolder.above(path).map { access("\($0)/\(noResourceValueSign)", F_OK) == 0 } ?? false
  }
}
