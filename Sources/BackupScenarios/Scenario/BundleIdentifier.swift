import BackupDiagnostics

/// What a bundle identifier may be: letters, digits, hyphens and dots between other characters.
package enum BundleIdentifier {
  /// What is wrong with a text as a bundle identifier; nil where it is one.
  package static func problem(with text: String) -> String? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let isValid =
      text.utf8.count <= 155
      && parts.allSatisfy { part in !part.isEmpty && part.utf8.allSatisfy(isAllowed) }
    guard !isValid else { return nil }
    return "'\(text.shown)' is no bundle identifier; expected \(expected)"
  }

  /// What one looks like.
  static let expected = "a bundle identifier such as \"com.example.app\""

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
