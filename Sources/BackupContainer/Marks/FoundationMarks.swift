package import BackupDiagnostics
package import BackupFileTree
import CBackupFiles
import Foundation

/// The modules in whose code the kit sees the marks that Foundation sets.
///
/// Foundation on Linux silently ignores `isExcludedFromBackup`. The shim, compiled into a module,
/// makes that property work; it asks the kit for the container on each use.
package enum FoundationMarks {
  package enum VisibleModules: Hashable, Sendable {
    case everyModule
    /// The modules with the shim whose code ran.
    case modules(Set<String>)
  }

  private static let modulesWithShim = Locked<Set<String>>([])

  /// Notes that code of modules with the shim ran, in this process or in one of the app's.
  package static func noteShim(in modules: some Sequence<String>) {
    modulesWithShim.withLock { $0.formUnion(modules) }
  }

  /// Returns true if this program has a module with the shim's file, even if the module's code did not run.
  package static func hasShim(_ module: String) -> Bool {
    // The mangled name of the enum `LinuxShimContainer` in the shim's file.
    _typeByName("\(module.utf8.count)\(module)18LinuxShimContainerO") != nil
  }

  /// True if this machine's Foundation is Apple's, which stores marks.
  package static var usesAppleFoundation: Bool { cea_foundation_stores_marks() != 0 }

  package static var visibleModules: VisibleModules {
    usesAppleFoundation ? .everyModule : .modules(modulesWithShim.withLock { $0 })
  }
}

extension FakeContainer {
  /// Makes code in this container see only the marks that the system supports.
  ///
  /// If the resource value is not among them, ``Foundation/URL/excludeFromBackup()`` and the shim for
  /// Linux fail with `CocoaError.featureUnsupported`. Without this call, all marks are supported.
  package func limitMarks(to marks: ExclusionMark, system: String) throws(RunError) {
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

  /// The name of a file in a device's folder that says that its system has no resource value. It is
  /// a file because code that does not link the kit, such as the shim for Linux, must see it.
  private static let noResourceValueSign = "no-resource-value"

  /// Returns true if an absolute path is in a container whose device's system has no resource value.
  static func lacksResourceValue(above path: String) throws(SystemError) -> Bool {
    guard let device = DeviceFolder.above(path) else { return false }
    let folder = DiskPath(URL(fileURLWithPath: String(device)))
    return try folder.appending(Array(noResourceValueSign.utf8)).status() != nil
  }
}
