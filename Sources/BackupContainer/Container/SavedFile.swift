import BackupDiagnostics
import BackupFileTree
import CBackupFiles
import Foundation

/// The data of a saved file, without its holes.
///
/// Copies share data: if an earlier copy of the file has the same data at the same offset, the later
/// copy refers to it.
struct SavedFile: Equatable, Sendable {
  /// A range of the file, and the data of the range.
  struct Part: Equatable, Sendable {
    var range: Range<Int64>
    let data: SavedData

    static func == (first: Part, second: Part) -> Bool {
      first.range == second.range && first.data === second.data
    }
  }

  let size: Int64
  let parts: [Part]

  /// The size of a piece in bytes. Each piece of a file is compared with the earlier copy. The data
  /// of files that are smaller than a piece stays in memory.
  private static let pieceSize: Int64 = 1 << 16

  // MARK: Saving

  /// Copies the data of a file in an open directory, except the data that `formerParts` have.
  init(
    _ name: UnsafePointer<CChar>, in directory: Int32, sharing formerParts: [Part],
    _ store: DataStore
  ) throws(SystemError) {
    let file = try DiskPath.open(name, in: directory, O_RDONLY | O_NONBLOCK)
    defer { close(file) }
    let size = Int64(lseek(file, 0, SEEK_END))
    guard size >= 0 else { throw SystemError() }
    var parts: [Part] = []
    var remainingParts = formerParts[...]
    var reader = SavedData.Reader()
    var newFile: (data: SavedData, descriptor: Int32)?
    defer { if let newFile { close(newFile.descriptor) } }
    try file.forEachExtent { extent throws(SystemError) in
      var offset = extent.lowerBound
      while offset < extent.upperBound {
        let end = min(extent.upperBound, (offset / Self.pieceSize + 1) * Self.pieceSize)
        let bytes = try file.bytes(at: offset, count: Int(end - offset))
        guard bytes.count == end - offset else { throw SystemError(EIO) }
        while let part = remainingParts.first, part.range.upperBound < end {
          remainingParts.removeFirst()
        }
        let data: SavedData
        if let part = remainingParts.first, part.range.lowerBound <= offset,
          try reader.hasBytes(bytes, at: offset, in: part.data)
        {
          data = part.data
        } else if size < Self.pieceSize {
          data = SavedData(.memory(bytes, offset: offset), in: store)
          data.addByteCount(bytes.count)
        } else {
          let file = if let newFile { newFile } else { try store.createFile() }
          newFile = file
          try file.descriptor.write(bytes[...], at: offset)
          file.data.addByteCount(bytes.count)
          data = file.data
        }
        if let lastPart = parts.last, lastPart.data === data, lastPart.range.upperBound == offset {
          parts[parts.count - 1].range = lastPart.range.lowerBound..<end
        } else {
          parts.append(Part(range: offset..<end, data: data))
        }
        offset = end
      }
    }
    (self.size, self.parts) = (size, parts)
  }

  // MARK: Going back

  /// Returns true if a file in an open directory has only this path, and has the same data and the
  /// same holes.
  func hasSameContents(
    as name: UnsafePointer<CChar>, in directory: Int32
  ) throws(SystemError) -> Bool {
    let readFile = try SystemError.nilIfRefused { () throws(SystemError) in
      try DiskPath.open(name, in: directory, O_RDONLY | O_NONBLOCK)
    }
    guard let file = readFile else { return false }
    defer { close(file) }
    var status = stat()
    guard fstat(file, &status) == 0 else { throw SystemError() }
    guard status.st_nlink == 1, Int64(status.st_size) == size else { return false }
    var remainingParts = parts[...]
    var reader = SavedData.Reader()
    var isSame = true
    try file.forEachExtent { extent throws(SystemError) in
      var offset = extent.lowerBound
      while isSame, offset < extent.upperBound {
        guard let part = remainingParts.first, part.range.contains(offset) else {
          return isSame = false
        }
        let end = min(part.range.upperBound, extent.upperBound, offset + Self.pieceSize)
        let bytes = try file.bytes(at: offset, count: Int(end - offset))
        guard bytes.count == end - offset else { return isSame = false }
        isSame = try reader.hasBytes(bytes, at: offset, in: part.data)
        offset = end
        if offset == part.range.upperBound { remainingParts.removeFirst() }
      }
    }
    return isSame && remainingParts.isEmpty
  }

