package import BackupDiagnostics
package import BackupFileTree
import CBackupFiles
import Foundation

/// The modules in which the kit sees the marks that code sets with Foundation.
///
/// Foundation on Linux silently ignores `isExcludedFromBackup`. In a module with the shim for
/// Linux, this property works. The shim asks the kit for the container each time that code uses the
/// property.
package enum FoundationMarks {
  package enum VisibleModules: Hashable, Sendable {
    case everyModule
    /// The modules with the shim whose code ran.
    case modules(Set<String>)
  }

  private static let modulesWithShim = Locked<Set<String>>([])

  /// Notes that code of modules with the shim has run, in this process or in a process of the app.
  package static func noteShim(in modules: some Sequence<String>) {
    modulesWithShim.withLock { $0.formUnion(modules) }
  }

  /// Returns true if this program contains a module with the shim, even if the module's code did
  /// not run.
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
  /// Limits the marks that code in this container can use to `marks`. `system` is the device's iOS
  /// version, which supports these. Before the first call, all marks are supported.
  ///
  /// If `marks` does not contain the resource value (`isExcludedFromBackup`),
  /// ``Foundation/URL/excludeFromBackup()`` and the shim for Linux fail with
  /// `CocoaError.featureUnsupported`.
  package func limitMarks(to marks: ExclusionMark, system: String) throws(RunError) {
    systemVersion.withLock { $0 = system }
    let file = deviceFolder.path(Self.noResourceValueFileName)
    do throws(SystemError) {
      if marks.contains(.resourceValue) {
        try file.removeItem()
      } else {
        try file.write(.bytes([]), options: 0)
      }
    } catch {
      throw RunError(unavailablePath: file.string, reason: "cannot be written: \(error)")
    }
  }

  /// The name of a file in a device's folder. If the file exists, the device's iOS version has no
  /// resource value. Code that does not link the kit, such as the shim for Linux, looks for this
  /// file.
  private static let noResourceValueFileName = "no-resource-value"

  /// Returns true if an absolute path is in the container of a device whose iOS version has no
  /// resource value.
  static func lacksResourceValue(at path: String) throws(SystemError) -> Bool {
    guard let device = DeviceFolder.pathAbove(path) else { return false }
    let folder = DiskPath(URL(fileURLWithPath: String(device)))
    return try folder.appending(Array(noResourceValueFileName.utf8)).status() != nil
  }
}
