import Foundation

/// A line of a template. It is parsed once, so that many lines can be made from it quickly.
struct SeriesLine: Sendable {
  private enum Piece: Sendable {
    /// Text without a placeholder.
    case text(String)
    /// The running number after an operation: `+`, `/` or `%` with the second value.
    case number(Character, Int)
    /// Text that is `old` while the golden file is recorded, and `new` when it is compared.
    case version(old: String, new: String)
  }

  /// How many times a line is repeated.
  private enum Times: Sendable {
    /// The same number of times for each n.
    case fixed(Int)
    /// n divided by a number.
    case nDividedBy(Int)
  }

  private let pieces: [Piece]
  private let times: Times

  init(_ text: String) {
    let (line, times) = Self.splitTimes(from: text)
    pieces = Self.pieces(of: line)
    let isNumbered = pieces.contains { if case .number = $0 { true } else { false } }
    self.times = times ?? (isNumbered ? .nDividedBy(1) : .fixed(1))
  }

  /// True if the line differs between the recording of the golden file and the comparison.
  var hasVersions: Bool {
    pieces.contains { if case .version = $0 { true } else { false } }
  }

  /// Returns true if the line contains a text outside of its placeholders.
  func contains(_ text: String) -> Bool {
    pieces.contains { if case .text(let piece) = $0 { piece.contains(text) } else { false } }
  }

  /// Returns all repetitions of the line for n = `count`.
  func repeated(_ count: Int, isRecording: Bool) -> String {
    let times =
      switch times {
      case .fixed(let times): times
      case .nDividedBy(let divisor): count / divisor
      }
    return (0..<times).map { line($0, isRecording: isRecording) + "\n" }.joined()
  }

  /// Returns the repetition of the line with a running number.
  private func line(_ number: Int, isRecording: Bool) -> String {
    pieces.map { piece in
      switch piece {
      case .text(let text): text
      case .number("/", let divisor): String(number / divisor)
      case .number("%", let divisor): String(number % divisor)
      case .number(_, let summand): String(number + summand)
      case .version(let old, let new): isRecording ? old : new
      }
    }.joined()
  }

  /// Splits a comment such as `// n/3 times` from the end of a line.
  private static func splitTimes(from text: String) -> (line: String, times: Times?) {
    guard let match = text.firstMatch(of: /\s*\/\/ (n\/)?([1-9][0-9]{0,5}) times$/),
      let number = Int(match.2)
    else { return (text, nil) }
    let line = String(text[..<match.range.lowerBound])
    return (line, match.1 == nil ? .fixed(number) : .nDividedBy(number))
  }

  private static func pieces(of line: String) -> [Piece] {
    var pieces: [Piece] = []
    var remaining = line[...]
    let placeholder = /\{n(?:([+\/%])([1-9][0-9]{0,5}))?\}|\{([^{}|]*)\|([^{}|]*)\}/
    while let match = remaining.firstMatch(of: placeholder) {
      pieces.append(.text(String(remaining[..<match.range.lowerBound])))
      if let old = match.3, let new = match.4 {
        pieces.append(.version(old: String(old), new: String(new)))
      } else {
        pieces.append(.number(match.1?.first ?? "+", match.2.flatMap { Int($0) } ?? 0))
      }
      remaining = remaining[match.range.upperBound...]
    }
    return pieces + [.text(String(remaining))]
  }
}
