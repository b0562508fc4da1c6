import BackupCollections
import BackupDevice
package import BackupDiagnostics
import BackupFileTree
import BackupJSON5

/// Describes a kind of value in a file: its reader, its schema, and its names in messages and
/// documentation.
struct Form<Value>: Sendable {
  /// The value's name in messages, for example `a path in the container`.
  var expected: String
  /// The value's name in the documentation, for example `path`.
  var words: String
  /// Creates the schema on demand, because reading a file does not need it.
  private var makeSchema: @Sendable () -> Schema
  /// The fields of the value, if it is an object; empty for any other value.
  var nestedFields: [any DeclaredField] = []
  /// Reads a value, and reports mistakes. Returns nil if the value is unusable.
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

  func described(by schema: @autoclosure @escaping @Sendable () -> Schema) -> Form {
    var form = self
    form.makeSchema = schema
    return form
  }

  /// Returns the same form with a name, by which schemas refer to it, and a description for
  /// editors.
  func named(_ name: String, _ description: String, examples: [Schema] = []) -> Form {
    let head: Schema = ["description": .text(description)]
    let tail: Schema = examples.isEmpty ? [:] : ["examples": .list(examples)]
    return described(by: .named(name, head.adding(schema).adding(tail)))
  }

  /// Returns a form that reads a value of this form and transforms it. If `transform` returns nil,
  /// it must have reported a mistake.
  func map<Other>(_ transform: @escaping @Sendable (Value, ValueReader) -> Other?) -> Form<Other> {
    let (read, makeSchema) = (read, makeSchema)
    var form = Form<Other>(expected: expected, words: words, schema: makeSchema()) { reader in
      read(reader).flatMap { transform($0, reader) }
    }
    form.nestedFields = nestedFields
    return form
  }

  /// Returns a form that refuses each value for which `mistake` returns a message.
  func refusing(_ mistake: @escaping @Sendable (LocatedValue) -> String?) -> Form {
    let (read, makeSchema) = (read, makeSchema)
    var form = Form(expected: expected, words: words, schema: makeSchema()) { reader in
      guard let mistake = mistake(reader.value) else { return read(reader) }
      return reader.refuse(mistake)
    }
    form.nestedFields = nestedFields
    return form
  }

  /// Returns a form that refuses every value.
  static func refused(_ message: String) -> Form {
    Form(expected: "nothing", words: "nothing", schema: false) { $0.refuse(message) }
  }

  /// Returns the form of a list. Omits elements that cannot be read.
  static func list<Element>(of element: Form<Element>, named plural: String) -> Form
  where Value == [Element] {
    Form(
      expected: "a list of \(plural)", words: "list of \(plural)",
      schema: ["type": "array", "items": element.schema]
    ) { $0.elements(of: plural)?.compactMap(element.read) }
  }

  /// Returns the form of one value, or of a list that is not empty. If `distinctName` is given, no
  /// value may appear twice. The message about a repeated value uses this name.
  static func oneOrMore<Element: Hashable & Sendable>(
    of element: Form<Element>, named name: String, distinctAs distinctName: String? = nil
  ) -> Form where Value == [Element] {
    let uniqueness: Schema = distinctName == nil ? [:] : ["uniqueItems": true]
    return Form(
      expected: name, words: "\(element.words), or a list",
      schema: [
        "anyOf": [
          element.schema,
          (["type": "array", "items": element.schema, "minItems": 1] as Schema).adding(uniqueness),
        ]
      ]
    ) { reader in
      guard case .array(let elements) = reader.value.kind else {
        return [reader].compactMap(element.read)
      }
      if elements.isEmpty { reader.report("the list is empty; expected at least one \(name)") }
      var values: [Element] = []
      var distinctValues: Set<Element> = []
      for reader in elements.map(reader.reader) {
        guard let value = element.read(reader) else { continue }
        if !distinctValues.insert(value).inserted, let distinctName {
          reader.report("this \(distinctName) appears twice; keep one")
        }
        values.append(value)
      }
      return values
    }
  }

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
    form.nestedFields = fields
    return form
  }
}

extension Form where Value == String {
  static func string(_ expected: String) -> Form {
    Form(expected: expected, words: "string", schema: ["type": "string"]) { $0.string(expected) }
  }

