import Foundation

@testable import BackupJSON5

extension SchemaKeyword {
  /// Keywords for strings, whose length is counted in Unicode scalars.
  static let strings: [String: Reader] = [
    "pattern": { value, _, _ in
      let pattern = try SchemaPattern(value.text(of: "pattern"))
      return onStrings { pattern.matches($0) }
    },
    "minLength": { value, _, _ in
      let least = try value.count(of: "minLength")
      return onStrings { $0.unicodeScalars.count >= least }
    },
    "maxLength": { value, _, _ in
      let most = try value.count(of: "maxLength")
      return onStrings { $0.unicodeScalars.count <= most }
    },
  ]

  /// Keywords for numbers.
  static let numbers: [String: Reader] = [
    "minimum": { value, _, _ in
      let least = try value.double(of: "minimum")
      return onNumbers { $0 >= least }
    },
    "exclusiveMinimum": { value, _, _ in
      let bound = try value.double(of: "exclusiveMinimum")
      return onNumbers { $0 > bound }
    },
    "maximum": { value, _, _ in
      let most = try value.double(of: "maximum")
      return onNumbers { $0 <= most }
    },
  ]

  /// A check of strings that lets everything else pass.
  private static func onStrings(
    _ check: @escaping @Sendable (String) -> Bool
  ) -> JSONSchema.Check {
    { instance, _ in
      guard case .string(let text) = instance.kind else { return true }
      return check(text)
    }
  }

  /// A check of numbers that lets everything else pass.
  private static func onNumbers(
    _ check: @escaping @Sendable (Double) -> Bool
  ) -> JSONSchema.Check {
    { instance, _ in
      guard case .number(let number) = instance.kind else { return true }
      return check(number.double)
    }
  }
}

/// A regular expression as JSON Schema has it: not anchored, and `$` is the very end.
struct SchemaPattern: Sendable {
  /// The expression, with the end written as Foundation wants it.
  private let expression: NSRegularExpression

  /// Reads a pattern in which no bracket expression holds `$`.
  init(_ text: String) throws {
    self.expression = try NSRegularExpression(pattern: text.replacing("$", with: "\\z"))
  }

  /// Whether the pattern matches anywhere in a text.
  func matches(_ text: String) -> Bool {
    let range = NSRange(location: 0, length: text.utf16.count)
    return expression.firstMatch(in: text, range: range) != nil
  }
}
