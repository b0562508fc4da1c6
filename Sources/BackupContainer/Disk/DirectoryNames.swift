import BackupFileTree
import Foundation

/// What is in one directory: names in byte order, in a buffer that holds all of them.
///
/// An array for each name would be made, counted and sorted at some cost, and only some readers
/// need it.
struct DirectoryNames: Sendable {
  /// The names, each ended by a NUL.
  private var characters: [CChar] = []
  /// Where each name begins.
  private var starts: [Int] = []

  /// No names, with room for those of a usual directory.
  init() {
    characters.reserveCapacity(2048)
    starts.reserveCapacity(128)
  }

  /// How many names there are.
  var count: Int { starts.count }

  /// The bytes of each name.
  var bytes: [[UInt8]] {
    var bytes: [[UInt8]] = []
    bytes.reserveCapacity(count)
    forEach { bytes.append($0.nameBytes) }
    return bytes
  }

  /// Adds a name that ends in a NUL, but not `.` and `..`.
  mutating func append(_ name: UnsafePointer<CChar>) {
    if strcmp(name, ".") == 0 || strcmp(name, "..") == 0 { return }
    starts.append(characters.count)
    characters.append(contentsOf: UnsafeBufferPointer(start: name, count: strlen(name) + 1))
  }

  /// Puts the names in byte order, as strcmp(3) compares them.
  mutating func sort() {
    characters.withUnsafeBufferPointer { characters in
      guard let names = characters.baseAddress else { return }
      starts.sort { strcmp(names + $0, names + $1) < 0 }
    }
  }

  /// Calls `body` with each name in turn, which ends in a NUL.
  func forEach(_ body: (UnsafePointer<CChar>) -> Void) {
    characters.withUnsafeBufferPointer { characters in
      guard let names = characters.baseAddress else { return }
      for start in starts { body(names + start) }
    }
  }
}

extension UnsafePointer<CChar> {
  /// The bytes before the NUL.
  var nameBytes: [UInt8] { Array(UnsafeRawBufferPointer(start: self, count: strlen(self))) }
}
