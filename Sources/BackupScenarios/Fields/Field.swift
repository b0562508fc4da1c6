import BackupDiagnostics
import BackupJSON5

/// The default of a key that an object lacks.
package enum FieldDefault: Hashable, Sendable {
  /// None, because the key must not be missing.
  case required
  /// None, although the key may be missing.
  case nothing
  /// The default in words, such as `the newest`.
  case inWords(String)
  case value(Schema)
}

/// A key of an object in a file. The key's reader, schema and documentation all come from this
/// value.
struct Field<Value>: DeclaredField {
  let key: String
  let form: Form<Value>
  let `default`: FieldDefault
  let meaning: String
  let examples: [Schema]

  init(
    _ key: String, _ form: Form<Value>, default: FieldDefault = .nothing, _ meaning: String,
    examples: [Schema] = []
  ) {
    self.key = key
    self.form = form
    self.default = `default`
    self.meaning = meaning
    self.examples = examples
  }

  var expected: String { form.expected }
  var valueSchema: Schema { form.schema }
  var words: String { form.words }
  var nestedFields: [any DeclaredField] { form.nestedFields }

  func read(_ reader: ValueReader) -> Any? { form.read(reader) }
}

package protocol DeclaredField: Sendable {
  var key: String { get }
  var `default`: FieldDefault { get }
  /// The meaning of the key, in a sentence or two.
  var meaning: String { get }
  var examples: [Schema] { get }
  /// The permitted values, in words for messages.
  var expected: String { get }
  /// The permitted values, as a schema.
  var valueSchema: Schema { get }
  /// The permitted values, in words for the documentation.
  var words: String { get }
  /// The fields of the value, if it is an object; empty for any other value.
  var nestedFields: [any DeclaredField] { get }

  /// Reads the value, and reports mistakes. Returns nil if the value is unusable.
  func read(_ reader: ValueReader) -> Any?
}

extension DeclaredField {
  var isRequired: Bool { `default` == .required }

  /// The default as a value in a file; nil unless the default is a Boolean value, a whole number or
  /// a text.
  var defaultValue: LocatedValue? {
    switch `default` {
    case .value(.boolean(let value)):
      LocatedValue(kind: .bool(value), position: .start)
    case .value(.number(let value)): Int(exactly: value).map(LocatedValue.number)
    case .value(.text(let text)): .string(text)
    case .required, .nothing, .inWords, .value: nil
    }
  }

  /// The schema of the key's value, with the description and examples that editors show.
  var schema: Schema {
    var description = meaning
    var schema = valueSchema
    switch `default` {
    case .inWords(let words): description += " Default: \(words)."
    case .value(let value): schema = schema.adding(["default": value])
    case .required, .nothing: break
    }
    schema = (["description": .text(description)] as Schema).adding(schema)
    return examples.isEmpty ? schema : schema.adding(["examples": .list(examples)])
  }
}

/// A rule for the keys of an object, in addition to the rules of each field.
package enum KeyRule: Sendable {
  case exactlyOne(of: [any DeclaredField])
  /// One key, the condition, decides whether the object has certain other keys.
  ///
  /// If the condition has the value `is`, the object has one of the keys in `exactlyOneOf`, and may
  /// have the keys in `optional`. If the condition is missing or has the value `otherwise`, the
  /// object has none of these keys.
  case onlyIf(
    any DeclaredField, is: String, otherwise: String, exactlyOneOf: [any DeclaredField],
    optional: [any DeclaredField])
  case atLeastOne(of: [any DeclaredField])
  case notEmpty

  var schema: Schema {
    switch self {
    case .exactlyOne(let fields):
      ["oneOf": .list(fields.map { ["required": [.text($0.key)]] })]
    case .onlyIf(let condition, let value, let otherValue, let fields, let optionalFields):
      [
        "anyOf": [
          (["required": [.text(condition.key)]] as Schema)
            .adding(fields.isEmpty ? [:] : Self.exactlyOne(of: fields).schema)
            .adding([
              "properties": .object([.init(key: condition.key, value: ["const": .text(value)])])
            ]),
          [
            "properties": .object(
              [.init(key: condition.key, value: ["const": .text(otherValue)])]
                + (fields + optionalFields).map { .init(key: $0.key, value: false) })
          ],
        ]
      ]
    case .atLeastOne(let fields):
      ["anyOf": .list(fields.map { ["required": [.text($0.key)]] })]
    case .notEmpty: ["minProperties": 1]
    }
  }
}

extension Schema {
  /// The schema of an object that has these fields and no other key.
  package init(of fields: [any DeclaredField], _ rules: [KeyRule] = []) {
    let required = fields.filter(\.isRequired).map(\.key)
    var schema: Schema = ["type": "object"]
    if !required.isEmpty { schema = schema.adding(["required": .texts(required)]) }
    for rule in rules { schema = schema.adding(rule.schema) }
    schema = schema.adding(["additionalProperties": false])
    if !fields.isEmpty {
      let properties = fields.map { Property(key: $0.key, value: $0.schema) }
      schema = schema.adding(["properties": .object(properties)])
    }
    self = schema
  }
}
