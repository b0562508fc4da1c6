package import BackupDiagnostics
package import BackupFileTree
import Foundation

extension FakeContainer {
  /// Returns the files that contain a present or former path of the container, or of one beside it.
  ///
  /// The name of the device's folder is a part of every such path, and of nothing else. The kit
  /// searches for it in UTF-8 and in both byte orders of UTF-16, in the first bytes of each file
  /// and in its attributes. So neither `\/` in JSON nor the encoding of a `file:` URL hides it. A
  /// path in a bookmark is permitted, because the system follows the bookmark all the same.
  ///
  /// - Throws: ``RunError`` if the machine prevents reading a file.
  package func filesHoldingOwnPath(
    among paths: [ContainerPath], searching length: Int
  ) throws(RunError) -> [ContainerPath] {
    let forms = ownPathForms
    var holders: [ContainerPath] = []
    for path in paths {
      let disk = DiskPath(path, in: roots)
      let isHolder = try searching(path) { () throws(SystemError) in
        guard let bytes = try disk.firstBytes(length) else { return false }
        if bytes.holdsPath(forms) { return true }
        return try disk.attributesHold(forms)
      }
      if isHolder { holders.append(path) }
    }
    return holders
  }

  private func searching<Result>(
    _ path: ContainerPath, _ search: () throws(SystemError) -> Result
  ) throws(RunError) -> Result {
    do throws(SystemError) {
      return try search()
    } catch {
      throw RunError(
        path: url(of: path).path, reason: "cannot be read: \(error)", isMachineFault: true)
    }
  }

  /// Returns true if a text or data of a property list contains a present or former path of the
  /// container.
  package func isOwnPath(_ bytes: [UInt8]) -> Bool { bytes.holdsPath(ownPathForms) }

  /// Returns true if the first `length` bytes of a file contain these bytes.
  ///
  /// - Throws: ``RunError`` if the machine prevents reading it.
  package func holds(
    _ bytes: [UInt8], in path: ContainerPath, searching length: Int
  ) throws(RunError) -> Bool {
    let contents = try searching(path) { () throws(SystemError) in
      try DiskPath(path, in: roots).firstBytes(length)
    }
    return contents.map { !$0.places(of: bytes).isEmpty } ?? false
  }

  /// The name of the device's folder in the encodings that files may have.
  private var ownPathForms: [[UInt8]] {
    let name = device.lastPathComponent
    let units = name.utf16.map { ($0.littleEndian, $0.bigEndian) }
    func bytes(_ number: UInt16) -> [UInt8] { withUnsafeBytes(of: number) { Array($0) } }
    return [Array(name.utf8), units.flatMap { bytes($0.0) }, units.flatMap { bytes($0.1) }]
  }
}

extension DiskPath {
  /// Returns the first bytes of a file; nil if the system refuses to read it.
  fileprivate func firstBytes(_ count: Int) throws(SystemError) -> [UInt8]? {
    try SystemError.unlessRefused { () throws(SystemError) in
      try withFile(O_RDONLY | O_NONBLOCK) { file throws(SystemError) in
        try file.bytes(at: 0, count: count)
      }
    }
  }

  fileprivate func attributesHold(_ forms: [[UInt8]]) throws(SystemError) -> Bool {
    let names = try SystemError.unlessRefused { () throws(SystemError) in try attributeNames() }
    for name in names ?? [] {
      let value = try SystemError.unlessRefused { () throws(SystemError) in try attribute(name) }
      if value??.holdsPath(forms) == true { return true }
    }
    return false
  }
}

extension [UInt8] {
  /// The beginning of a bookmark: `start`, its length in 4 bytes, and `format` in 4 bytes.
  private static let bookmark = (start: Array("book".utf8), format: [0, 0, 4, 16] as [UInt8])

  /// Returns true if these bytes contain a form of a path outside all bookmarks.
  fileprivate func holdsPath(_ forms: [[UInt8]]) -> Bool {
    forms.contains { form in places(of: form).contains { !isInBookmark($0) } }
  }

  private func isInBookmark(_ index: Int) -> Bool {
    Array(self[..<index]).places(of: Self.bookmark.start).contains { start in
      guard start + 12 <= count, Array(self[start + 8..<start + 12]) == Self.bookmark.format else {
        return false
      }
      let length = self[start + 4..<start + 8].reversed().reduce(0) { $0 << 8 | Int($1) }
      return index < start + length
    }
  }

  /// Returns the positions at which some bytes begin in these. The C library searches for their
  /// `-`, or else for their first byte: that is fast, and few files have many.
  package func places(of bytes: [UInt8]) -> [Int] {
    let anchor = bytes.firstIndex(of: UInt8(ascii: "-")) ?? 0
    return withUnsafeBytes { buffer in
      var places: [Int] = []
      var next = anchor
      while let base = buffer.baseAddress, next < count,
        let found = memchr(base + next, Int32(bytes[anchor]), count - next)
      {
        let start = UnsafeRawPointer(found) - base - anchor
        if start + bytes.count <= count, memcmp(base + start, bytes, bytes.count) == 0 {
          places.append(start)
        }
        next = start + anchor + 1
      }
      return places
    }
  }
}
