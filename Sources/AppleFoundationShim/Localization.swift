// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

#if os(Linux)
  public import Foundation

  /// A test has no tables, so a text is its key or its default value.
  extension String {
    public struct LocalizationValue: Hashable, Sendable, ExpressibleByStringInterpolation {
      let text: String

      public init(_ text: String) { self.text = text }
      public init(stringLiteral text: String) { self.text = text }
    }

    public init(
      localized key: LocalizationValue, table: String? = nil, bundle: Bundle? = nil,
      locale: Locale = .current, comment: StaticString? = nil
    ) {
      self = key.text
    }

    public init(
      localized key: StaticString, defaultValue: LocalizationValue, table: String? = nil,
      bundle: Bundle? = nil, locale: Locale = .current, comment: StaticString? = nil
    ) {
      self = defaultValue.text
    }
  }

  extension NSMutableString {
    public func appendFormat(_ format: NSString, _ arguments: any CVarArg...) {
      append(String(format: "\(format)", arguments: arguments))
    }
  }
#endif
