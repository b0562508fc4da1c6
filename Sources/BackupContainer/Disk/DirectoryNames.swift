import BackupFileTree
import CBackupFiles
import Foundation

/// The names of the items in a directory, in byte order.
///
/// All names are in one buffer, because an array for each name would cost an allocation and
/// reference counting.
struct DirectoryNames: Sendable {
  /// The names, each ended by a NUL.
  private var characters: [UInt8] = []
  /// The offset of each name in the buffer.
  private var nameOffsets: [Int] = []

  init() {
    characters.reserveCapacity(2048)
    nameOffsets.reserveCapacity(128)
  }

  var count: Int { nameOffsets.count }

  var bytes: [[UInt8]] {
    var bytes: [[UInt8]] = []
    bytes.reserveCapacity(count)
    characters.withNames { names in
      for start in nameOffsets {
        bytes.append(Array(characters[start..<start + strlen(names + start)]))
      }
    }
    return bytes
  }

  /// Adds a name that ends in a NUL, but not `.` and `..`.
  mutating func append(_ name: UnsafePointer<CChar>) {
    let beginsWithDot = name.pointee == CChar(UInt8(ascii: "."))
    if beginsWithDot, strcmp(name, ".") == 0 || strcmp(name, "..") == 0 { return }
    nameOffsets.append(characters.count)
    characters.append(contentsOf: UnsafeRawBufferPointer(start: name, count: strlen(name) + 1))
  }

  /// Sorts the names in byte order, as strcmp(3) compares them, and frees unused capacity.
  mutating func sort() {
    // An empty array that is created like this would write its count into the storage that all
    // empty arrays share. This is a data race.
    guard !characters.isEmpty else { return characters = [] }
    characters = Array(unsafeUninitializedCapacity: characters.count) { buffer, count in
      count = buffer.initialize(fromContentsOf: characters)
    }
    characters.withNames { names in nameOffsets.sort { strcmp(names + $0, names + $1) < 0 } }
  }

  /// A name in two forms. `characters` ends with a NUL, and is valid only while the closure that
  /// ``forEach(_:)`` calls runs.
  struct Name {
    let characters: UnsafePointer<CChar>
    let component: ContainerPath.Component
  }

  func forEach(_ body: (Name) throws(SystemError) -> Void) throws(SystemError) {
    try characters.withNames { names throws(SystemError) in
      for start in nameOffsets {
        let range = start..<start + strlen(names + start)
        let component = ContainerPath.Component(uncheckedIn: characters, range)
        try body(Name(characters: names + start, component: component))
      }
    }
  }

  /// The options for opening a directory. A link at the end of the path is not followed.
  static let openOptions = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC

  /// Runs `body` with the names in an open directory, in byte order, and closes the directory.
  /// `descriptor` is the result of open(2), which may be -1.
  static func read<Result>(
    in descriptor: Int32, _ body: (DirectoryNames) throws(SystemError) -> Result
  ) throws(SystemError) -> Result {
    guard descriptor >= 0 else { throw SystemError() }
    defer { close(descriptor) }
    var names = DirectoryNames()
    let result = withUnsafeMutablePointer(to: &names) { names in
      cfs_each_name(
        descriptor,
        { name, names in
          guard let name else { return }
          names?.assumingMemoryBound(to: DirectoryNames.self).pointee.append(name)
        }, names)
    }
    guard result == 0 else { throw SystemError() }
    names.sort()
    return try body(names)
  }
}

extension [UInt8] {
  /// Calls `body` with these bytes as C characters, unless the array is empty.
  fileprivate func withNames<Failure: Error>(
    _ body: (UnsafePointer<CChar>) throws(Failure) -> Void
  ) throws(Failure) {
    try withUnsafeBufferPointer { bytes throws(Failure) in
      guard let first = bytes.baseAddress else { return }
      try body(UnsafeRawPointer(first).assumingMemoryBound(to: CChar.self))
    }
  }
}
