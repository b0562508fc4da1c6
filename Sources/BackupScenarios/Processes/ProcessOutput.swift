import BackupDiagnostics

/// What a tool printed, at most its last 64 KiB.
struct ProcessOutput: Sendable {
  /// How many bytes are kept.
  static let largestSize = 65_536

  /// The bytes, of which only the last ones are kept in the end.
  private var bytes: [UInt8] = []
  /// How many were let go.
  private var droppedCount = 0

  /// Adds what was printed.
  mutating func append(_ more: some Collection<UInt8>) {
    bytes += more
    if bytes.count > 4 * Self.largestSize { trim() }
  }

  /// The lines, with control characters escaped; says so where the first ones are left out.
  var text: String {
    var kept = self
    kept.trim()
    var lines = kept.bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    let note = "(\(kept.droppedCount) bytes before this are left out)"
    return ((kept.droppedCount > 0 ? [note] : []) + lines.map(Self.escaped)).joined(separator: "\n")
  }

  /// Lets go of all but the last bytes.
  private mutating func trim() {
    let excess = max(0, bytes.count - Self.largestSize)
    bytes.removeFirst(excess)
    droppedCount += excess
  }

  /// A line without its end.
  private static func escaped(_ line: ArraySlice<UInt8>) -> String {
    EscapedText.escape(Array(line.last == UInt8(ascii: "\r") ? line.dropLast() : line))
  }
}
