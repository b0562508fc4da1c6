import Foundation

extension DeviceFolder {
  /// The folders that could not be removed so far, such as for want of a descriptor.
  private static let left = Locked<Set<URL>>([])

  /// Removes a device's folder that nobody needs any more, and those that could not be removed
  /// before. What cannot be removed is tried once more at once, for it may be the process's last, and
  /// again with the next one.
  static func remove(_ device: URL) {
    let devices = left.withLock { left in
      defer { left = [] }
      return left.union([device])
    }
    let remaining = devices.filter { device in
      !(0..<2).contains { _ in (try? DiskPath(device).removeItem()) != nil }
    }
    left.withLock { $0.formUnion(remaining) }
  }
}
