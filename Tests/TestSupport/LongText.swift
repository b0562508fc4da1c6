import Testing

/// A long text as a test's argument. Test reports show only its first 60 characters and its length.
package struct LongText: CustomTestStringConvertible, ExpressibleByStringInterpolation, Sendable {
  package let text: String

  package init(_ text: String) { self.text = text }
  package init(stringLiteral text: String) { self.text = text }

  package var testDescription: String {
    let beginning = text.prefix(60)
    return beginning.count == text.count ? text : "\(beginning)… (\(text.count) characters)"
  }
}
