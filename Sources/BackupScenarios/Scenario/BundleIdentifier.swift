import BackupDiagnostics

extension Form where Value == String {
  static var bundleIdentifier: Form {
    string(BundleIdentifier.expected).map { text, reader -> String? in
      guard let problem = BundleIdentifier.problem(with: text) else { return text }
      reader.note(problem)
      return nil
    }.described(by: [
      "type": "string", "pattern": #"^[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*$"#,
      "maxLength": .number(Double(BundleIdentifier.longest)),
    ])
  }
}

/// What a bundle identifier may be: letters, digits, hyphens and dots between other characters.
package enum BundleIdentifier {
  /// The most bytes that one may have.
  fileprivate static let longest = 155

  /// What is wrong with a text as a bundle identifier; nil where it is one.
  package static func problem(with text: String) -> String? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let isValid =
      text.utf8.count <= longest
      && parts.allSatisfy { part in !part.isEmpty && part.utf8.allSatisfy(isAllowed) }
    guard !isValid else { return nil }
    return "'\(text.shown)' is no bundle identifier; expected \(expected)"
  }

  /// What one looks like.
  fileprivate static let expected = "a bundle identifier such as \"com.example.app\""

  /// Whether a byte may stand between the dots.
  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
