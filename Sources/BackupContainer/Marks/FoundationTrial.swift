import BackupFileTree
package import Foundation

/// What this machine's Foundation makes of marks that an iOS device's does not: found out on an item of the
/// kit's own, where containers are made.
package struct FoundationTrial {
  package enum Peculiarity: Hashable, Sendable {
    /// An item without a mark is said to be excluded. On a Mac, Time Machine leaves out folders by their
    /// path, and `isExcludedFromBackup` knows of these.
    case saysUnmarkedIsExcluded(folder: String)
    /// A mark that is set again is left as it is, so nothing on disk shows that it was.
    case leavesPresentMark
  }

  /// How the mark is read and set; tests try others.
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

  /// What is peculiar in a folder; nothing if no item can be made there.
  package func peculiarities(in parent: URL? = nil) -> [Peculiarity] {
    let parent = parent ?? DeviceFolder.usualParent
    guard let device = try? DeviceFolder.make(in: parent) else { return [] }
    defer { DeviceFolder.remove(device) }
    // A URL keeps what it has read, so each call gets one of its own.
    let path = device.url.appendingPathComponent("trial", isDirectory: true).path
    let item = DiskPath(URL(fileURLWithPath: path), in: device)
    var found: [Peculiarity] = []
    do {
      try item.makeDirectory(permissions: 0o700)
      if try read(URL(fileURLWithPath: path)) == true {
        found.append(.saysUnmarkedIsExcluded(folder: parent.path))
      }
      try item.atPlace { place throws(SystemError) in
        try place.setAttribute(ExclusionMark.resourceValue.attributeName, to: markWitness)
      }
      try set(URL(fileURLWithPath: path))
      if try item.attribute(ExclusionMark.resourceValue.attributeName) == markWitness {
        found.append(.leavesPresentMark)
      }
    } catch {
      return found
    }
    return found
  }
}
