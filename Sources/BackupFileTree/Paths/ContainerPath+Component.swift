import BackupDiagnostics
import Foundation

extension ContainerPath {
  /// One name in a container: any bytes but NUL and `/`, at most 255 of them, compared byte by
  /// byte.
  ///
  /// A `String` compares by canonical equivalence and cannot hold invalid UTF-8, so two files that
  /// the file system tells apart could be one string. A component never loses a byte.
  public struct Component: Hashable, Sendable {
    /// The name as the file system stores it.
    public let bytes: [UInt8]

    /// The longest name a file system takes, in bytes.
    public static let longestName = 255

    /// Wraps bytes the file system handed out, or that were validated before.
    package init(unchecked bytes: [UInt8]) {
      self.bytes = bytes
    }

    /// The name as text, with invalid UTF-8 replaced.
    public var string: String { String(decoding: bytes, as: UTF8.self) }
  }
}

extension ContainerPath.Component: Comparable {
  /// Orders names by their bytes, as golden files do.
  public static func < (left: ContainerPath.Component, right: ContainerPath.Component) -> Bool {
    left.bytes.precedesBytewise(right.bytes)
  }
}

extension ContainerPath.Component: CustomStringConvertible {
  /// The name on one line, control characters and invalid UTF-8 escaped.
  public var description: String { EscapedText.escape(bytes) }
}

extension [UInt8] {
  /// Whether these bytes sort before the others; one `memcmp` instead of a loop.
  package func precedesBytewise(_ other: [UInt8]) -> Bool {
    let order = withUnsafeBufferPointer { mine in
      other.withUnsafeBufferPointer { theirs -> Int32 in
        guard let mine = mine.baseAddress, let theirs = theirs.baseAddress else { return 0 }
        return memcmp(mine, theirs, Swift.min(count, other.count))
      }
    }
    return order == 0 ? count < other.count : order < 0
  }
}

extension ContainerPath.Component {
  /// What SQLite appends to a database's name for the files beside it (sqlite.org/tempfiles.html).
  static let databaseSuffixes = ["-wal", "-shm", "-journal"].map { Array($0.utf8) }

  /// The name of the database that a file of this name belongs to, or nil.
  public var databaseName: ContainerPath.Component? {
    Self.databaseSuffixes
      .first { bytes.count > $0.count && bytes.suffix($0.count).elementsEqual($0) }
      .map { ContainerPath.Component(unchecked: Array(bytes.dropLast($0.count))) }
  }

  /// Whether the name is one of a file that SQLite keeps beside a database.
  public var isDatabaseSibling: Bool { databaseName != nil }
}
