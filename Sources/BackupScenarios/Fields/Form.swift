import BackupDiagnostics
import BackupJSON5

/// What may stand at a place of a file: how it is read, its schema, and what it is called.
struct Form<Value>: Sendable {
  /// What messages say is expected: `a path in the container`.
  var expected: String
  /// What the documentation calls it: `path`.
  var words: String
  /// Makes what a schema says of it, which reading a file has no use for.
  private var makeSchema: @Sendable () -> Schema
  /// The fields of the object that it is; none for anything else.
  var inner: [any DeclaredField] = []
  /// Reads a value; nil for one that is noted as a mistake.
  let read: @Sendable (ValueReader) -> Value?

  init(
    expected: String, words: String, schema: @autoclosure @escaping @Sendable () -> Schema,
    read: @escaping @Sendable (ValueReader) -> Value?
  ) {
    self.expected = expected
    self.words = words
    self.makeSchema = schema
    self.read = read
  }

  var schema: Schema { makeSchema() }

  /// The same form with a different schema.
  func described(by schema: @autoclosure @escaping @Sendable () -> Schema) -> Form {
    var form = self
    form.makeSchema = schema
    return form
  }

  /// The same form under a name that schemas refer to it by, with what editors say of it.
  func named(_ name: String, _ description: String, examples: [Schema] = []) -> Form {
    let head: Schema = ["description": .text(description)]
    let tail: Schema = examples.isEmpty ? [:] : ["examples": .list(examples)]
    return described(by: .named(name, head.adding(schema).adding(tail)))
  }

  /// The form of a value that is made of this one's, or refused.
  func map<Other>(
    _ transform: @escaping @Sendable (Value, ValueReader) -> Other?
  ) -> Form<Other> {
    let (read, makeSchema) = (read, makeSchema)
    var form = Form<Other>(expected: expected, words: words, schema: makeSchema()) { reader in
      read(reader).flatMap { transform($0, reader) }
    }
    form.inner = inner
    return form
  }
}

extension Form {
  /// A form that accepts no value: every value is a mistake.
  static func refused(_ message: String) -> Form {
    Form(expected: "nothing", words: "nothing", schema: false) { reader in
      reader.note(message)
      return nil
    }
  }
}

extension Form where Value == String {
  static func string(_ expected: String) -> Form {
    Form(expected: expected, words: "string", schema: ["type": "string"]) { $0.string(expected) }
  }

  /// A string that is not empty; an empty one is a mistake, and read all the same.
  static func filledString(_ expected: String, empty: String) -> Form {
    string(expected).map { text, reader in
      if text.isEmpty { reader.note(empty) }
      return text
    }.described(by: ["type": "string", "minLength": 1])
  }

  /// A string that is more than spaces; a blank one is a mistake, and read all the same.
  static func writtenString(_ expected: String, of name: String) -> Form {
    var form = string(expected).map { text, reader in
      if text.unicodeScalars.allSatisfy(\.properties.isWhitespace) {
        reader.note("the \(name) is empty; expected \(expected)")
      }
      return text
    }
    form.words = "string, not blank"
    return form.described(by: [
      "type": "string",
      "pattern":
        #"[^\u0009-\u000D\u0020\u0085\u00A0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000]"#,
    ])
  }
}

extension Form where Value == Bool {
  static var boolean: Form {
    Form(
      expected: "true or false", words: "`true` or `false`", schema: ["type": "boolean"]
    ) { reader in
      if case .bool(let value) = reader.value.kind { return value }
      reader.note(expected: "true or false")
      return nil
    }
  }
}

extension Form where Value: Sendable {
  /// One of some words, each with what it stands for; `noun` is what messages call them.
  static func word(_ words: [(String, Value)], named noun: String = "value") -> Form {
    let names = words.map(\.0)
    let quoted = names.map { "`\"\($0)\"`" }
    let list = names.joined(separator: ", ")
    return Form(
      expected: names.count == 1 ? "'\(list)'" : "one of \(list)",
      words: quoted.joined(separator: ", "),
      schema: ["enum": .texts(names)]
    ) { reader in
      guard case .string(let text) = reader.value.kind else {
        reader.note(expected: names.count == 1 ? "'\(list)'" : "one of \(list)")
        return nil
      }
      if let found = words.first(where: { $0.0 == text }) { return found.1 }
      reader.note("unknown \(noun) '\(text.shown)'; \(NearestWord.advice(for: text, in: names))")
      return nil
    }
  }
}

extension Form where Value: RawRepresentable & CaseIterable & Sendable, Value.RawValue == String {
  /// A case of an enumeration by its raw value.
  static func word(of _: Value.Type, named noun: String = "value") -> Form {
    word(Value.allCases.map { ($0.rawValue, $0) }, named: noun)
  }
}

extension Form {
  /// A list of values, without those that could not be read.
  static func list<Element>(of element: Form<Element>, named plural: String) -> Form
  where Value == [Element] {
    Form(
      expected: "a list of \(plural)", words: "list of \(plural)",
      schema: ["type": "array", "items": element.schema]
    ) { $0.elements(of: plural)?.compactMap(element.read) }
  }

  /// One value, or a list of at least one; of different ones where messages have a name for them.
  static func oneOrMore<Element: Hashable & Sendable>(
    of element: Form<Element>, named name: String, distinctAs distinctName: String? = nil
  ) -> Form where Value == [Element] {
    let distinct: Schema = distinctName == nil ? [:] : ["uniqueItems": true]
    return Form(
      expected: name, words: "\(element.words), or a list",
      schema: [
        "anyOf": [
          element.schema,
          (["type": "array", "items": element.schema, "minItems": 1] as Schema).adding(distinct),
        ]
      ]
    ) { reader in
      guard case .array(let elements) = reader.value.kind else {
        return [reader].compactMap(element.read)
      }
      if elements.isEmpty { reader.note("the list is empty; expected at least one \(name)") }
      var found: [Element] = []
      var known: Set<Element> = []
      for reader in elements.map(reader.reader) {
        guard let next = element.read(reader) else { continue }
        if !known.insert(next).inserted, let distinctName {
          reader.note("this \(distinctName) appears twice; keep one")
        }
        found.append(next)
      }
      return found
    }
  }

  /// An object with some fields, made into a value.
  static func object(
    _ expected: String, _ fields: [any DeclaredField], _ rules: [KeyRule] = [],
    read: @escaping @Sendable (ObjectReader) -> Value?
  ) -> Form {
    var form = Form(
      expected: expected, words: fields.isEmpty ? "`{}`" : "object",
      schema: Schema(of: fields, rules)
    ) { reader in
      ObjectReader(reader, expected: expected).flatMap { read($0.reading(fields)) }
    }
    form.inner = fields
    return form
  }
}

/// Why a text is nothing of a form.
struct FormMistake: Error {
  /// What is wrong with it and what to write instead.
  let message: String
}
