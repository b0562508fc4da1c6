import Foundation

/// A line of a template, taken apart once so that many lines are made of it quickly.
struct SeriesLine: Sendable {
  /// A piece of a line.
  private enum Piece: Sendable {
    /// It is there as it stands.
    case text(String)
    /// The running number, changed by `+`, `/` or `%` and a number.
    case number(Character, Int)
    /// One text while the golden file is recorded, another when it is compared.
    case version(old: String, new: String)
  }

  /// How often a line is there.
  private enum Times: Sendable {
    /// So often, whatever n is.
    case fixed(Int)
    case share(Int)
  }

  /// The pieces in their order.
  private let pieces: [Piece]
  /// How often it is there.
  private let times: Times

  init(_ text: String) {
    let (line, times) = Self.takingTimes(from: text)
    pieces = Self.pieces(of: line)
    let isNumbered = pieces.contains { if case .number = $0 { true } else { false } }
    self.times = times ?? (isNumbered ? .share(1) : .fixed(1))
  }

  /// Whether it is another while the golden file is recorded.
  var hasVersions: Bool {
    pieces.contains { if case .version = $0 { true } else { false } }
  }

  /// Whether a text stands in it, outside of what is replaced.
  func contains(_ text: String) -> Bool {
    pieces.contains { if case .text(let piece) = $0 { piece.contains(text) } else { false } }
  }

  /// The line as often as it is there for a number.
  func repeated(_ count: Int, isRecording: Bool) -> String {
    let times =
      switch times {
      case .fixed(let times): times
      case .share(let share): count / share
      }
    return (0..<times).map { line($0, isRecording: isRecording) + "\n" }.joined()
  }

  /// The line for one running number.
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

  /// A line without the comment that says how often it is there, and what that says.
  private static func takingTimes(from text: String) -> (line: String, times: Times?) {
    guard let match = text.firstMatch(of: /\s*\/\/ (n\/)?([1-9][0-9]{0,5}) times$/),
      let number = Int(match.2)
    else { return (text, nil) }
    let line = String(text[..<match.range.lowerBound])
    return (line, match.1 == nil ? .fixed(number) : .share(number))
  }

  /// The pieces of a line.
  private static func pieces(of line: String) -> [Piece] {
    var pieces: [Piece] = []
    var rest = line[...]
    let placeholder = /\{n(?:([+\/%])([1-9][0-9]{0,5}))?\}|\{([^{}|]*)\|([^{}|]*)\}/
    while let match = rest.firstMatch(of: placeholder) {
      pieces.append(.text(String(rest[..<match.range.lowerBound])))
      if let old = match.3, let new = match.4 {
        pieces.append(.version(old: String(old), new: String(new)))
      } else {
        pieces.append(.number(match.1?.first ?? "+", match.2.flatMap { Int($0) } ?? 0))
      }
      rest = rest[match.range.upperBound...]
    }
    return pieces + [.text(String(rest))]
  }
}
