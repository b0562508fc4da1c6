extension FileOperation {
  /// What a simulated save writes.
  public enum Contents: Hashable, Sendable {
    /// This many bytes of zero, at least none; a sparse file, so 700 MB cost nothing.
    case zeros(Int64)
    /// Exactly these bytes.
    case bytes([UInt8])

    /// The text in UTF-8.
    ///
    /// - Parameter text: What the file holds, without a byte order mark or a line end of its own.
    /// - Returns: The ``bytes(_:)`` of its encoding.
    public static func text(_ text: String) -> FileOperation.Contents { .bytes(Array(text.utf8)) }

    /// How many bytes there are.
    public var size: Int64 {
      switch self {
      case .zeros(let size): max(0, size)
      case .bytes(let bytes): Int64(bytes.count)
      }
    }

    /// The bytes every SQLite database begins with (sqlite.org/fileformat.html).
    package static let databaseHeader = Array("SQLite format 3".utf8) + [0]

    /// Whether a file of just these contents begins as an SQLite database does.
    var isDatabase: Bool {
      if case .bytes(let bytes) = self { bytes.starts(with: Self.databaseHeader) } else { false }
    }

    /// The largest file the kit makes, in bytes: 8 TB, which every supported file system takes.
    public static let largest: Int64 = 8_000_000_000_000
  }
}
