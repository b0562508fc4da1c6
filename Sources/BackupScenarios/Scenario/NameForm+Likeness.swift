import Foundation

extension NameForm {
  /// The form that two names share which differ in a UUID, a date or a number only.
  ///
  /// - Parameters:
  ///   - name: A name, as a golden file has it.
  ///   - other: The name that came instead.
  /// - Returns: The form that a scenario file needs; nil where the names differ in more.
  package static func form(of name: String, and other: String) -> String? {
    guard name != other, max(name.utf8.count, other.utf8.count) <= 255 else { return nil }
    var names = (name, other)
    for (pattern, varying) in lookalikes {
      guard let expression = try? NSRegularExpression(pattern: pattern) else { continue }
      let parts = (expression.parts(of: names.0), expression.parts(of: names.1))
      guard parts.0.count == parts.1.count else { continue }
      // From the end, so that what is before keeps its place.
      for (part, otherPart) in zip(parts.0, parts.1).reversed()
      where names.0[part] != names.1[otherPart] {
        names.0.replaceSubrange(part, with: varying.inBraces)
        names.1.replaceSubrange(otherPart, with: varying.inBraces)
      }
    }
    // A name may hold what is a form's word, or means nothing in one.
    return names.0 == names.1 && (try? NameForm(names.0)) != nil ? names.0 : nil
  }

  /// A name without what looks random in it: a UUID, a date or a long number.
  ///
  /// - Parameter name: A name, or a path of them.
  /// - Returns: The same with a word in braces for each such part.
  package static func withoutRandomParts(_ name: String) -> String {
    guard mayHaveRandomParts(name) else { return name }
    var name = name
    for (pattern, varying) in lookalikes.dropLast() {
      guard let expression = try? NSRegularExpression(pattern: pattern) else { continue }
      for part in expression.parts(of: name).reversed() {
        name.replaceSubrange(part, with: varying.inBraces)
      }
    }
    return name
  }

  /// Whether so many hexadecimal digits follow each other in a name as a date has at least.
  private static func mayHaveRandomParts(_ name: String) -> Bool {
    var count = 0
    return name.utf8.contains { byte in
      count = byte.isHexDigit ? count + 1 : 0
      return count == 4
    }
  }

  /// What looks like a part that varies, the longest kinds first.
  private static let lookalikes: [(pattern: String, varying: Varying)] = [
    ("[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}", .uuid),
    (
      #"(?<!\d)(?:19|20)\d\d-?\d\d-?\d\d(?:[T _-]?\d\d[-_.:]?\d\d(?:[-_.:]?\d\d)?Z?)?(?!\d)"#, .date
    ),
    (#"(?<![0-9A-Za-z{])\d{6,}(?![0-9A-Za-z])"#, .number),
    (#"(?<![0-9A-Za-z{])(?=[A-F]*\d|[a-f]*\d)[0-9A-Fa-f]{6,}(?![0-9A-Za-z])"#, .hex),
    (#"\d+"#, .number),
  ]
}

extension NSRegularExpression {
  /// The parts of a text that match.
  fileprivate func parts(of text: String) -> [Range<String.Index>] {
    matches(in: text, range: NSRange(text.startIndex..., in: text)).compactMap {
      Range($0.range, in: text)
    }
  }
}
