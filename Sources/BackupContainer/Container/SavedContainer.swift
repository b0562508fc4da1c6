package import BackupDiagnostics
import BackupFileTree
import Foundation

/// A container as it was once, in a copy that it can be set back to.
///
/// It lives in the container's device folder and goes with it, or with its last reference.
package final class SavedContainer: Sendable {
  /// Where the containers were then, and had been before.
  fileprivate let places: ContainerPlaces
  private let device: DeviceFolder
  /// The folder with the copies, each by its number among the places.
  private let folder: DiskPath

  fileprivate init(_ places: ContainerPlaces, of device: DeviceFolder, in archives: DiskPath) {
    self.places = places
    self.device = device
    self.folder = archives.appending(Array(DeviceFolder.makeIdentifier().utf8))
  }

  deinit {
    try? folder.removeItem()
  }

  private var pairs: [(container: DiskPath, copy: DiskPath)] {
    places.current.enumerated().map { number, place in
      (DiskPath(place.url, in: device), folder.appending(Array(String(number).utf8)))
    }
  }

  fileprivate func keep() throws(SystemError) {
    try folder.makeDirectory()
    for (container, copy) in pairs { try container.copyItem(to: copy, keepingDates: true) }
  }

  /// Makes the containers what the copies are, whatever is there.
  fileprivate func putBack() throws(SystemError) {
    for (container, copy) in pairs { try copy.copyItem(over: container) }
  }
}

extension FakeContainer {
  /// Keeps a copy of the container, with those of groups and extensions, as they are now: contents,
  /// marks, dates and paths.
  ///
  /// - Returns: The copy; sockets, pipes and devices are left out.
  /// - Throws: ``RunError`` with the code `.containerUnavailable` if an item cannot be read, or the copy not be made.
  package func save() throws(RunError) -> SavedContainer {
    try requireThere()
    let archives = DiskPath(archives, in: folder)
    let saved = SavedContainer(allPlaces, of: folder, in: archives)
    do throws(SystemError) {
      try archives.makeDirectoryIfMissing()
      try saved.keep()
      return saved
    } catch {
      throw RunError(
        path: url.path,
        reason:
          "the container's state cannot be saved: \(error)")
    }
  }

  /// Makes the container what it was once, at the path that it had then; the app must not run.
  package func goBack(to saved: SavedContainer) throws(RunError) {
    try requireThere()
    do throws(SystemError) {
      let kept = Set(saved.places.current.map(\.url))
      for place in places where !kept.contains(place.url) {
        try DiskPath(place.url, in: folder).removeItem()
      }
      setPlaces(saved.places)
      latestLook.withLock { $0 = nil }
      try saved.putBack()
    } catch {
      throw RunError(
        path: url.path, reason: "the container cannot be returned to its saved state: \(error)")
    }
  }
}

extension FakeContainer {
  /// A container of its own that holds what this one does, with those of groups and extensions.
  ///
  /// - Returns: The copy, which goes with its last reference.
  /// - Throws: ``RunError`` with the code `.containerUnavailable` if an item cannot be read, or the copy not be made.
  package func copied() throws(RunError) -> FakeContainer {
    try requireThere()
    let names = places.compactMap(\.name)
    let copy = try FakeContainer(
      allIn: FileTree.Layout(directories: names.map { ContainerPath($0) }))
    do throws(SystemError) {
      for place in places {
        guard let other = copy.places.first(where: { $0.name == place.name }) else { continue }
        try DiskPath(place.url, in: folder)
          .copyItem(over: DiskPath(other.url, in: copy.folder))
      }
    } catch {
      throw RunError(path: url.path, reason: "the container cannot be copied: \(error)")
    }
    return copy
  }
}
