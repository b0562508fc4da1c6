package import BackupDiagnostics
import BackupFileTree
import CBackupFiles
import Foundation

/// A saved copy of a container, to which the container can return.
///
/// The copy is in the container's device folder. It is removed with this folder, or with the last
/// reference to this object. Copies never change, and share no file with the container.
///
/// Copies share the data of large files: if an earlier copy has the same data, the later copy has a
/// hole instead.
package final class SavedContainer: Sendable {
  /// A range of a saved file, and the file that has the data of the range, at the same offset.
  /// `owner` is the earlier copy to which this file belongs, and is kept alive; nil if the saved
  /// file itself has the data.
  private struct DataPart {
    var range: Range<Int64>
    let file: DiskPath
    let owner: SavedContainer?
  }

  /// The present and former places of the containers, at the time of the copy.
  fileprivate let places: ContainerPlaces
  private let device: DeviceFolder
  /// The folder with the copies of the containers. The name of a copy is the index of the
  /// container's place.
  private let folder: DiskPath
  /// The parts of each large file, without its holes. The keys are the files' paths in
  /// `deviceFolder`.
  private let parts = Locked<[[UInt8]: [DataPart]]>([:])
  /// The numbers of bytes that this copy and all copies of the container occupy.
  private let (ownByteCount, allByteCount): (Locked<Int64>, Locked<Int64>)

  fileprivate init(
    _ places: ContainerPlaces, of device: DeviceFolder, in archiveFolder: DiskPath,
    _ allByteCount: Locked<Int64>
  ) {
    self.places = places
    self.device = device
    self.folder = archiveFolder.appending(Array(DeviceFolder.makeUUIDName().utf8))
    (ownByteCount, self.allByteCount) = (Locked(0), allByteCount)
  }

  deinit {
    // A folder that cannot be removed now is removed with the device's folder.
    try? folder.removeItem()
    addByteCount(-ownByteCount.withLock { $0 })
  }

  private func addByteCount(_ count: Int64) {
    ownByteCount.withLock { $0 += count }
    allByteCount.withLock { $0 += count }
  }

  private var copies: [(container: DiskPath, copy: DiskPath)] {
    places.current.enumerated().map { number, place in
      (DiskPath(place.url, in: device), folder.appending(Array(String(number).utf8)))
    }
  }

  private func key(of file: DiskPath) -> [UInt8] { Array(file.bytes.dropFirst(folder.byteCount)) }

  /// Copies the containers, except the data that an earlier copy has.
  fileprivate func copyContainers(except formerCopy: SavedContainer?) throws(SystemError) {
    try folder.makeDirectory()
    for (container, copy) in copies {
      try container.copyItem(to: copy, keepingDates: true) { file, copy throws(SystemError) in
        guard let size = try file.status()?.size, size >= Self.pieceSize else {
          return addByteCount(try file.copyFile(to: copy))
        }
        let key = key(of: copy)
        let formerParts =
          formerCopy?.parts.withLock { $0[key] }?.map {
            DataPart(range: $0.range, file: $0.file, owner: $0.owner ?? formerCopy)
          } ?? []
        let parts = try copyData(of: file, to: copy, except: formerParts)
        self.parts.withLock { $0[key] = parts }
      }
    }
  }

  /// Files of at least this size in bytes are compared in pieces of this size. Smaller files are
  /// always copied.
  private static let pieceSize: Int64 = 1 << 16

  /// Copies a file's data, except the pieces that an earlier copy has at the same place.
  private func copyData(
    of file: DiskPath, to copy: DiskPath, except formerParts: [DataPart]
  ) throws(SystemError) -> [DataPart] {
    var parts: [DataPart] = []
    var remainingParts = formerParts[...]
    var formerFile: (path: DiskPath, descriptor: Int32)?
    defer { if let formerFile { close(formerFile.descriptor) } }
    var buffers = (own: [UInt8](repeating: 0, count: Int(Self.pieceSize)), other: [UInt8]())
    buffers.other = buffers.own
    try file.withCopy(at: copy) { source, target throws(SystemError) in
      try source.forEachExtent { extent throws(SystemError) in
        var offset = extent.lowerBound
        while offset < extent.upperBound {
          let end = min(extent.upperBound, (offset / Self.pieceSize + 1) * Self.pieceSize)
          let size = try source.fill(&buffers.own, at: offset, before: end)
          guard size == end - offset else { throw SystemError(EIO) }
          while let part = remainingParts.first, part.range.upperBound < end {
            remainingParts.removeFirst()
          }
          var newPart = DataPart(range: offset..<end, file: copy, owner: nil)
          if let candidatePart = remainingParts.first, candidatePart.range.lowerBound <= offset {
            if formerFile?.path != candidatePart.file {
              if let formerFile { close(formerFile.descriptor) }
              formerFile = nil
              formerFile = (candidatePart.file, try candidatePart.file.open(O_RDONLY))
            }
            if let formerFile,
              try formerFile.descriptor.fill(&buffers.other, at: offset, before: end) == size,
              memcmp(buffers.own, buffers.other, size) == 0
            {
              newPart = DataPart(
                range: offset..<end, file: candidatePart.file, owner: candidatePart.owner)
            }
          }
          if newPart.owner == nil {
            try target.write(buffers.own[..<size], at: offset)
            addByteCount(Int64(size))
          }
          if let lastPart = parts.last, lastPart.file == newPart.file,
            lastPart.range.upperBound == offset
          {
            parts[parts.count - 1].range = lastPart.range.lowerBound..<end
          } else {
            parts.append(newPart)
          }
          offset = end
        }
      }
    }
    return parts
  }

  /// Replaces everything in the containers with the copies.
  fileprivate func restore() throws(SystemError) {
    for (container, copy) in copies {
      try copy.copyItem(over: container) { file, destination throws(SystemError) in
        try file.copyFile(to: destination)
        let parts = parts.withLock { $0[key(of: file)] }?.filter { $0.owner != nil } ?? []
        guard !parts.isEmpty else { return }
        try destination.withFile(O_WRONLY) { target throws(SystemError) in
          for part in parts {
            try part.file.withFile(O_RDONLY) { source throws(SystemError) in
              try source.copyExtent(part.range, to: target)
            }
          }
        }
      }
    }
  }
}

extension FakeContainer {
  /// Saves a copy of the containers of the app, its groups and its extensions: contents, marks,
  /// dates and paths. The copy lacks sockets, pipes and devices.
  package func save() throws(RunError) -> SavedContainer {
    try reporting("the container's state cannot be saved") { () throws(SystemError) in
      let archiveFolder = DiskPath(archivesURL, in: deviceFolder)
      let places = state.withLock { $0.places }
      let savedCopy = SavedContainer(places, of: deviceFolder, in: archiveFolder, savedByteCount)
      try archiveFolder.makeDirectoryIfMissing()
      try savedCopy.copyContainers(except: latestSavedCopy.withLock { $0() })
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
      latestSnapshot.withLock { $0 = nil }
      try savedCopy.restore()
      latestSavedCopy.withLock { $0 = { [weak savedCopy] in savedCopy } }
    }
  }

  /// The number of bytes that all existing saved copies of the container occupy.
  package var savedCopiesByteCount: Int64 { savedByteCount.withLock { $0 } }

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
        try DiskPath(place.url, in: deviceFolder)
          .copyItem(over: DiskPath(copyPlace.url, in: copy.deviceFolder))
      }
    }
    return copy
  }
}