  /// Returns the form of a string that is not empty. Reports an empty string as a mistake, but
  /// still returns it.
  static func nonemptyString(_ expected: String, empty: String) -> Form {
    string(expected).map { text, reader in
      if text.isEmpty { reader.report(empty) }
      return text
    }.described(by: ["type": "string", "minLength": 1])
  }

  /// Returns the form of a string that is not only white space. Reports a blank string as a
  /// mistake, but still returns it.
  static func nonblankString(_ expected: String, of name: String) -> Form {
    var form = string(expected).map { text, reader in
      if text.unicodeScalars.allSatisfy(\.properties.isWhitespace) {
        reader.report("the \(name) is empty; expected \(expected)")
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
      return reader.refuse(expected: "true or false")
    }
  }
}

extension Form where Value: Sendable {
  /// Returns the form of a string that is one of `words`. Each word stands for the value beside it.
  /// Messages call a word `noun`.
  static func word(_ words: [(String, Value)], named noun: String = "value") -> Form {
    let names = words.map(\.0)
    let quotedNames = names.map { "`\"\($0)\"`" }
    let nameList = names.joined(separator: ", ")
    return Form(
      expected: names.count == 1 ? "'\(nameList)'" : "one of \(nameList)",
      words: quotedNames.joined(separator: ", "),
      schema: ["enum": .texts(names)]
    ) { reader in
      guard case .string(let text) = reader.value.kind else {
        return reader.refuse(expected: names.count == 1 ? "'\(nameList)'" : "one of \(nameList)")
      }
      if let match = words.first(where: { $0.0 == text }) { return match.1 }
      return reader.refuse(
        "unknown \(noun) '\(text.escapedExcerpt)'; \(NearestWord.advice(for: text, in: names))")
    }
  }
}

extension Form where Value: RawRepresentable & CaseIterable & Sendable, Value.RawValue == String {
  static func word(of _: Value.Type, named noun: String = "value") -> Form {
    word(Value.allCases.map { ($0.rawValue, $0) }, named: noun)
  }
}

struct FormMistake: Error {
  /// The mistake, and how to correct it.
  let message: String
}

extension Form where Value == ExclusionMark {
  static var mark: Form { word(ExclusionMark.all.map { ($0.description, $0) }, named: "mark") }
}

extension Form where Value == NamedSystem {
  /// A version of iOS, as a text or a number, or the word `newest`.
  static var system: Form {
    let expected = "a version of iOS, such as \"18\", or \"\(SystemProfile.newestName)\""
    return Form(
      expected: expected, words: "version of iOS, or `\"\(SystemProfile.newestName)\"`",
      schema: SystemProfile.versionSchema
    ) { reader in
      let text: String
      switch reader.value.kind {
      case .string(let string): text = string
      case .number(let number): text = number.text
      default:
        return reader.refuse(expected: expected)
      }
      if let system = try? NamedSystem(checking: text) { return system }
      return reader.refuse(SystemProfile.objection(to: text))
    }.named("system", "A version of iOS that the kit knows, or the newest of them.")
  }
}

extension Form where Value == SystemVersion {
  static var version: Form { Form<NamedSystem>.system.map { system, _ in system.version } }
}

extension NamedSystem {
  package init(checking name: String) throws(RunError) {
    self.init(try SystemProfile.named(name), isNewest: name == SystemProfile.newestName)
  }
}

extension SystemProfile {
  /// The schema of a version: a list of texts for editors to offer, a pattern for other notations
  /// such as `18.0.0`, and a list of numbers.
  fileprivate static var versionSchema: Schema {
    let versions = all.map(\.version.description)
    return [
      "anyOf": [
        ["enum": .texts(versions + [newestName])],
        ["type": "string", "pattern": .text(pattern(of: versions))],
        ["enum": .list(versions.compactMap(Double.init).map(Schema.number))],
      ]
    ]
  }

