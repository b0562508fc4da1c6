@testable import BackupJSON5

/// The keywords that the validator knows; any other in a schema is a mistake.
enum SchemaKeyword {
  /// Makes a keyword's check from its value, the schema it stands in and the compiler.
  typealias Reader =
    @Sendable (LocatedValue, LocatedValue, SchemaCompiler) throws -> JSONSchema.Check?

  /// Every keyword.
  static let all: [String: Reader] = [annotations, general, strings, numbers, arrays, objects]
    .reduce(into: [:]) { $0.merge($1) { first, _ in first } }

  /// Keywords that say something to readers and demand nothing.
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
