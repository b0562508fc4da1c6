import BackupFileTree
package import Foundation

/// A test that shows where this machine's Foundation treats marks differently from Foundation on an
/// iOS device. The trial creates an item in the folder in which the kit creates containers.
package struct FoundationTrial {
  package enum Peculiarity: Hashable, Sendable {
    /// Foundation reports an item without a mark as excluded. On a Mac, Time Machine can
    /// exclude a folder by its path. `isExcludedFromBackup` is then true for each item in it.
    case saysUnmarkedIsExcluded(folder: String)
    /// If an item already has the mark, Foundation writes nothing when code sets the mark. So
    /// nothing on disk shows that the code set it.
    case leavesPresentMark
  }

  /// The calls that read and set the mark. Tests replace them.
  var readMark: (URL) throws -> Bool? = {
    try $0.resourceValues(forKeys: [.isExcludedFromBackupKey]).isExcludedFromBackup
  }
  var setMark: (URL) throws -> Void = { url in
    var values = URLResourceValues()
    values.isExcludedFromBackup = true
    var url = url
    try url.setResourceValues(values)
  }

  package init() {}

  /// Returns the peculiarities in a folder; none if no item can be created there.
  package func peculiarities(in parent: URL? = nil) -> [Peculiarity] {
    let parent = parent ?? DeviceFolder.usualParent
    guard let device = try? DeviceFolder.make(in: parent) else { return [] }
    defer { DeviceFolder.remove(device) }
    // A URL caches the values that it has read, so each call gets a new URL.
    let path = device.url.appendingPathComponent("trial", isDirectory: true).path
    let item = DiskPath(URL(fileURLWithPath: path), in: device)
    var peculiarities: [Peculiarity] = []
    do {
      try item.makeDirectory(permissions: 0o700)
      if try readMark(URL(fileURLWithPath: path)) == true {
        peculiarities.append(.saysUnmarkedIsExcluded(folder: parent.path))
      }
      try item.accessAttributes { diskItem throws(SystemError) in
        try diskItem.setAttribute(ExclusionMark.resourceValue.attributeName, to: markWitness)
      }
      try setMark(URL(fileURLWithPath: path))
      if try item.attribute(ExclusionMark.resourceValue.attributeName) == markWitness {
        peculiarities.append(.leavesPresentMark)
      }
    } catch {
      return peculiarities
    }
    return peculiarities
  }
}
