extension StepKind {
  static let setDefault: StepKind = {
    let values = Field(
      "setDefault", .defaults, default: .required, "The keys, each with its value.")
    return StepKind(
      .setDefault, values,
      "The app sets user defaults. iOS saves them in Library/Preferences/<bundle "
        + "identifier>.plist.",
      examples: [["setDefault": ["downloaded": true]]], beside: [Self.suite]
    ) { step in
      guard let values = step[values], !step.isInvalid(Self.suite) else { return nil }
      return .app(.setDefaults(values, suite: step[Self.suite]))
    }
  }()

  static let suite = Field<String>(
    "suite", .bundleIdentifier, default: .inWords("the app's own defaults"),
    "The suite, as in UserDefaults(suiteName:). If it is an app group, iOS uses the group's "
      + "container.")
}

package struct UserDefault: Hashable, Sendable {
  let key: String
  let value: StoredValue
}

extension Form where Value == [UserDefault] {
  fileprivate static var defaults: Form {
    let value = Form<StoredValue>.storedValue
    let expected = "an object of keys and values, such as { downloaded: true }"
    return Form(
      expected: expected, words: "object of keys and values",
      schema: [
        "type": "object", "minProperties": 1,
        "propertyNames": Form<String>.defaultKey.schema, "additionalProperties": value.schema,
      ]
    ) { reader in
      guard let object = ObjectReader(reader, expected: expected) else { return nil }
      if object.keys.isEmpty { reader.report("the object is empty; expected a key with a value") }
      for key in object.keys { _ = Form<String>.defaultKey.read(object.reader(ofKey: key)) }
      return object.keys.compactMap { key in
        object[key].flatMap(value.read).map { UserDefault(key: key, value: $0) }
      }
    }
  }
}
