import BackupFileTree

/// What the bundle identifier of an extension looks like.
enum NamedExtension {
  /// The pattern of one in a schema.
  static let pattern = #"^(?!group\.)[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)+$"#
}

extension Form where Value == String {
  /// The bundle identifier of an extension that the app has.
  static var extensionIdentifier: Form {
    let expected = "the bundle identifier of one of the app's extensions"
    return Form(
      expected: expected, words: "bundle identifier",
      schema: ["type": "string", "pattern": .text(NamedExtension.pattern), "maxLength": 155]
    ) { reader in
      guard let text = reader.string(expected) else { return nil }
      if let problem = ContainerIdentifier.problem(withExtension: text) {
        reader.note(problem)
        return nil
      }
      reader.noteExtension(text)
      return text
    }
  }
}
