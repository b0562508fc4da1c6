import BackupJSON5
import TestSupport
import Testing

/// The validator of the tests for JSON Schema.
@Suite struct JSONSchemaTests {
  @Test(arguments: [
    ("{ type: 'integer' }", ["1.0", "1e3"], ["1.5", "'1'", "NaN"]),
    ("{ enum: [1, 'é'] }", ["1.0", "'é'"], ["'1'", "'e\u{301}'"]),
    ("{ const: { a: 1, b: [2] } }", ["{ b: [2], a: 1 }"], ["{ a: 1 }"]),
    ("{ oneOf: [{ minimum: 2 }, { maximum: 3 }] }", ["1", "4"], ["2", "''"]),
    ("{ anyOf: [{ type: 'null' }, { const: 1 }] }", ["null"], ["2"]),
    (
      "{ pattern: 'b$', minLength: 2, maxLength: 3 }", ["'ab'", "1"], ["'b'", "'ab\\n'", "'abab'"]
    ),
    ("{ exclusiveMinimum: 1 }", ["1.5", "'0'"], ["1", "NaN"]),
    (
      "{ prefixItems: [{ const: 1 }], items: { const: 2 }, minItems: 2, maxItems: 3 }",
      ["[1, 2, 2]"],
      ["[1]", "[1, 1]", "[1, 2, 2, 2]"]
    ),
    ("{ uniqueItems: true }", ["[1, '1', true]"], ["[1, 2, 1.0]"]),
    ("{ required: ['a'], maxProperties: 1 }", ["{ a: null }", "[]"], ["{}", "{ a: 1, b: 1 }"]),
    (
      "{ propertyNames: { maxLength: 1 }, minProperties: 1 }", ["{ a: 'bb' }"], ["{ bb: 1 }", "{}"]
    ),
    (
      "{ properties: { a: {} }, additionalProperties: { const: 1 } }", ["{ a: 2, b: 1 }"],
      ["{ a: 1, b: 2 }"]
    ),
    (
      "{ $defs: { list: { items: { $ref: '#/$defs/list' }, type: 'array' } }, $ref: '#/$defs/list' }",
      ["[[], [[]]]"], ["[[1]]"]
    ),
  ])
  func `a keyword demands what JSON Schema says`(
    schema: String, accepted: [String], refused: [String]
  ) throws {
    let schema = try JSONSchema(schema)
    for value in accepted { #expect(schema.accepts(try LocatedValue(json5: value)), "\(value)") }
    for value in refused { #expect(!schema.accepts(try LocatedValue(json5: value)), "\(value)") }
  }

  @Test(arguments: [
    "1", "{ minimun: 1 }", "{ items: { format: 'uri' } }", "{ type: 'text' }", "{ minLength: -1 }",
    "{ $ref: '#/$defs/a' }", "{ pattern: '(' }", "{ type: 'null', type: 'null' }",
  ])
  func `anything unknown or misused in a schema is a mistake`(schema: String) {
    #expect(throws: (any Error).self) { try JSONSchema(schema) }
  }
}
