import BackupDiagnostics

/// The identifiers by which an app has containers beside its own: of groups and of extensions.
package enum ContainerIdentifier {
  /// The most bytes that one may have, as a bundle identifier.
  private static let longest = 155

  /// What is wrong with a text as the identifier of a group; nil where it is one. On iOS it begins
  /// with `group.` (`documented`: Apple, *App Groups Entitlement*).
  package static func problem(withGroup text: String) -> String? {
    guard !isIdentifier(text) || !text.hasPrefix("group.") else { return nil }
    return "'\(text.shown)' is no identifier of a group; expected one such as "
      + "\"group.com.example.app\", of letters, digits and hyphens, joined by dots"
  }

  /// What is wrong with a text as the bundle identifier of an extension; nil where it is one.
  ///
  /// - Parameters:
  ///   - text: The identifier.
  ///   - app: The app's bundle identifier, with which it has to begin; nil where that is not known.
  /// - Returns: A sentence, or nil.
  package static func problem(withExtension text: String, of app: String? = nil) -> String? {
    if text.hasPrefix("group.") {
      return "'\(text.shown)' is a group's identifier, not an extension's; move it to 'groups'"
    }
    if isIdentifier(text), app.map({ text.hasPrefix("\($0).") }) != false { return nil }
    let example = "\(app ?? "com.example.app").widget"
    return "'\(text.shown)' is no bundle identifier of an extension; expected the app's, a dot and "
      + "a name, such as \"\(example.shown)\""
  }

  /// Whether a text has the form that the name of a container beside the app's has.
  private static func isIdentifier(_ text: String) -> Bool {
    text.utf8.count <= longest && ContainerPath.Component(containerOf: text).isContainer
  }
}
