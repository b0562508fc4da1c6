public import BackupDiagnostics

extension SystemProfile {
  /// The name for the newest version of iOS that the kit knows.
  package static let newestName = "newest"

  /// Returns the preset of a version. For an unknown version, throws an error that suggests others.
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

  /// Returns the error message for a text that names no known version. It suggests a version if one
  /// is near, and lists the known versions.
  package static func objection(to text: String) -> String {
    let known = (all.map(\.version.description) + [newestName]).joined(separator: ", ")
    let list = "known versions are \(known)"
    guard let advice = advice(onUnknown: text) else {
      return "unknown version of iOS '\(text.escapedExcerpt)'; \(list)"
    }
    return "unknown version of iOS '\(text.escapedExcerpt)'; \(advice) (\(list))"
  }

  /// Returns advice for an unknown version: `write '17', which stands for every iOS 17` for `17.4`.
  private static func advice(onUnknown text: String) -> String? {
    let versionParts = text.drop { !$0.isASCII || !$0.isNumber }
      .prefix { $0.isASCII && ($0.isNumber || $0 == ".") }.split(separator: ".").prefix(3)
    guard let version = SystemVersion(versionParts.joined(separator: ".")) else {
      return NearestWord.to(text, in: [newestName]).map { "did you mean '\($0)'?" }
    }
    let knownVersions = all.map(\.version)
    if let equal = knownVersions.first(where: { $0 == version }) { return "write '\(equal)'" }
    let shorterNames = versionParts.indices.dropFirst().reversed().map {
      versionParts[..<$0].joined(separator: ".")
    }
    let shorterVersion = shorterNames.lazy.compactMap { name in
      knownVersions.first { $0.description == name }
    }.first
    if let shorterVersion {
      return "write '\(shorterVersion)', which stands for every iOS \(shorterVersion)"
    }
    guard let previousVersion = knownVersions.last(where: { $0 < version }) else {
      return knownVersions.first.map { "the oldest that the kit knows is '\($0)'" }
    }
    guard let nextVersion = knownVersions.first(where: { $0 > version }) else {
      return "the newest that the kit knows is '\(previousVersion)'"
    }
    return versionParts.count == 1
      ? "Apple went from iOS \(previousVersion) to iOS \(nextVersion): write one of them"
      : "the nearest are '\(previousVersion)' and '\(nextVersion)'"
  }
}
