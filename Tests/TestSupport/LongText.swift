package import Testing

/// A text that a test takes as its argument, and that is shown by its begin and its length.
package struct LongText: CustomTestStringConvertible, ExpressibleByStringInterpolation, Sendable {
  package let text: String

  package init(_ text: String) { self.text = text }
  package init(stringLiteral text: String) { self.text = text }

  package var testDescription: String {
    let begin = text.prefix(60)
    return begin.count == text.count ? text : "\(begin)… (\(text.count) characters)"
  }
}
