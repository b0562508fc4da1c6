import BackupJSON5
import TestSupport
import Testing

/// The validator itself: each keyword, and what makes a schema unusable.
@Suite struct JSONSchemaTests {
  @Test(arguments: [
    ("true", ["1", "{}"], []), ("false", [], ["1", "null"]), ("{}", ["1", "null"], []),
    ("{ type: 'null' }", ["null"], ["0", "false"]), ("{ type: 'boolean' }", ["true"], ["0"]),
    ("{ type: 'number' }", ["1", "1.5"], ["'1'"]), ("{ type: 'string' }", ["''"], ["1", "[]"]),
    ("{ type: 'integer' }", ["1", "1.0", "-2", "1e3"], ["1.5", "'1'", "NaN"]),
    ("{ type: 'array' }", ["[]"], ["{}"]), ("{ type: 'object' }", ["{}"], ["[]", "null"]),
    ("{ enum: [1, 'a', true] }", ["1", "1.0", "'a'", "true"], ["'1'", "false", "2", "'A'"]),
    ("{ enum: ['é'] }", ["'é'"], ["'e\u{301}'"]), ("{ const: 'a' }", ["'a'"], ["'b'", "['a']"]),
    ("{ const: { a: 1, b: [2] } }", ["{ b: [2], a: 1 }"], ["{ a: 1 }", "{ a: 1, b: [3] }"]),
    ("{ anyOf: [{ type: 'null' }, { const: 1 }] }", ["null", "1"], ["2"]),
    ("{ oneOf: [{ minimum: 2 }, { maximum: 3 }] }", ["1", "4"], ["2", "3", "''"]),
  ])
  func `keywords for every type`(schema: String, accepted: [String], refused: [String]) throws {
    try check(schema, accepted, refused)
  }

  @Test(arguments: [
    ("{ pattern: 'b' }", ["'abc'", "1"], ["'a'"]), ("{ pattern: '^b' }", ["'b'"], ["'ab'"]),
    ("{ pattern: 'b$' }", ["'ab'"], ["'b\\n'", "'ba'"]),
    ("{ minLength: 1 }", ["'a'", "1"], ["''"]),
    ("{ maxLength: 1 }", ["'\u{1F3AC}'", "'a'", "[1, 2]"], ["'ab'", "'e\u{301}'"]),
    ("{ minimum: 1 }", ["1", "1.5", "'0'"], ["0.5", "-Infinity"]),
    ("{ exclusiveMinimum: 1 }", ["1.5", "'0'"], ["1", "0.5", "NaN"]),
    ("{ maximum: 1 }", ["1", "-5", "'2'"], ["1.5", "Infinity"]),
  ])
  func `keywords for strings and numbers`(
    schema: String, accepted: [String], refused: [String]
  ) throws {
    try check(schema, accepted, refused)
  }

  @Test(arguments: [
    ("{ items: { type: 'null' } }", ["[]", "[null, null]", "1"], ["[null, 1]"]),
    ("{ prefixItems: [{ const: 1 }] }", ["[]", "[1]", "[1, 2]", "{}"], ["[2]", "[2, 1]"]),
    (
      "{ prefixItems: [{ const: 1 }], items: { const: 2 } }", ["[]", "[1]", "[1, 2, 2]"],
      ["[2]", "[1, 1]", "[1, 2, 3]"]
    ),
    ("{ minItems: 1 }", ["[1]", "{}"], ["[]"]), ("{ maxItems: 1 }", ["[1]", "''"], ["[1, 2]"]),
    ("{ uniqueItems: true }", ["[]", "[1, '1', true]"], ["[1, 2, 1.0]", "['a', 'a']"]),
    ("{ required: ['a'] }", ["{ a: null }", "[]"], ["{}", "{ b: 1 }"]),
    ("{ minProperties: 1 }", ["{ a: 1 }", "[]"], ["{}"]),
    ("{ propertyNames: { maxLength: 1 } }", ["{ a: 'bb' }", "'bb'"], ["{ bb: 1 }"]),
    ("{ properties: { a: { const: 1 } } }", ["{ a: 1, b: 2 }", "{}", "1"], ["{ a: 2 }"]),
    ("{ additionalProperties: false }", ["{}", "1"], ["{ a: 1 }"]),
    (
      "{ properties: { a: {} }, additionalProperties: { const: 1 } }",
      ["{ a: 2, b: 1 }"], ["{ a: 1, b: 2 }"]
    ),
    (
      "{ $defs: { list: { items: { $ref: '#/$defs/list' }, type: 'array' } }, $ref: '#/$defs/list' }",
      ["[]", "[[], [[]]]"], ["[[1]]"]
    ),
  ])
  func `keywords for lists and objects`(
    schema: String, accepted: [String], refused: [String]
  ) throws {
    try check(schema, accepted, refused)
  }

  @Test(arguments: [
    "1", "[]", "{ minimun: 1 }", "{ allOf: [] }", "{ if: {} }", "{ format: 'uri' }", "{ not: {} }",
    "{ items: { unevaluatedProperties: false } }", "{ properties: { a: { exclusiveMaximum: 1 } } }",
    "{ anyOf: [{ $comment: '' }] }", "{ $defs: { a: { minimun: 1 } } }", "{ items: { $defs: {} } }",
    "{ type: 'text' }", "{ type: ['null'] }", "{ minLength: -1 }", "{ minLength: 'a' }",
    "{ minItems: 1.5 }", "{ maximum: '1' }", "{ enum: 1 }", "{ anyOf: [] }", "{ oneOf: {} }",
    "{ uniqueItems: false }", "{ required: 'a' }", "{ required: [1] }", "{ properties: [] }",
    "{ pattern: '(' }", "{ pattern: 1 }", "{ $ref: '#/$defs/a' }", "{ $ref: 'a.json' }",
    "{ title: 1 }", "{ description: [] }", "{ examples: 1 }", "{ type: 'null', type: 'null' }",
    "{ items: [{}] }", "{ prefixItems: {} }", "{ prefixItems: [] }", "{ exclusiveMinimum: '1' }",
    "{ $defs: [] }", "{ $defs: { a: {}, a: {} } }",
  ])
  func `anything unknown or misused in a schema is a mistake`(schema: String) {
    #expect(throws: (any Error).self) { try JSONSchema(schema) }
  }

  /// Checks what a schema accepts and refuses.
  private func check(_ text: String, _ accepted: [String], _ refused: [String]) throws {
    let schema = try JSONSchema(text)
    for value in accepted { #expect(schema.accepts(try LocatedValue(json5: value)), "\(value)") }
    for value in refused { #expect(!schema.accepts(try LocatedValue(json5: value)), "\(value)") }
  }
}
