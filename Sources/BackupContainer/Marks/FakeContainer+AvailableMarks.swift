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
    let sign = device.appendingPathComponent(ResourceValueSign.fileName).path
    let isSet =
      marks.contains(.resourceValue)
      ? unlink(sign) == 0 || errno == ENOENT : ResourceValueSign.put(sign)
    guard isSet else {
      throw FakeContainerError(path: sign, reason: "cannot be written: \(SystemError(errno))")
    }
  }
}

/// The sign in a device's folder that its system has no resource value to mark with.
///
/// A file, because code that does not link the kit has to see it: the shim for Linux does.
enum ResourceValueSign {
  static let fileName = "no-resource-value"

  /// Makes the file; false, with `errno`, where that fails.
  static func put(_ path: String) -> Bool {
    let file = open(path, O_WRONLY | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    return file >= 0 && close(file) == 0
  }

  /// Whether the file is there for an absolute path in a container; false for one in none.
  static func isThere(above path: String) -> Bool {
    DeviceFolder.above(path).map { access("\($0)/\(fileName)", F_OK) == 0 } ?? false
  }
}
