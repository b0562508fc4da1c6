package import BackupDiagnostics
import BackupFileTree
import CBackupFiles
import Foundation

/// A saved copy of a container, to which the container can return.
///
/// The copy is in the container's device folder. It is removed with that, or with its last reference. If an earlier
/// copy has the same data of a large file, the data is stored once, and the later copy has a hole there. Copies are
/// never changed, and share no file with the container.
package final class SavedContainer: Sendable {
  /// A part of a saved file, and the file that has its data, at the same offset: the saved file itself
  /// if `owner` is nil.
  private struct Part {
    var range: Range<Int64>
    let file: DiskPath
    let owner: SavedContainer?
  }

  /// The places of the containers when they were saved, and their former places.
  fileprivate let places: ContainerPlaces
  private let device: DeviceFolder
  /// The folder with the copies, each by its number among the places.
  private let folder: DiskPath
  /// The parts of large files between their holes, by the file's path in the folder.
  private let parts = Locked<[[UInt8]: [Part]]>([:])
  /// The number of bytes in this copy, and in all copies of the container.
  private let (ownBytes, allBytes): (Locked<Int64>, Locked<Int64>)

  fileprivate init(
    _ places: ContainerPlaces, of device: DeviceFolder, in archives: DiskPath,
    _ allBytes: Locked<Int64>
  ) {
    self.places = places
    self.device = device
    self.folder = archives.appending(Array(DeviceFolder.makeIdentifier().utf8))
    (ownBytes, self.allBytes) = (Locked(0), allBytes)
  }

  deinit {
    // If it cannot be removed now, it is removed with the device's folder.
    try? folder.removeItem()
    count(-ownBytes.withLock { $0 })
  }

  private func count(_ bytes: Int64) {
    ownBytes.withLock { $0 += bytes }
    allBytes.withLock { $0 += bytes }
  }

  private var copies: [(container: DiskPath, copy: DiskPath)] {
    places.current.enumerated().map { number, place in
      (DiskPath(place.url, in: device), folder.appending(Array(String(number).utf8)))
    }
  }

  private func key(of file: DiskPath) -> [UInt8] { Array(file.bytes.dropFirst(folder.count)) }

  /// Copies the containers, except the data that a former copy has.
  fileprivate func copyContainers(except former: SavedContainer?) throws(SystemError) {
    try folder.makeDirectory()
    for (container, copy) in copies {
      try container.copyItem(to: copy, keepingDates: true) { file, copy throws(SystemError) in
        guard let size = try file.status()?.size, size >= Self.block else {
          return count(try file.copyFile(to: copy))
        }
        let key = key(of: copy)
        let formerParts =
          former?.parts.withLock { $0[key] }?.map {
            Part(range: $0.range, file: $0.file, owner: $0.owner ?? former)
          } ?? []
        let parts = try copyData(of: file, to: copy, except: formerParts)
        self.parts.withLock { $0[key] = parts }
      }
    }
  }

  /// Files are compared in pieces of this many bytes.
  private static let block: Int64 = 1 << 16

  /// Copies a file's data, except the pieces that are the same in the parts of a former copy.
  private func copyData(
    of file: DiskPath, to copy: DiskPath, except formerParts: [Part]
  ) throws(SystemError) -> [Part] {
    var parts: [Part] = []
    var remaining = formerParts[...]
    var other: (path: DiskPath, descriptor: Int32)?
    defer { if let other { close(other.descriptor) } }
    var buffers = (own: [UInt8](repeating: 0, count: Int(Self.block)), other: [UInt8]())
    buffers.other = buffers.own
    try file.withCopy(at: copy) { source, target throws(SystemError) in
      try source.forEachExtent { extent throws(SystemError) in
        var offset = extent.lowerBound
        while offset < extent.upperBound {
          let end = min(extent.upperBound, (offset / Self.block + 1) * Self.block)
          let size = try source.fill(&buffers.own, at: offset, before: end)
          guard size == end - offset else { throw SystemError(EIO) }
          while let part = remaining.first, part.range.upperBound < end { remaining.removeFirst() }
          var part = Part(range: offset..<end, file: copy, owner: nil)
          if let candidate = remaining.first, candidate.range.lowerBound <= offset {
            if other?.path != candidate.file {
              if let other { close(other.descriptor) }
              other = nil
              other = (candidate.file, try candidate.file.open(O_RDONLY))
            }
            if let other,
              try other.descriptor.fill(&buffers.other, at: offset, before: end) == size,
              memcmp(buffers.own, buffers.other, size) == 0
            {
              part = Part(range: offset..<end, file: candidate.file, owner: candidate.owner)
            }
          }
          if part.owner == nil {
            try target.write(buffers.own[..<size], at: offset)
            count(Int64(size))
          }
          if let last = parts.last, last.file == part.file, last.range.upperBound == offset {
            parts[parts.count - 1].range = last.range.lowerBound..<end
          } else {
            parts.append(part)
          }
          offset = end
        }
      }
    }
    return parts
  }

  /// Replaces the contents of the containers with the copies, whatever is there.
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
  /// Saves a copy of the container, with those of groups and extensions: contents, marks, dates and paths.
  /// Sockets, pipes and devices are left out.
  package func save() throws(RunError) -> SavedContainer {
    try reporting("the container's state cannot be saved") { () throws(SystemError) in
      let archives = DiskPath(archives, in: folder)
      let places = state.withLock { $0.places }
      let saved = SavedContainer(places, of: folder, in: archives, savedBytes)
      try archives.makeDirectoryIfMissing()
      try saved.copyContainers(except: latestSaved.withLock { $0() })
      latestSaved.withLock { $0 = { [weak saved] in saved } }
      return saved
    }
  }

  /// Returns the container to a saved state, at the path that it had then. The app must not run.
  package func goBack(to saved: SavedContainer) throws(RunError) {
    let problem = "the container cannot be returned to its saved state"
    try reporting(problem) { () throws(SystemError) in
      let savedURLs = Set(saved.places.current.map(\.url))
      for place in places where !savedURLs.contains(place.url) {
        try DiskPath(place.url, in: folder).removeItem()
      }
      state.withLock { $0.places = saved.places }
      latestSnapshot.withLock { $0 = nil }
      try saved.restore()
      latestSaved.withLock { $0 = { [weak saved] in saved } }
    }
  }

  /// The number of bytes that the existing saved copies of the container occupy.
  package var bytesOfSaved: Int64 { savedBytes.withLock { $0 } }

  /// Returns a separate container with the same contents, those of groups and extensions included.
  /// The copy is removed with its last reference.
  package func copied() throws(RunError) -> FakeContainer {
    try requireNotRemoved()
    let names = places.compactMap(\.name)
    let copy = try FakeContainer(
      allIn: FileTree.Layout(directories: names.map { ContainerPath($0) }))
    try reporting("the container cannot be copied") { () throws(SystemError) in
      for place in places {
        guard let other = copy.places.first(where: { $0.name == place.name }) else { continue }
        try DiskPath(place.url, in: folder)
          .copyItem(over: DiskPath(other.url, in: copy.folder))
      }
    }
    return copy
  }
}
