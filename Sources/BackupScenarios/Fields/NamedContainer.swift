import BackupFileTree

extension ValueReader {
  /// Reports a misspelt standard directory at the top of a container. Records the name of the
  /// container with which a path such as `group.x:/a` begins. Later, `refuseUndeclaredContainers`
  /// checks that the app has this container.
  func checkTopDirectoryAndContainer(in path: ContainerPath) {
    if let objection = path.objectionToTopDirectory { report(objection) }
    guard let name = path.components.first, name.bytes.last == UInt8(ascii: ":") else { return }
    collector.containerReferences.append((name.string, position))
  }
}

extension ContainerPath.Component {
  /// A regular expression for the bundle identifier of an extension, for schemas.
  static let extensionPattern = #"^(?!group\.)[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)+$"#
}

extension Form where Value == String {
  static var bundleIdentifier: Form {
    string(ContainerPath.Component.expectedAppIdentifier).map { text, reader -> String? in
      guard let problem = ContainerPath.Component.problem(withApp: text) else { return text }
      return reader.refuse(problem)
    }.described(by: [
      "type": "string", "pattern": #"^[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)*$"#,
      "maxLength": .number(Double(ContainerPath.Component.longestIdentifier)),
    ])
  }

  static var extensionIdentifier: Form {
    let expected = "the bundle identifier of one of the app's extensions"
    return Form(
      expected: expected, words: "bundle identifier",
      schema: [
        "type": "string", "pattern": .text(ContainerPath.Component.extensionPattern),
        "maxLength": 155,
      ]
    ) { reader in
      guard let text = reader.string(expected) else { return nil }
      if let problem = ContainerPath.Component.problem(withExtension: text) {
        return reader.refuse(problem)
      }
      reader.collector.containerReferences.append(("\(text):", reader.position))
      return text
    }.named("extension", "The bundle identifier of one of the app's extensions.")
  }
}
