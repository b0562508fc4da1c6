import BackupDiagnostics
import BackupFileTree
import BackupJSON5

extension Form where Value == Scenario.Budget {
  static var budget: Form {
    let sizeForm = Form<Int64>.size
    let limitsForm = Form<Scenario.Budget>.limits
    let expected = "\(sizeForm.expected), or patterns with limits: \(limitsForm.expected)"
    return sizeForm.or(
      limitsForm, expected: expected, words: "size, or object of patterns and limits"
    ) { Scenario.Budget(bytes: $0) }.named(
      "budget",
      "How much space files may take: a size for all of them, or patterns, each with a size or "
        + "with { size, files }.",
      examples: ["5 MB", ["Library/Caches/**": "50 MB", "**": ["files": 500]]])
  }

  private static let maximumPatternCount = 100

  private static var limits: Form {
    let expected = "{ \"Library/Caches/**\": \"50 MB\", \"**\": { files: 500 } }"
    let limitForm = Form<Scenario.Budget.Limit>.limit
    return Form(
      expected: expected, words: "object of patterns and limits",
      schema: [
        "type": "object", "minProperties": 1, "maxProperties": .number(Double(maximumPatternCount)),
        "propertyNames": Form<PathPattern>.pattern.schema.adding([
          "pattern": .text("^(?!(?:\(limitKeys.joined(separator: "|")))$)")
        ]),
        "additionalProperties": limitForm.schema,
      ]
    ) { reader in
      guard let object = ObjectReader(reader, expected: expected) else { return nil }
      if object.keys.isEmpty { reader.report("the object is empty; expected \(expected)") }
      if object.keys.count > maximumPatternCount {
        reader.report(
          "there are \(object.keys.count) patterns; at most \(maximumPatternCount) are allowed")
      }
      var limits: [(PathPattern, Scenario.Budget.Limit)] = []
      var positions: [SourcePosition] = []
      for key in object.keys.prefix(maximumPatternCount) {
        let keyReader = object.reader(ofKey: key)
        guard !limitKeys.contains(key) else {
          keyReader.report(
            "'\(key)' is a limit, not a pattern; for all files write \"**\": { \(key): … }")
          continue
        }
        guard let pattern = Form<PathPattern>.pattern.read(keyReader),
          let limit = object[key].flatMap(limitForm.read)
        else { continue }
        limits.append((pattern, limit))
        positions.append(keyReader.position)
      }
      return Scenario.Budget(limits, positions: positions)
    }
  }
}

private let sizeField = Field(
  "size", .size, "The highest total size of the files.", examples: ["50 MB"])
private let filesField = Field(
  "files", .fileCount, "The highest number of files.", examples: [500])
/// The keys of a limit. Such a key in place of a pattern is a mistake: the user has probably
/// written a limit without its pattern.
private let limitKeys = [sizeField.key, filesField.key]

extension Form where Value == Scenario.Budget.Limit {
  fileprivate static var limit: Form {
    let sizeForm = Form<Int64>.size
    let limitObject = Form.object(
      "{ size: \"50 MB\", files: 500 }", [sizeField, filesField], [.notEmpty]
    ) { object in
      if object.keys.isEmpty { object.reader.report("the limit is empty; add 'size' or 'files'") }
      return Scenario.Budget.Limit(
        bytes: object[sizeField], files: object[filesField])
    }
    let expected = "\(sizeForm.expected), or \(limitObject.expected)"
    return sizeForm.or(limitObject, expected: expected, words: "limit") {
      Scenario.Budget.Limit(bytes: $0)
    }
  }
}

extension Form where Value == Int64 {
  /// Returns a form that accepts a size or an object. `transform` makes the value from a size.
  fileprivate func or<Other>(
    _ objectForm: Form<Other>, expected: String, words: String,
    _ transform: @escaping @Sendable (Int64) -> Other
  ) -> Form<Other> {
    Form<Other>(
      expected: expected, words: words, schema: ["anyOf": [schema, objectForm.schema]]
    ) { reader in
      switch reader.value.kind {
      case .object: return objectForm.read(reader)
      case .number, .string: return read(reader).map(transform)
      default:
        return reader.refuse(expected: expected)
      }
    }
  }
}

extension Form where Value == Int {
  fileprivate static var fileCount: Form {
    let maximum = 1_000_000_000
    let expected = "a number of files from 0 to \(maximum)"
    return Form(
      expected: expected, words: "number",
      schema: ["type": "integer", "minimum": 0, "maximum": .number(Double(maximum))]
    ) { reader in
      if case .number(let number) = reader.value.kind, let count = number.integer,
        (0...Int64(maximum)).contains(count)
      {
        return Int(count)
      }
      return reader.refuse("expected \(expected)")
    }
  }
}
