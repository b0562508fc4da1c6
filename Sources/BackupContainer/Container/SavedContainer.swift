package import BackupDiagnostics
import BackupFileTree
import CBackupFiles
import Foundation

/// A saved copy of a container, to which the container can return.
///
/// The copy shares no file with the container. Metadata and small files are in memory, and the data
/// of large files is in the container's device folder. Copies share data that did not change
/// between them.
package final class SavedContainer: Sendable {
  /// The present and former places of the containers, at the time of the copy.
  fileprivate let places: ContainerPlaces
  /// The containers at the present places, in the same order.
  private let containers: [SavedItem]

  fileprivate init(
    _ places: ContainerPlaces, in device: DeviceFolder, sharing formerCopy: SavedContainer?,
    _ store: DataStore
  ) throws(SystemError) {
    self.places = places
    var containers: [SavedItem] = []
    var attributeNames = AttributeNames()
    for (index, place) in places.current.enumerated() {
      let formerItem = formerCopy.flatMap {
        $0.containers.indices.contains(index) ? $0.containers[index] : nil
      }
      let path = DiskPath(place.url, in: device)
      let item = try path.inDirectory { directory, name throws(SystemError) in
        try SavedItem(name, in: directory, sharing: formerItem, store, &attributeNames)
      }
      guard let item else { throw SystemError(ENOTDIR) }
      containers.append(item)
    }
    self.containers = containers
  }

  /// Returns everything in the containers to the copies.
  fileprivate func restore(in device: DeviceFolder) throws(SystemError) {
    var attributeNames = AttributeNames()
    for (place, container) in zip(places.current, containers) {
      let path = DiskPath(place.url, in: device)
      try path.inDirectory { directory, name throws(SystemError) in
        _ = try container.restore(name, in: directory, &attributeNames)
      }
    }
  }
}

extension FakeContainer {
  /// Saves a copy of the containers of the app, its groups and its extensions: contents, marks,
  /// dates and paths. The copy lacks sockets, pipes and devices.
  package func save() throws(RunError) -> SavedContainer {
    try reporting("the container's state cannot be saved") { () throws(SystemError) in
      let savedCopy = try SavedContainer(
        state.withLock { $0.places }, in: deviceFolder,
        sharing: latestSavedCopy.withLock { $0() }, dataStore)
      latestSavedCopy.withLock { $0 = { [weak savedCopy] in savedCopy } }
      return savedCopy
    }
  }

  /// Returns the containers to a saved state and to their paths at that time. The app must not run.
  package func goBack(to savedCopy: SavedContainer) throws(RunError) {
    let problem = "the container cannot be returned to its saved state"
    try reporting(problem) { () throws(SystemError) in
      let savedURLs = Set(savedCopy.places.current.map(\.url))
      for place in places where !savedURLs.contains(place.url) {
        try DiskPath(place.url, in: deviceFolder).removeItem()
      }
      state.withLock { $0.places = savedCopy.places }
      try savedCopy.restore(in: deviceFolder)
      latestSavedCopy.withLock { $0 = { [weak savedCopy] in savedCopy } }
    }
  }

  /// The number of bytes that all existing saved copies of the container occupy.
  package var savedCopiesByteCount: Int64 { dataStore.byteCount }

  /// Returns a new container with the same contents, also in the containers of groups and
  /// extensions. The new container is removed with its last reference.
  package func copied() throws(RunError) -> FakeContainer {
    try requireNotRemoved()
    let containerNames = places.compactMap(\.name)
    let copy = try FakeContainer(
      laidOutAs: FileTree.Layout(directories: containerNames.map { ContainerPath($0) }))
    try reporting("the container cannot be copied") { () throws(SystemError) in
      for place in places {
        guard let copyPlace = copy.places.first(where: { $0.name == place.name }) else { continue }
        let copyPath = DiskPath(copyPlace.url, in: copy.deviceFolder)
        try copyPath.removeItem()
        try DiskPath(place.url, in: deviceFolder).copyItem(to: copyPath, keepingDates: true)
      }
    }
    return copy
  }
}
