import BackupFileTree
import BackupJSON5

extension Form where Value == GoldenOptions {
  static var golden: Form {
    let namesField = Field(
      "names", .nameForms, default: .inWords("no patterns"),
      "Patterns of paths, each with a replacement for the file name, such as {uuid}.mp4. The "
        + "varying part is {uuid}, {date}, {number}, {hex} or {any}.",
      examples: [["Documents/*.mp4": "{uuid}.mp4"]])
    let sizesField = Field(
      "sizes", .sizePolicy, default: .inWords("no patterns"),
      "Patterns of items whose sizes the golden file omits. The golden file also omits the sums that "
        + "include these sizes. false: the golden file omits all sizes.",
      examples: [["Library/Preferences/*.plist"], false])
    let compareField = Field(
      "compare", .boolean, default: .value(true),
      "true: the kit compares the run with a golden file. false: the kit checks only findings and "
        + "assertions.")
    let expected = "{ names: { … }, sizes: [patterns], compare: false }"
    return .object(expected, [namesField, sizesField, compareField], [.notEmpty]) { object in
      if object.keys.isEmpty { object.reader.report("the object is empty; expected \(expected)") }
      var options = GoldenOptions()
      options.nameForms = object[namesField] ?? []
      options.sizePolicy = object[sizesField] ?? .compared(except: [])
      options.comparesRun = object[compareField] ?? true
      return options
    }
  }
}

extension Form where Value == [(pattern: PathPattern, form: NameForm)] {
  fileprivate static var nameForms: Form {
    let expected = "{ \"Documents/*.mp4\": \"{uuid}.mp4\", … }"
    let nameForm = Form<NameForm>.nameForm
    return Form(
      expected: expected, words: "object of patterns and names",
      schema: [
        "type": "object", "propertyNames": Form<PathPattern>.pattern.schema,
        "additionalProperties": nameForm.schema,
      ]
    ) { reader in
      guard let object = ObjectReader(reader, expected: expected) else { return nil }
      return object.keys.compactMap { key in
        let keyReader = object.reader(ofKey: key)
        let form = object[key].flatMap(nameForm.read)
        guard let pattern = Form<PathPattern>.pattern.read(keyReader), let form else { return nil }
        return (pattern, form)
      }
    }
  }
}

extension Form where Value == NameForm {
  fileprivate static var nameForm: Form {
    let expected = "a name such as \"{uuid}.mp4\""
    let words = NameForm.VaryingPart.allCases.map(\.rawValue).joined(separator: "|")
    return Form(
      expected: expected, words: "name",
      schema: [
        "type": "string",
        "pattern": .text(
          #"^(?=[^/]*\{(?:\#(words))\})(?:(?!\{[^{}]*\})[^/\u0000]|\{(?:\#(words))\})+$"#),
      ]
    ) { reader in
      guard let text = reader.string(expected) else { return nil }
      do throws(FormMistake) {
        return try NameForm(text)
      } catch {
        return reader.refuse(error.message)
      }
    }
  }
}

extension Form where Value == SizePolicy {
  fileprivate static var sizePolicy: Form {
    let listForm = Form<[PathPattern]>.list(of: .pattern, named: "patterns")
    let expected = "a list of patterns, or false"
    return Form(
      expected: expected, words: "list of patterns, or `false`",
      schema: ["anyOf": [listForm.schema, ["const": false]]]
    ) { reader in
      switch reader.value.kind {
      case .bool(false): return .noSizes
      case .array: return listForm.read(reader).map(SizePolicy.compared)
      default:
        return reader.refuse(expected: expected)
      }
    }
  }
}
