public import BackupDiagnostics

extension SystemProfile {
  /// The word that stands for the newest version of iOS that the kit knows.
  package static let newestName = "newest"

  /// Returns the preset of a version, or throws an error that says which versions are near it.
  ///
  /// ```swift
  /// let configuration = SessionConfiguration(profile: try SystemProfile.named("18"))
  /// ```
  ///
  /// - Parameter name: A version as in ``SystemVersion/init(_:)``, such as `"5.0.1"` or `"26"`, or
  ///   `"newest"`.
  /// - Returns: The profile of the version.
  /// - Throws: `RunError` with the code `.unknownSystem` for a version that has no preset, such as
  ///   `"17.4"` or `"19"`. Its description says what to write instead.
  public static func named(_ name: String) throws(RunError) -> SystemProfile {
    if let profile = name == newestName ? newest : SystemProfile(version: name) { return profile }
    throw RunError(.unknownSystem, objection(to: name))
  }

  /// Returns the message on a text that names no known version: what to write instead, if that is
  /// clear, and the list of the known versions.
  package static func objection(to text: String) -> String {
    let known = (all.map(\.version.description) + [newestName]).joined(separator: ", ")
    let list = "known versions are \(known)"
    guard let advice = advice(onUnknown: text) else {
      return "unknown version of iOS '\(text.shown)'; \(list)"
    }
    return "unknown version of iOS '\(text.shown)'; \(advice) (\(list))"
  }

  private static func advice(onUnknown text: String) -> String? {
    let parts = text.drop { !$0.isASCII || !$0.isNumber }
      .prefix { $0.isASCII && ($0.isNumber || $0 == ".") }.split(separator: ".").prefix(3)
    guard let version = SystemVersion(parts.joined(separator: ".")) else {
      return NearestWord.to(text, in: [newestName]).map { "did you mean '\($0)'?" }
    }
    let known = all.map(\.version)
    if let meant = known.first(where: { $0 == version }) { return "write '\(meant)'" }
    let shorter = parts.indices.dropFirst().reversed().map { parts[..<$0].joined(separator: ".") }
    let whole = shorter.lazy.compactMap { name in known.first { $0.description == name } }.first
    if let whole { return "write '\(whole)', which stands for every iOS \(whole)" }
    guard let before = known.last(where: { $0 < version }) else {
      return known.first.map { "the oldest that the kit knows is '\($0)'" }
    }
    guard let after = known.first(where: { $0 > version }) else {
      return "the newest that the kit knows is '\(before)'"
    }
    return parts.count == 1
      ? "Apple went from iOS \(before) to iOS \(after): write one of them"
      : "the nearest are '\(before)' and '\(after)'"
  }
}