  /// Returns a regular expression for versions with or without zeros at the end: `18`, `18.0` and
  /// `18.0.0`.
  private static func pattern(of versions: [String]) -> String {
    let shortForms = versions.map { version -> [Substring] in
      let numbers = version.split(separator: ".")
      return Array(numbers.reversed().drop { $0 == "0" }.reversed())
    }
    let choices = shortForms.grouped(by: \.count).map { versions in
      let texts = versions.map { $0.joined(separator: #"\."#) }.joined(separator: "|")
      let zeroCount = 3 - (versions.first?.count ?? 0)
      return "(?:\(texts))" + (zeroCount > 0 ? #"(?:\.0){0,"# + "\(zeroCount)}" : "")
    }
    return "^(?:\(choices.joined(separator: "|")))$"
  }
}

extension Form where Value == ContainerPath {
  /// Returns the form of a relative path, in which `..` is a mistake. `advice` says in messages
  /// which paths are allowed. `check` reports suspicious paths.
  static func relativePath(
    _ expected: String, advice: String? = nil,
    _ check: @escaping @Sendable (ValueReader, ContainerPath) -> Void = { _, _ in }
  ) -> Form {
    Form(expected: expected, words: "path", schema: pathSchema) { reader in
      guard let text = reader.string(expected) else { return nil }
      do throws(RunError) {
        let path = try ContainerPath(text)
        check(reader, path)
        return path
      } catch {
        return reader.refuse(
          advice.map { "the path '\(text)' is not allowed here; \($0)" } ?? "the path \(error)")
      }
    }
  }

  /// The schema of a path: at most 64 components, none of them empty, `.` or `..`.
  private static var pathSchema: Schema {
    [
      "type": "string",
      "pattern":
        #"^(?=[^\u0000]{1,1024}/?$)(?!\.{1,2}(?:/|$))[^/\u0000]{1,255}(?:/(?!\.{1,2}(?:/|$))[^/\u0000]{1,255}){0,63}/?$"#,
    ]
  }

  static var path: Form {
    relativePath("a path in the container") { $0.checkTopDirectoryAndContainer(in: $1) }.named(
      "path",
      "A path relative to the container, of at most 64 components, without '.', '..' and empty "
        + "ones. In the container of a group or extension that 'app' names, the path begins with "
        + "the identifier, such as group.x:/.",
      examples: ["Documents/notes.txt", "Library/Caches/Thumbnails", "group.x:/widget.json"])
  }
}

extension Form where Value == PathPattern {
  static var pattern: Form {
    Form(
      expected: "a pattern of paths", words: "pattern", schema: Form<ContainerPath>.path.schema
    ) { reader in
      guard let text = reader.string("a pattern of paths") else { return nil }
      do throws(RunError) {
        let pattern = try PathPattern(text)
        let path = try ContainerPath(text)
        reader.checkTopDirectoryAndContainer(in: path)
        return pattern
      } catch {
        return reader.refuse("the pattern \(error)")
      }
    }.named(
      "pattern",
      "A pattern of paths: * within a component, ** any number of components, ? one character. It "
        + "applies to the app's own container; group.x:/** applies to a group's, *:/** to all "
        + "others.",
      examples: ["Documents/**", "Library/Caches/*.png", "group.x:/**"])
  }
}

extension ContainerPath {
  /// A message about a misspelt standard directory at the top of a container, for example `Libary`;
  /// nil for any other path. `library` is not treated as misspelt, because apps really use it,
  /// although a device refuses it.
  var objectionToTopDirectory: String? {
    let top = pathWithoutContainerName?.components.first?.string ?? ""
    let standardNames = [StandardLocation.documents, .library, .temporary].map(\.rawValue)
    guard containerName?.isGroup != true, !standardNames.contains(top),
      top.count > 3 || top.lowercased() == "tmp",
      !top.contains(where: { "*?.".contains($0) }),
      !standardNames.contains(where: { $0.lowercased() == top.lowercased() }),
      let nearestName = NearestWord.to(top, in: standardNames)
    else { return nil }
    return "a container has no '\(top.escapedExcerpt)'; did you mean '\(nearestName)'?"
  }
}

extension PathPattern {
  /// Creates a pattern. Throws an error for a pattern that matches nothing in a container, for
  /// example `Libary/**`.
  init(matching text: String) throws(RunError) {
    if let objection = try ContainerPath(text).objectionToTopDirectory {
      throw RunError(invalidPath: text, reason: "matches nothing: \(objection)")
    }
    self = try PathPattern(text)
  }

  /// The pattern on one line, for messages.
  var shown: String { description.escapedExcerpt }
}

extension Form where Value == Int64 {
  static var size: Form {
    Form(expected: Int64.expectedSize, words: "size", schema: Int64.sizeSchema) { reader in
      switch Int64.readSize(reader.value) {
      case .success(let size): return size
      case .failure(let mistake):
        return reader.refuse(mistake.message)
      }
    }.named(
      "size",
      "A size: plain bytes, or with KB or kB, MB, GB (powers of 1000) or KiB, MiB, GiB (of 1024); at most "
        + "1000 GB.",
      examples: [2048, "10 KB", "1.5 MB", "700 MiB"])
  }
}

// Sizes in scenario files: plain bytes such as `2048`, or with a unit, such as `10 KB`.
extension Int64 {
  /// The schema of a size. The schema cannot check the number of bytes, because it cannot multiply
  /// the number by the unit.
  fileprivate static let sizeSchema: Schema = [
    "anyOf": [
      ["type": "integer", "minimum": 0, "maximum": .number(Double(largestSize))],
      [
        "type": "string",
        "pattern": .text(
          #"^(?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(?: ?(?:"#
            + units.map(\.name).joined(separator: "|") + "))?$"),
      ],
    ]
  ]

  private static let units: [(name: String, bytes: Int64)] = [
    ("KiB", 1 << 10), ("MiB", 1 << 20), ("GiB", 1 << 30),
    ("KB", 1_000), ("kB", 1_000), ("MB", 1_000_000), ("GB", 1_000_000_000), ("B", 1),
  ]

  /// The largest size in a scenario, in bytes: 1 TB.
  static let largestSize: Int64 = 1_000_000_000_000

  static func readSize(_ value: LocatedValue) -> Result<Int64, FormMistake> {
    switch value.kind {
    case .number(let number): validSize(number.double, tolerance: 0, as: number.text)
    case .string(let text): size(text)
    default: .failure(FormMistake(message: "expected \(expectedSize), found \(value.kindName)"))
    }
  }

  private static func size(_ text: String) -> Result<Int64, FormMistake> {
    let unit = units.first { text.hasSuffix($0.name) }
    let digits = text.dropLast(unit?.name.count ?? 0)
    let numberText = unit != nil && digits.last == " " ? digits.dropLast() : digits
    let isASCII = text.utf8.allSatisfy { $0 < 0x80 }
    let isNumber = isASCII && numberText.allSatisfy { "0123456789.".contains($0) }
    guard isNumber, numberText.last != ".", let amount = Double(String(numberText)) else {
      let shortenedText = EscapedText.escape(String(text.prefix(40)))
      let candidates = unit == nil || unit?.bytes == 1 ? units : []
      let similarUnit = candidates.first {
        $0.bytes > 1 && text.lowercased().hasSuffix($0.name.lowercased())
      }
      let unitText = text.drop { "0123456789. ".contains($0) }.lowercased()
      let suggestion = similarUnit?.name ?? ["k": "KB", "m": "MB", "g": "GB"][unitText]
      let advice =
        ["byte", "bytes"].contains(unitText)
        ? "write bytes without a unit. Expected"
        : suggestion.map { "did you mean '\($0)'? Expected" } ?? "expected"
      return .failure(
        FormMistake(message: "'\(shortenedText)' is not a size; \(advice) \(expectedSize)"))
    }
    let bytes = amount * Double(unit?.bytes ?? 1)
    return validSize(bytes, tolerance: 2 * bytes.ulp, as: text)
  }

  /// Returns the size, or a mistake if `bytes` is out of range or no whole number. `tolerance`
  /// permits the rounding error of a product, for example for `1.001 KB`.
  private static func validSize(
    _ bytes: Double, tolerance: Double, as text: String
  ) -> Result<Int64, FormMistake> {
    guard bytes >= 0, bytes <= Double(largestSize) else {
      let message =
        "the size \(EscapedText.escape(String(text.prefix(40)))) is out of range; "
        + "expected 0 bytes to 1000 GB"
      return .failure(FormMistake(message: message))
    }
    guard abs(bytes.rounded() - bytes) <= tolerance else {
      let shortenedText = EscapedText.escape(String(text.prefix(40)))
      return .failure(FormMistake(message: "'\(shortenedText)' is not a whole number of bytes"))
    }
    return .success(Int64(bytes.rounded()))
  }

  fileprivate static let expectedSize = "a size such as 2048, '10 KB', '1.5 MB' or '700 MiB'"
}