  /// Creates the file in an open directory where nothing exists.
  func create(_ name: UnsafePointer<CChar>, in directory: Int32) throws(SystemError) {
    let file = try DiskPath.open(name, in: directory, O_WRONLY | O_CREAT | O_EXCL)
    defer { close(file) }
    guard ftruncate(file, off_t(size)) == 0 else { throw SystemError() }
    for part in parts { try part.data.write(part.range, to: file) }
  }
}

/// Data of a saved file, at the same offsets as in the file. The data never changes after the file
/// is saved, and is removed with the last copy that refers to it.
final class SavedData: Sendable {
  enum Location: Sendable {
    case memory([UInt8], offset: Int64)
    case file(DiskPath)
  }

  fileprivate let location: Location
  private let store: DataStore
  private let byteCount = Locked<Int64>(0)

  fileprivate init(_ location: Location, in store: DataStore) {
    (self.location, self.store) = (location, store)
  }

  deinit {
    // A file that cannot be removed now is removed with the device's folder.
    if case .file(let path) = location { try? path.unlinkFile() }
    store.addByteCount(-byteCount.withLock { $0 })
  }

  fileprivate func addByteCount(_ count: Int) {
    byteCount.withLock { $0 += Int64(count) }
    store.addByteCount(Int64(count))
  }

  /// Writes a range of the data to an open file.
  fileprivate func write(_ range: Range<Int64>, to file: Int32) throws(SystemError) {
    switch location {
    case .memory(let bytes, let offset):
      try file.write(
        bytes[Int(range.lowerBound - offset)..<Int(range.upperBound - offset)],
        at: range.lowerBound)
    case .file(let path):
      try path.withFile(O_RDONLY) { source throws(SystemError) in
        try source.copyExtent(range, to: file)
      }
    }
  }

  /// Compares saved data with bytes. Keeps the latest file of saved data open.
  fileprivate struct Reader: ~Copyable {
    private var openFile: (path: DiskPath, descriptor: Int32)?

    deinit { if let openFile { close(openFile.descriptor) } }

    /// Returns true if `data` has these bytes at an offset. Data in memory is compared whole.
    mutating func hasBytes(
      _ bytes: [UInt8], at offset: Int64, in data: SavedData
    ) throws(SystemError) -> Bool {
      let savedBytes: [UInt8]
      switch data.location {
      case .memory(let bytesInMemory, offset: let start):
        guard start == offset else { return false }
        savedBytes = bytesInMemory
      case .file(let path):
        if openFile?.path != path {
          if let openFile { close(openFile.descriptor) }
          openFile = nil
          openFile = (path, try path.open(O_RDONLY))
        }
        guard let openFile else { return false }
        savedBytes = try openFile.descriptor.bytes(at: offset, count: bytes.count)
      }
      // Without optimization, memcmp(3) is much faster than `==`.
      return savedBytes.count == bytes.count && memcmp(savedBytes, bytes, bytes.count) == 0
    }
  }
}

/// The place of the data of a container's saved copies, and its size.
final class DataStore: Sendable {
  /// The folder for the files with the data of large files.
  private let folder: DiskPath
  private let totalByteCount = Locked<Int64>(0)

  init(in folder: DiskPath) { self.folder = folder }

  /// The number of bytes that all saved copies occupy.
  var byteCount: Int64 { totalByteCount.withLock { $0 } }

  fileprivate func addByteCount(_ count: Int64) { totalByteCount.withLock { $0 += count } }

  fileprivate func createFile() throws(SystemError) -> (data: SavedData, descriptor: Int32) {
    try folder.makeDirectoryIfMissing()
    let path = folder.appending(Array(DeviceFolder.makeUUIDName().utf8))
    let descriptor = try path.open(O_WRONLY | O_CREAT | O_EXCL)
    return (SavedData(.file(path), in: self), descriptor)
  }
}
