package import BackupFileTree
import Foundation

extension FakeContainer {
  /// Tells the code that runs in the container which marks its device's system has.
  ///
  /// ``Foundation/URL/setBackupExclusionMark(_:)`` and the shim for Linux then fail with
  /// `CocoaError.featureUnsupported` where it has no resource value. A container that was told
  /// nothing has every mark.
  ///
  /// - Parameters:
  ///   - marks: The marks that the system has an interface for.
  ///   - system: The system's version.
  /// - Throws: ``FakeContainerError`` where the device's folder cannot be written.
  package func offer(_ marks: ExclusionMark, of system: String) throws(FakeContainerError) {
    systemName.withLock { $0 = system }
    let sign = device.appendingPathComponent(Self.noResourceValueSign).path
    let isSet =
      marks.contains(.resourceValue)
      ? unlink(sign) == 0 || errno == ENOENT : Self.makeFile(sign)
    guard isSet else {
      throw FakeContainerError(path: sign, reason: "cannot be written: \(SystemError(errno))")
    }
  }

  /// The name of the sign in a device's folder that its system has no resource value to mark with: a
  /// file, because code that does not link the kit has to see it. The shim for Linux does.
  private static let noResourceValueSign = "no-resource-value"

  /// Makes an empty file; false, with `errno`, where that fails.
  private static func makeFile(_ path: String) -> Bool {
    let file = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    return file >= 0 && close(file) == 0
  }

  /// Whether the system of the device that an absolute path is on has no resource value; false for a
  /// path that is in no container.
  static func lacksResourceValue(above path: String) -> Bool {
    DeviceFolder.above(path).map { access("\($0)/\(noResourceValueSign)", F_OK) == 0 } ?? false
  }
}
