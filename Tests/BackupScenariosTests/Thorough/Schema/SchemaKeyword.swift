import Foundation

@testable import BackupJSON5

/// The keywords that the validator knows. Any other keyword in a schema is a mistake.
enum SchemaKeyword {
  /// Creates the check of a keyword from its value, the schema that contains it, and the compiler.
  typealias Reader =
    @Sendable (LocatedValue, LocatedValue, SchemaCompiler) throws -> JSONSchema.Check?

  static let all: [String: Reader] = [annotations, general, strings, numbers, arrays, objects]
    .reduce(into: [:]) { $0.merge($1) { first, _ in first } }

  /// Keywords for readers. They have no check.
  private static let annotations: [String: Reader] = [
    "title": { value, _, _ in
      _ = try value.text(of: "title")
      return nil
    },
    "description": { value, _, _ in
      _ = try value.text(of: "description")
      return nil
    },
    "examples": { value, _, _ in
      _ = try value.elements(of: "examples")
      return nil
    },
    "default": { _, _, _ in nil },
  ]

  /// Keywords for values of every type.
  private static let general: [String: Reader] = [
    "type": { value, _, _ in
      let name = try value.text(of: "type")
      guard ["null", "boolean", "number", "integer", "string", "array", "object"].contains(name)
      else { throw JSONSchema.Mistake(description: "'\(name)' is no type") }
      return { instance, _ in instance.isOfType(name) }
    },
    "enum": { value, _, _ in
      let allowed = try value.elements(of: "enum")
      return { instance, _ in allowed.contains { $0.isEqual(to: instance) } }
    },
    "const": { value, _, _ in { instance, _ in instance.isEqual(to: value) } },
    "anyOf": { value, _, compiler in
      let nodes = try compiler.nodes(value, of: "anyOf")
      return { instance, schema in nodes.contains { $0.accepts(instance, in: schema) } }
    },
    "oneOf": { value, _, compiler in
      let nodes = try compiler.nodes(value, of: "oneOf")
      return { instance, schema in
        nodes.count { $0.accepts(instance, in: schema) } == 1
      }
    },
    "$ref": { value, _, compiler in
      let target = try value.text(of: "$ref")
      let name = String(target.dropFirst("#/$defs/".count))
      guard target.hasPrefix("#/$defs/"), compiler.definitions.contains(name) else {
        throw JSONSchema.Mistake(description: "'\(target)' refers to nothing")
      }
      return { instance, schema in schema.accepts(instance, asDefinition: name) }
    },
  ]
}

extension SchemaKeyword {
  /// Keywords for strings, whose length is counted in Unicode scalars.
  static let strings: [String: Reader] = [
    "pattern": { value, _, _ in
      let pattern = try SchemaPattern(value.text(of: "pattern"))
      return onStrings { pattern.matches($0) }
    },
    "minLength": { value, _, _ in
      let minimum = try value.count(of: "minLength")
      return onStrings { $0.unicodeScalars.count >= minimum }
    },
    "maxLength": { value, _, _ in
      let maximum = try value.count(of: "maxLength")
      return onStrings { $0.unicodeScalars.count <= maximum }
    },
  ]

  static let numbers: [String: Reader] = [
    "minimum": { value, _, _ in
      let minimum = try value.double(of: "minimum")
      return onNumbers { $0 >= minimum }
    },
    "exclusiveMinimum": { value, _, _ in
      let bound = try value.double(of: "exclusiveMinimum")
      return onNumbers { $0 > bound }
    },
    "maximum": { value, _, _ in
      let maximum = try value.double(of: "maximum")
      return onNumbers { $0 <= maximum }
    },
  ]

  /// Returns a check of strings, which all other values pass.
  private static func onStrings(
    _ check: @escaping @Sendable (String) -> Bool
  ) -> JSONSchema.Check {
    { instance, _ in
      guard case .string(let text) = instance.kind else { return true }
      return check(text)
    }
  }

  /// Returns a check of numbers, which all other values pass.
  private static func onNumbers(
    _ check: @escaping @Sendable (Double) -> Bool
  ) -> JSONSchema.Check {
    { instance, _ in
      guard case .number(let number) = instance.kind else { return true }
      return check(number.double)
    }
  }
}

/// A regular expression of JSON Schema. It is not anchored, and `$` matches only the end of the
/// text.
struct SchemaPattern: Sendable {
  /// The expression with `\z`, which is Foundation's notation of the end.
  private let expression: NSRegularExpression

  /// Reads a pattern. No bracket expression in it may contain `$`.
  init(_ text: String) throws {
    self.expression = try NSRegularExpression(pattern: text.replacing("$", with: "\\z"))
  }

  /// Whether the pattern matches anywhere in a text.
  func matches(_ text: String) -> Bool {
    let range = NSRange(location: 0, length: text.utf16.count)
    return expression.firstMatch(in: text, range: range) != nil
  }
}
