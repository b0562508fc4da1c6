import BackupDiagnostics
package import BackupFileTree

/// The form of names with a part that varies between runs: `{uuid}.mp4`, `log {date}.txt`.
package struct NameForm: Hashable, Sendable {
  /// What may vary in a name.
  enum Varying: String, CaseIterable, Hashable, Sendable {
    /// A UUID, in either case.
    case uuid
    /// A day, and a time of it or none: `2026-11-22`, `20261122T101500Z`.
    case date
    case number
    /// Hexadecimal digits, in either case.
    case hex
    /// At least one character of any kind.
    case any

    /// The word as a form has it.
    var inBraces: String { "{\(rawValue)}" }
  }

  /// The form as a scenario file has it.
  package let text: String
  /// Its pieces, from the first to the last.
  private let pieces: [NamePiece]

  /// The form of a text that has a word in braces for each part that varies.
  init(_ text: String) throws(FormMistake) {
    var pieces: [NamePiece] = []
    var start = text.unicodeScalars.startIndex
    var rest: Substring.UnicodeScalarView { text.unicodeScalars[start...] }
    for end in text.unicodeScalars.indices where text.unicodeScalars[end] == "}" {
      guard let brace = text.unicodeScalars[start..<end].lastIndex(of: "{") else { continue }
      let word = String(text.unicodeScalars[brace..<end].dropFirst())
      guard let varying = Varying(rawValue: word) else {
        let advice = NearestWord.advice(for: "{\(word)}", in: Varying.allCases.map(\.inBraces))
        throw FormMistake(message: "unknown form '{\(word.shown)}'; \(advice)")
      }
      pieces += [.text(rest[..<brace])] + varying.pieces
      start = text.unicodeScalars.index(after: end)
    }
    pieces.append(.text(rest))
    guard start > text.unicodeScalars.startIndex else {
      let words = Varying.allCases.map(\.inBraces).joined(separator: ", ")
      throw FormMistake(message: "nothing varies in '\(text.shown)'; write one of \(words) in it")
    }
    guard !text.utf8.contains(where: { [0, ContainerPath.separator].contains($0) }) else {
      throw FormMistake(message: "'\(text.shown)' is not a file name: remove '/' and NUL")
    }
    self.text = text
    self.pieces = pieces
  }

  /// Whether a name has this form; takes no longer than the form and the name are long.
  package func matches(_ name: ContainerPath.Component) -> Bool {
    let bytes = name.bytes
    return NamePiece.ends(of: pieces, in: bytes, from: [0]).contains(bytes.count)
  }
}

extension NameForm.Varying {
  /// What a name has in its place.
  fileprivate var pieces: [NamePiece] {
    let longest = ContainerPath.Component.longestName
    return switch self {
    case .uuid: NamePiece.uuid
    case .date: NamePiece.date
    case .number: [.digits(1...longest)]
    case .hex: [.hexDigits(1...longest)]
    case .any: [.anything]
    }
  }
}
