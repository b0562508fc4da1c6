package import BackupFileTree
import Foundation

extension FakeContainer {
  /// Tells the code that runs in the container which marks its device's system has.
  ///
  /// ``Foundation/URL/excludeFromBackup()`` and the shim for Linux then fail with
  /// `CocoaError.featureUnsupported` if it has no resource value. Without this call, a container
  /// has every mark.
  ///
  /// - Parameters:
  ///   - marks: The marks that the system has an interface for.
  ///   - system: The system's version.
  /// - Throws: ``FakeContainerError`` if the device's folder cannot be written.
  package func offer(_ marks: ExclusionMark, of system: String) throws(FakeContainerError) {
    systemName.withLock { $0 = system }
    let sign = folder.path(Self.noResourceValueSign)
    do throws(SystemError) {
      if marks.contains(.resourceValue) {
        try sign.removeItem()
      } else {
        try sign.write(.bytes([]), options: 0)
      }
    } catch {
      throw FakeContainerError(path: sign.string, reason: "cannot be written: \(error)")
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
