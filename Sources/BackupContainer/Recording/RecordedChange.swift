package import BackupFileTree

/// A change to the file system that code of the app's has made in its container, as the C library
/// was asked for it.
package enum RecordedChange: Hashable, Sendable {
  /// A file was made, with nothing in it.
  case create(ContainerPath)
  case resize(ContainerPath, to: Int64)
  /// Something was written into a file from an offset on, which may have made the file longer.
  case write(ContainerPath, FileOperation.Contents, at: Int64, isGrowth: Bool = false)
  /// The same with bytes of another file.
  case copy(ContainerPath, FileOperation.Contents, at: Int64, isGrowth: Bool = false)
  /// An item got another path, in the place of what was there.
  case rename(ContainerPath, to: ContainerPath)
  /// A file got another path besides.
  case addPath(ContainerPath, of: ContainerPath)
  case link(ContainerPath, target: [UInt8])
  /// A file or link was removed, or an empty directory.
  case remove(ContainerPath, isDirectory: Bool)
  case createDirectory(ContainerPath)
  case setMark(ExclusionMark, on: ContainerPath, to: Bool)
  /// Something was changed in a way that cannot be followed.
  case unseen(ContainerPath?)

  /// The item that it makes or changes; nil if it is unknown.
  package var path: ContainerPath? {
    switch self {
    case .create(let path), .resize(let path, to: _), .write(let path, _, at: _, _),
      .copy(let path, _, at: _, _),
      .rename(_, to: let path), .addPath(let path, of: _), .link(let path, target: _),
      .remove(let path, isDirectory: _), .createDirectory(let path),
      .setMark(_, on: let path, to: _):
      path
    case .unseen(let path): path
    }
  }

  /// Whether it is a write that makes the file longer, which fails if the storage is full.
  package var isGrowth: Bool {
    switch self {
    case .write(_, _, at: _, let isGrowth), .copy(_, _, at: _, let isGrowth): isGrowth
    default: false
    }
  }

  /// How many bytes its contents take in memory.
  package var byteCount: Int {
    switch self {
    case .write(_, .bytes(let bytes), at: _, _), .copy(_, .bytes(let bytes), at: _, _): bytes.count
    default: 0
    }
  }

  /// The same change of items that are somewhere else.
  package func moved(_ place: (ContainerPath) -> ContainerPath) -> RecordedChange {
    switch self {
    case .create(let path): .create(place(path))
    case .resize(let path, to: let size): .resize(place(path), to: size)
    case .write(let path, let contents, at: let offset, let isGrowth):
      .write(place(path), contents, at: offset, isGrowth: isGrowth)
    case .copy(let path, let contents, at: let offset, let isGrowth):
      .copy(place(path), contents, at: offset, isGrowth: isGrowth)
    case .rename(let path, to: let target): .rename(place(path), to: place(target))
    case .addPath(let path, of: let other): .addPath(place(path), of: place(other))
    case .link(let path, target: let target): .link(place(path), target: target)
    case .remove(let path, isDirectory: let isDirectory):
      .remove(place(path), isDirectory: isDirectory)
    case .createDirectory(let path): .createDirectory(place(path))
    case .setMark(let mark, on: let path, to: let isSet): .setMark(mark, on: place(path), to: isSet)
    case .unseen(let path): .unseen(path.map(place))
    }
  }

  /// What a record of the tap's says of a container; nil if it is about something else, as an
  /// attribute that is no mark.
  init?(_ record: TapRecord, _ containerPath: (String) -> ContainerPath?) {
    guard let path = containerPath(record.path) else { return nil }
    // No file that the kit makes is larger, and sums of such numbers fit.
    let largest = FileOperation.Contents.largest
    guard record.offset <= largest, record.argument <= largest else {
      self = .unseen(path)
      return
    }
    switch record.kind {
    case .create: self = .create(path)
    case .truncate: self = .resize(path, to: record.argument)
    case .allocate: self = .resize(path, to: record.offset + record.argument)
    case .write, .copy:
      let contents: FileOperation.Contents =
        record.data.isEmpty ? .zeros(record.argument) : .bytes(record.data)
      self =
        record.kind == .copy
        ? .copy(path, contents, at: record.offset, isGrowth: record.isGrowth)
        : .write(path, contents, at: record.offset, isGrowth: record.isGrowth)
    case .rename where record.argument & ~1 == 0:
      self = containerPath(record.other).map { .rename(path, to: $0) } ?? .unseen(path)
    case .hardLink:
      self = containerPath(record.other).map { .addPath($0, of: path) } ?? .unseen(path)
    case .symbolicLink: self = .link(path, target: record.data)
    case .unlink: self = .remove(path, isDirectory: false)
    case .removeDirectory: self = .remove(path, isDirectory: true)
    case .makeDirectory: self = .createDirectory(path)
    case .setAttribute, .removeAttribute:
      let mark = ExclusionMark.all.first { record.other.hasSuffix($0.attributeName) }
      guard let mark else { return nil }
      self = .setMark(mark, on: path, to: record.kind == .setAttribute)
    case .rename, .mapping, .unseen: self = .unseen(path)
    }
  }
}
