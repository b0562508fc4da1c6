import AppContainer

extension LocatedValue {
  /// A bundle identifier, of letters, digits, hyphens and dots, or a noted mistake.
  func bundleIdentifier(_ collector: DiagnosticCollector) -> String? {
    let expected = "a bundle identifier such as \"com.example.app\""
    guard let text = string(expected, collector) else { return nil }
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let isValid =
      text.utf8.count <= 155
      && parts.allSatisfy { part in
        !part.isEmpty && part.utf8.allSatisfy { $0.isIdentifierCharacter }
      }
    if !isValid {
      let shown = EscapedText.escape(String(text.prefix(40)))
      collector.error("'\(shown)' is no bundle identifier; expected \(expected)", at: position)
    }
    return isValid ? text : nil
  }
}

extension UInt8 {
  /// Whether it may stand in a bundle identifier.
  fileprivate var isIdentifierCharacter: Bool {
    switch self {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
