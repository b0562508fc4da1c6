package import BackupFileTree
import Foundation

extension FakeContainer {
  /// Does again what was recorded, by the same calls of the system; no link is followed. The
  /// container must be as it was when it was recorded.
  package func replay(_ changes: some Sequence<RecordedChange>) throws(FakeContainerError) {
    if let (error, path) = try firstFailure(replaying: changes) {
      throw FakeContainerError(
        path: path, reason: "the app's changes cannot be replayed: \(error)")
    }
  }

  /// Does again what was recorded until something cannot be done.
  private func firstFailure(
    replaying changes: some Sequence<RecordedChange>
  ) throws(FakeContainerError) -> (error: SystemError, path: String)? {
    try requireThere()
    let roots = self.roots
    for change in changes {
      do throws(SystemError) {
        try change.replay(in: roots)
      } catch {
        return (error, change.path.map { url(of: $0).path } ?? url.path)
      }
    }
    return nil
  }

  /// Does again what was recorded, and looks at what comes of it; nil if a change cannot be done.
  package func replayed(_ changes: [RecordedChange]) throws(FakeContainerError) -> FileTree? {
    if let (error, path) = try firstFailure(replaying: changes) {
      guard error.isMachineFault else { return nil }
      throw FakeContainerError(path: path, reason: "\(error)")
    }
    return summed(try scan(), known: FileTree())
  }
}

extension RecordedChange {
  fileprivate func replay(in roots: ContainerRoots) throws(SystemError) {
    func disk(_ path: ContainerPath) -> DiskPath { DiskPath(path, in: roots) }
    switch self {
    case .create(let path): try disk(path).write(.bytes([]), options: O_EXCL)
    case .resize(let path, to: let size): try disk(path).setSize(size)
    case .write(let path, let contents, at: let offset),
      .copy(let path, let contents, at: let offset):
      try disk(path).overwrite(contents, at: offset)
    case .rename(let path, to: let other): try disk(path).rename(to: disk(other))
    case .addPath(let path, of: let other): try disk(other).addPath(disk(path))
    case .link(let path, target: let target): try disk(path).makeLink(to: target)
    case .remove(let path, isDirectory: true): try disk(path).removeEmptyDirectory()
    case .remove(let path, isDirectory: false): try disk(path).unlinkFile()
    case .createDirectory(let path): try disk(path).makeDirectory()
    case .setMark(let mark, on: let path, to: let isSet): try disk(path).setMark(mark, isSet)
    case .unseen: break
    }
  }
}

extension DiskPath {
  /// Writes into a file from an offset on.
  fileprivate func overwrite(
    _ contents: FileOperation.Contents, at offset: Int64
  ) throws(SystemError) {
    try withFile(O_WRONLY) { file throws(SystemError) in
      switch contents {
      case .bytes(let bytes): try file.write(bytes[...], at: offset)
      case .zeros(let count): try file.writeZeros(count, at: offset)
      }
    }
  }

  fileprivate func addPath(_ path: DiskPath) throws(SystemError) {
    try inDirectory { directory, name throws(SystemError) in
      try path.inDirectory { newDirectory, newName throws(SystemError) in
        guard linkat(directory, name, newDirectory, newName, 0) == 0 else { throw SystemError() }
      }
    }
  }
}

extension Int32 {
  /// How many zeros are written at a time.
  private static let zerosAtOnce: Int64 = 1 << 17

  /// The most zeros that are written over what a file holds.
  private static let mostZeros: Int64 = 1 << 30

  /// Writes zeros into this open file; at its end they become a hole.
  fileprivate func writeZeros(_ count: Int64, at offset: Int64) throws(SystemError) {
    let size = Int64(lseek(self, 0, SEEK_END))
    guard size >= 0 else { throw SystemError() }
    guard Swift.min(size, offset + count) - offset <= Self.mostZeros else {
      throw SystemError(EFBIG)
    }
    var position = offset
    while position < Swift.min(size, offset + count) {
      let length = Swift.min(Self.zerosAtOnce, Swift.min(size, offset + count) - position)
      try write([UInt8](repeating: 0, count: Int(length))[...], at: position)
      position += length
    }
    guard offset + count > size else { return }
    guard ftruncate(self, off_t(offset + count)) == 0 else { throw SystemError() }
  }
}
