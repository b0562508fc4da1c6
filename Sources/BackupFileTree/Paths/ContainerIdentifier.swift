import BackupDiagnostics

// The identifiers by which an app has containers beside its own: of groups and of extensions.
extension ContainerPath.Component {
  /// The most bytes that an identifier may have, as a bundle identifier.
  package static let longestIdentifier = 155

  /// What is wrong with a text as the identifier of a group; nil if it is one. On iOS it begins
  /// with `group.` (`documented`: Apple, *App Groups Entitlement*).
  package static func problem(withGroup text: String) -> String? {
    guard !isIdentifier(text) || !text.hasPrefix("group.") else { return nil }
    return "'\(text.shown)' is not a group's identifier; expected letters, digits and hyphens, "
      + "separated by dots, such as \"group.com.example.app\""
  }

  /// What is wrong with a text as the bundle identifier of an extension, which begins with the
  /// app's if that is known; nil if it is one.
  package static func problem(withExtension text: String, of app: String? = nil) -> String? {
    if text.hasPrefix("group.") {
      return "'\(text.shown)' is a group's identifier, not an extension's; move it to 'groups'"
    }
    if isIdentifier(text), app.map({ text.hasPrefix("\($0).") }) != false { return nil }
    let example = "\(app ?? "com.example.app").widget"
    return "'\(text.shown)' is not an extension's bundle identifier; expected the app's "
      + "identifier, a dot and a name, such as \"\(example.shown)\""
  }

  /// Whether a text has the form that the name of a container beside the app's has.
  private static func isIdentifier(_ text: String) -> Bool {
    text.utf8.count <= longestIdentifier && ContainerPath.Component(containerOf: text).isContainer
  }

  /// What the bundle identifier of an app looks like.
  package static let expectedApp = "a bundle identifier such as \"com.example.app\""

  /// What is wrong with a text as an app's bundle identifier, which has letters, digits and hyphens
  /// between its dots; nil if it is one.
  package static func problem(withApp text: String) -> String? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let isValid =
      text.utf8.count <= longestIdentifier
      && parts.allSatisfy { part in !part.isEmpty && part.utf8.allSatisfy(isAllowed) }
    guard !isValid else { return nil }
    return "'\(text.shown)' is not a bundle identifier; expected \(expectedApp)"
  }

  /// Whether a byte may stand between the dots.
  private static func isAllowed(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
