import BackupDiagnostics
import Foundation

extension ContainerPath {
  /// One name in a container: any bytes but NUL and `/`, at most 255 of them, compared byte by
  /// byte.
  ///
  /// A `String` compares by canonical equivalence and cannot hold invalid UTF-8, so two files that
  /// the file system tells apart could be one string. A component never loses a byte.
  public struct Component: Sendable {
    /// What the name's bytes are among: a path, all names of a directory, or the name alone.
    private let buffer: [UInt8]
    private let start: UInt32
    private let size: UInt32

    /// The longest name a file system takes, in bytes.
    public static let longestName = 255

    /// Wraps bytes the file system handed out, or that were validated before.
    package init(unchecked bytes: [UInt8]) {
      self.init(uncheckedIn: bytes, bytes.indices)
    }

    /// Wraps some bytes of a buffer, which names that stand in it share.
    package init(uncheckedIn buffer: [UInt8], _ range: Range<Int>) {
      let fits = range.upperBound <= UInt32.max
      self.buffer = fits ? buffer : Array(buffer[range])
      self.start = fits ? UInt32(range.lowerBound) : 0
      self.size = UInt32(range.count)
    }

    /// The name as the file system stores it.
    public var bytes: [UInt8] { Array(slice) }

    /// The name's bytes where they are.
    package var slice: ArraySlice<UInt8> { buffer[Int(start)..<Int(start) + count] }

    package var count: Int { Int(size) }

    /// The name as text, with invalid UTF-8 replaced.
    public var string: String { String(decoding: slice, as: UTF8.self) }
  }
}

extension ContainerPath.Component: Hashable {
  /// Whether both have the same bytes.
  public static func == (left: ContainerPath.Component, right: ContainerPath.Component) -> Bool {
    left.size == right.size
      && left.withUnsafeBytes { mine in right.withUnsafeBytes { mine.order(beside: $0) == 0 } }
  }

  /// Hashes the bytes.
  public func hash(into hasher: inout Hasher) {
    withUnsafeBytes { hasher.combine(bytes: $0) }
  }
}

extension ContainerPath.Component: Comparable {
  /// Orders names by their bytes, as golden files do.
  public static func < (left: ContainerPath.Component, right: ContainerPath.Component) -> Bool {
    left.withUnsafeBytes { mine in right.withUnsafeBytes { mine.precedesBytewise($0) } }
  }
}

extension ContainerPath.Component: CustomStringConvertible {
  /// The name on one line, control characters and invalid UTF-8 escaped.
  public var description: String { EscapedText.escape(bytes) }
}

extension ContainerPath.Component {
  /// What SQLite appends to a database's name for the files beside it (sqlite.org/tempfiles.html).
  private static let databaseSuffixes: [StaticString] = ["-wal", "-shm", "-journal"]

  /// The name of the database that a file of this name belongs to, or nil.
  public var databaseName: ContainerPath.Component? {
    databaseSuffixCount.map { ContainerPath.Component(unchecked: Array(slice.dropLast($0))) }
  }

  /// Whether the name is one of a file that SQLite keeps beside a database.
  public var isDatabaseSibling: Bool { databaseSuffixCount != nil }

  /// How many bytes SQLite has appended to a database's name, or nil.
  private var databaseSuffixCount: Int? {
    let suffix = Self.databaseSuffixes.first { hasSuffix($0) && count > $0.utf8CodeUnitCount }
    return suffix?.utf8CodeUnitCount
  }
}

extension ContainerPath.Component {
  package func hasPrefix(_ text: StaticString) -> Bool { has(text, at: 0) }

  package func hasSuffix(_ text: StaticString) -> Bool {
    has(text, at: count - text.utf8CodeUnitCount)
  }

  /// Whether a text begins so many bytes after the name's first, which may be outside of the name.
  package func has(_ text: StaticString, at offset: Int) -> Bool {
    let size = text.utf8CodeUnitCount
    guard offset >= 0, offset + size <= count else { return false }
    return withUnsafeBytes { name in
      guard let name = name.baseAddress else { return size == 0 }
      return memcmp(name + offset, text.utf8Start, size) == 0
    }
  }

  /// Calls `body` with the name's bytes where they are.
  private func withUnsafeBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    buffer.withUnsafeBytes {
      body(UnsafeRawBufferPointer(rebasing: $0[Int(start)..<Int(start) + count]))
    }
  }
}

extension [UInt8] {
  /// Whether these bytes sort before the others; one `memcmp` instead of a loop.
  package func precedesBytewise(_ other: [UInt8]) -> Bool {
    withUnsafeBytes { mine in other.withUnsafeBytes { mine.precedesBytewise($0) } }
  }
}

extension UnsafeRawBufferPointer {
  /// Whether these bytes sort before the others.
  fileprivate func precedesBytewise(_ other: UnsafeRawBufferPointer) -> Bool {
    let order = order(beside: other)
    return order == 0 ? count < other.count : order < 0
  }

  /// How as many bytes as both have compare: below 0, 0 or above.
  fileprivate func order(beside other: UnsafeRawBufferPointer) -> Int32 {
    guard let mine = baseAddress, let theirs = other.baseAddress else { return 0 }
    return memcmp(mine, theirs, Swift.min(count, other.count))
  }
}
