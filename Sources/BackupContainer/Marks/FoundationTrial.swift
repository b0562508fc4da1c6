import BackupFileTree
package import Foundation

/// A test for differences between this machine's Foundation and an iOS device's in the treatment of
/// marks. It uses an item of the kit's own, in the folder for containers.
package struct FoundationTrial {
  package enum Peculiarity: Hashable, Sendable {
    /// Foundation reports an item without a mark as excluded. On a Mac, Time Machine excludes
    /// folders by their paths, and `isExcludedFromBackup` reports these.
    case saysUnmarkedIsExcluded(folder: String)
    /// Foundation leaves a mark that is set again as it is, so nothing on disk shows that it was
    /// set.
    case leavesPresentMark
  }

  /// The calls that read and set the mark. Tests replace them.
  var read: (URL) throws -> Bool? = {
    try $0.resourceValues(forKeys: [.isExcludedFromBackupKey]).isExcludedFromBackup
  }
  var set: (URL) throws -> Void = { url in
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
    // A URL keeps what it has read, so each call gets one of its own.
    let path = device.url.appendingPathComponent("trial", isDirectory: true).path
    let item = DiskPath(URL(fileURLWithPath: path), in: device)
    var peculiarities: [Peculiarity] = []
    do {
      try item.makeDirectory(permissions: 0o700)
      if try read(URL(fileURLWithPath: path)) == true {
        peculiarities.append(.saysUnmarkedIsExcluded(folder: parent.path))
      }
      try item.atPlace { place throws(SystemError) in
        try place.setAttribute(ExclusionMark.resourceValue.attributeName, to: markWitness)
      }
      try set(URL(fileURLWithPath: path))
      if try item.attribute(ExclusionMark.resourceValue.attributeName) == markWitness {
        peculiarities.append(.leavesPresentMark)
      }
    } catch {
      return peculiarities
    }
    return peculiarities
  }
}
