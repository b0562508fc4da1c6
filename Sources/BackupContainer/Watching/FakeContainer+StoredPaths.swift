package import BackupDiagnostics
package import BackupFileTree
import Foundation

extension FakeContainer {
  /// Returns the files that contain an absolute path in the app's container, or in the container of
  /// a group or extension. Former paths of the containers count too.
  ///
  /// The kit searches for the name of the device's folder, which is a part of every such path and
  /// of nothing else. The name has only letters, digits and `-`. So `\/` in JSON and the encoding
  /// of a `file:` URL do not change the name. The kit searches in the first `length` bytes of each
  /// file and in its attributes, in UTF-8 and in both byte orders of UTF-16.
  ///
  /// A path in a bookmark is allowed, because the system follows the bookmark even after the
  /// container has moved.
  ///
  /// - Throws: ``RunError`` if the machine prevents reading a file.
  package func filesHoldingOwnPath(
    among paths: [ContainerPath], searching length: Int
  ) throws(RunError) -> [ContainerPath] {
    let encodedNames = encodedDeviceNames
    var matchingPaths: [ContainerPath] = []
    for path in paths {
      let diskPath = DiskPath(path, in: roots)
      let holdsPath = try throwingMachineFault(path) { () throws(SystemError) in
        guard let bytes = try diskPath.firstBytes(length) else { return false }
        if bytes.containsOutsideBookmarks(encodedNames) { return true }
        return try diskPath.attributesContain(encodedNames)
      }
      if holdsPath { matchingPaths.append(path) }
    }
    return matchingPaths
  }

  /// Runs system calls on a file. If they fail, throws an error that blames the machine.
  private func throwingMachineFault<Result>(
    _ path: ContainerPath, _ search: () throws(SystemError) -> Result
  ) throws(RunError) -> Result {
    do throws(SystemError) {
      return try search()
    } catch {
      throw RunError(
        unavailablePath: url(of: path).path, reason: "cannot be read: \(error)",
        isMachineFault: true)
    }
  }

  /// Returns true if a text, or data from a property list, contains a present or former path of the
  /// container. Paths in bookmarks do not count.
  package func hasOwnPath(_ bytes: [UInt8]) -> Bool {
    bytes.containsOutsideBookmarks(encodedDeviceNames)
  }

  /// Returns true if the first `length` bytes of a file contain `bytes`.
  ///
  /// - Throws: ``RunError`` if the machine prevents reading the file.
  package func holds(
    _ bytes: [UInt8], in path: ContainerPath, searching length: Int
  ) throws(RunError) -> Bool {
    let contents = try throwingMachineFault(path) { () throws(SystemError) in
      try DiskPath(path, in: roots).firstBytes(length)
    }
    return contents.map { !$0.positions(of: bytes).isEmpty } ?? false
  }

  /// The name of the device's folder in the encodings that files may have.
  private var encodedDeviceNames: [[UInt8]] {
    let name = deviceURL.lastPathComponent
    let codeUnits = name.utf16.map { ($0.littleEndian, $0.bigEndian) }
    func bytes(_ number: UInt16) -> [UInt8] { withUnsafeBytes(of: number) { Array($0) } }
    return [Array(name.utf8), codeUnits.flatMap { bytes($0.0) }, codeUnits.flatMap { bytes($0.1) }]
  }
}

extension DiskPath {
  /// Returns the first bytes of a file; nil if the system refuses to read it.
  fileprivate func firstBytes(_ count: Int) throws(SystemError) -> [UInt8]? {
    try SystemError.nilIfRefused { () throws(SystemError) in
      try withFile(O_RDONLY | O_NONBLOCK) { file throws(SystemError) in
        try file.bytes(at: 0, count: count)
      }
    }
  }

  fileprivate func attributesContain(_ encodedNames: [[UInt8]]) throws(SystemError) -> Bool {
    let names = try SystemError.nilIfRefused { () throws(SystemError) in try attributeNames() }
    for name in names ?? [] {
      let value = try SystemError.nilIfRefused { () throws(SystemError) in try attribute(name) }
      if value??.containsOutsideBookmarks(encodedNames) == true { return true }
    }
    return false
  }
}

extension [UInt8] {
  /// A bookmark begins with `start`, then has its length in 4 bytes, and then `format` in 4 bytes.
  private static let bookmark = (start: Array("book".utf8), format: [0, 0, 4, 16] as [UInt8])

  /// Returns true if these bytes contain one of the encoded names outside all bookmarks.
  fileprivate func containsOutsideBookmarks(_ encodedNames: [[UInt8]]) -> Bool {
    encodedNames.contains { encodedName in positions(of: encodedName).contains { !isInBookmark($0) }
    }
  }

  private func isInBookmark(_ index: Int) -> Bool {
    Array(self[..<index]).positions(of: Self.bookmark.start).contains { bookmarkStart in
      guard bookmarkStart + 12 <= count,
        Array(self[bookmarkStart + 8..<bookmarkStart + 12]) == Self.bookmark.format
      else {
        return false
      }
      let length = self[bookmarkStart + 4..<bookmarkStart + 8].reversed().reduce(0) {
        $0 << 8 | Int($1)
      }
      return index < bookmarkStart + length
    }
  }

  /// Returns the positions at which `bytes` begin in this array.
  ///
  /// The C library first searches for a single byte, which is fast: the `-` in `bytes`, or else
  /// their first byte. Few files have this byte often.
  package func positions(of bytes: [UInt8]) -> [Int] {
    let anchorOffset = bytes.firstIndex(of: UInt8(ascii: "-")) ?? 0
    return withUnsafeBytes { buffer in
      var positions: [Int] = []
      var searchStart = anchorOffset
      while let base = buffer.baseAddress, searchStart < count,
        let match = memchr(base + searchStart, Int32(bytes[anchorOffset]), count - searchStart)
      {
        let start = UnsafeRawPointer(match) - base - anchorOffset
        if start + bytes.count <= count, memcmp(base + start, bytes, bytes.count) == 0 {
          positions.append(start)
        }
        searchStart = start + anchorOffset + 1
      }
      return positions
    }
  }
}
