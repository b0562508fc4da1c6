import BackupFileTree

extension Form where Value == [Scenario.Located<String>] {
  /// The maximum number of an app's groups, and of its extensions.
  private static let maximumIdentifierCount = 50

  static var groups: Form {
    identifiers(
      named: "group identifiers", pattern: #"^group(?:\.[A-Za-z0-9_-]+)+$"#
    ) { ContainerPath.Component.problem(withGroup: $0) }
  }

  /// The bundle identifiers of extensions. `Form.app` checks later that they begin with the app's
  /// bundle identifier.
  static var extensions: Form {
    identifiers(
      named: "bundle identifiers", pattern: ContainerPath.Component.extensionPattern
    ) { ContainerPath.Component.problem(withExtension: $0) }
  }

  private static func identifiers(
    named plural: String, pattern: String,
    problem: @escaping @Sendable (String) -> String?
  ) -> Form {
    distinct(
      plural, words: plural, one: "one of the \(plural)",
      atMost: maximumIdentifierCount,
      schema: [
        "type": "array", "uniqueItems": true,
        "maxItems": .number(Double(maximumIdentifierCount)),
        "items": ["type": "string", "pattern": .text(pattern), "maxLength": 155],
      ], problem: problem)
  }

  /// Returns the form of a list of texts. The form reports a text that appears twice, or for which
  /// `problem` returns a message.
  ///
  /// Messages call the texts `plural`, and a single text `one`. The documentation calls them
  /// `words`.
  static func distinct(
    _ plural: String, words: String, one: String, atMost maximumCount: Int = .max, schema: Schema,
    problem: @escaping @Sendable (String) -> String?
  ) -> Form {
    Form(expected: "a list of \(plural)", words: "list of \(words)", schema: schema) { list in
      guard let readers = list.elements(of: plural) else { return nil }
      if readers.count > maximumCount {
        list.report(
          "there are \(readers.count) of them; at most \(maximumCount) are allowed")
      }
      var texts: [Scenario.Located<String>] = []
      for reader in readers.prefix(maximumCount) {
        guard let text = reader.string(one) else { continue }
        if let problem = problem(text) {
          reader.report(problem)
        } else if texts.contains(where: { $0.value == text }) {
          reader.report("'\(text)' appears twice; keep one")
        } else {
          texts.append(Scenario.Located(value: text, position: reader.position))
        }
      }
      return texts
    }
  }
}
