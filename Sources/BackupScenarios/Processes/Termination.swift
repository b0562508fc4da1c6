import BackupDiagnostics
import BackupFileTree
import Foundation

enum Termination: Hashable, Sendable {
  case exited(Int32)
  case signal(Int32)
  /// It took too long and was killed.
  case timeLimit
  /// The test was cancelled, and it was killed.
  case cancelled
  /// Another part of this process has taken its status.
  case unknown

  /// Whether the tool itself said that it failed.
  var isFailureOfItsOwn: Bool {
    switch self {
    case .exited, .signal: true
    case .timeLimit, .cancelled, .unknown: false
    }
  }

  /// How it ended, in words that follow its name.
  func description(timeLimit: Double) -> String {
    switch self {
    case .exited(let status): "ended with status \(status)"
    case .signal(let number):
      "was ended by signal \(number) (\(String(cString: strsignal(number))))"
    case .timeLimit:
      "did not end within its time limit of \(Self.number(timeLimit)) seconds and was killed; "
        + "raise 'timeLimit' if it needs more"
    case .cancelled: "was killed because the test was cancelled"
    case .unknown: "ended with an unknown status; check whether this process ignores SIGCHLD"
    }
  }

  /// A number without needless decimals.
  private static func number(_ value: Double) -> String {
    Int(exactly: value).map { "\($0)" } ?? "\(value)"
  }
}

/// What a tool printed, at most its last 64 KiB.
package struct ProcessOutput: Sendable {
  /// How many bytes are kept.
  package static let largestSize = 65_536

  /// The bytes; only the last ones are kept in the end.
  private var bytes: [UInt8] = []
  /// How many were let go.
  private var droppedCount = 0

  /// Nothing printed so far, but for bytes that are left out.
  package init(leavingOut count: Int = 0) {
    self.droppedCount = count
  }

  package mutating func append(_ more: some Collection<UInt8>) {
    bytes += more
    if bytes.count > 4 * Self.largestSize { trim() }
  }

  /// The lines, with control characters escaped; says so where the first ones are left out.
  package var text: String {
    var kept = self
    kept.trim()
    var lines = kept.bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    if lines.last?.isEmpty == true { lines.removeLast() }
    let note = "(the first \(kept.droppedCount.formattedSize) are not shown)"
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
