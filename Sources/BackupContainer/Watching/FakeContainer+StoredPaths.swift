package import BackupDiagnostics
package import BackupFileTree
import Foundation

extension FakeContainer {
  /// The files that hold a path of the container, or of one beside it, as it is or was.
  ///
  /// The device's folder is a part of every such path, and of nothing else. It is searched for in
  /// UTF-8 and in both orders of UTF-16, in the first bytes of each file and in its attributes; so
  /// neither `\/` in JSON nor the encoding of a `file:` URL hides it. A bookmark may hold a path:
  /// the system follows it all the same.
  ///
  /// - Throws: ``RunError`` if the machine does not let one be read.
  package func filesHoldingOwnPath(
    among paths: [ContainerPath], searching length: Int
  ) throws(RunError) -> [ContainerPath] {
    let forms = ownPathForms
    var found: [ContainerPath] = []
    for path in paths {
      let disk = DiskPath(path, in: roots)
      let isOne = try searching(path) { () throws(SystemError) in
        guard let bytes = try disk.firstBytes(length) else { return false }
        if bytes.holdsPath(forms) { return true }
        return try disk.attributesHold(forms)
      }
      if isOne { found.append(path) }
    }
    return found
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

  /// Whether a text or data of a property list holds a path of the container, as it is or was.
  package func isOwnPath(_ bytes: [UInt8]) -> Bool { bytes.holdsPath(ownPathForms) }

  /// Whether a file holds these bytes among the first ones, as many as `length` says.
  ///
  /// - Throws: ``RunError`` if the machine does not let it be read.
  package func holds(
    _ bytes: [UInt8], in path: ContainerPath, searching length: Int
  ) throws(RunError) -> Bool {
    let contents = try searching(path) { () throws(SystemError) in
      try DiskPath(path, in: roots).firstBytes(length)
    }
    return contents.map { !$0.places(of: bytes).isEmpty } ?? false
  }

  /// The name of the device's folder as it stands in files.
  private var ownPathForms: [[UInt8]] {
    let name = device.lastPathComponent
    let units = name.utf16.map { ($0.littleEndian, $0.bigEndian) }
    func bytes(_ number: UInt16) -> [UInt8] { withUnsafeBytes(of: number) { Array($0) } }
    return [Array(name.utf8), units.flatMap { bytes($0.0) }, units.flatMap { bytes($0.1) }]
  }
}

extension DiskPath {
  /// The first bytes of a file; nil if it cannot be read as it is.
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
  /// How a bookmark begins: this, its length in 4 bytes, and 4 bytes that say its format.
  private static let bookmark = (start: Array("book".utf8), format: [0, 0, 4, 16] as [UInt8])

  /// Whether a form of a path stands here, and in no bookmark.
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

  /// Where some bytes begin in these. Their `-`, or else their first byte, is looked for by the C
  /// library: that is quick, and few files have many.
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
