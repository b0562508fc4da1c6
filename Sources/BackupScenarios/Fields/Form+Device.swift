import BackupCollections
package import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupJSON5

extension Form where Value == ExclusionMark {
  static var mark: Form { word(ExclusionMark.all.map { ($0.description, $0) }, named: "mark") }
}

extension Form where Value == NamedSystem {
  /// A version of iOS, as text or as a number, or the word for the newest one.
  static var system: Form {
    let expected = "a version of iOS, such as \"18\", or \"\(NamedSystem.newestName)\""
    return Form(
      expected: expected, words: "version of iOS, or `\"\(NamedSystem.newestName)\"`",
      schema: SystemProfile.versionSchema
    ) { reader in
      let text: String
      switch reader.value.kind {
      case .string(let string): text = string
      case .number(let number): text = number.text
      default:
        reader.note(expected: expected)
        return nil
      }
      if let system = NamedSystem(text) { return system }
      reader.note(SystemProfile.objection(to: text))
      return nil
    }.named("system", "A version of iOS that the kit knows, or the newest of them.")
  }
}

extension Form where Value == SystemVersion {
  /// A version of iOS, as text or as a number, or the word for the newest one.
  static var version: Form { Form<NamedSystem>.system.map { system, _ in system.version } }
}

extension SystemProfile {
  /// The version with this number, or the newest for `newest`; nil if the kit does not know it.
  package static func named(_ name: String) -> SystemProfile? { NamedSystem(name)?.profile }

  /// What to say of a text that names no known version: the versions there are, and the one whose
  /// behaviour is meant where that is clear, as 18 for `iOS 18.2`.
  package static func objection(to text: String) -> String {
    let newest = NamedSystem.newestName
    let known = all.map(\.version.description) + [newest]
    let parts = text.drop { !$0.isASCII || !$0.isNumber }.split(separator: ".").prefix(3)
    let shorter = (1...3).reversed().map { parts.prefix($0).joined(separator: ".") }
    let meant = shorter.first(where: known.contains) ?? NearestWord.to(text, in: [newest])
    let advice = meant.map { "did you mean '\($0)'? Known versions" } ?? "known versions"
    return "unknown version of iOS '\(text.shown)'; \(advice) are "
      + known.joined(separator: ", ")
  }

  /// What a schema says of a version: the words that editors offer, every way to write them, and
  /// those that are numbers.
  fileprivate static var versionSchema: Schema {
    let versions = all.map(\.version.description)
    return [
      "anyOf": [
        ["enum": .texts(versions + [NamedSystem.newestName])],
        ["type": "string", "pattern": .text(pattern(of: versions))],
        ["enum": .list(versions.compactMap(Double.init).map(Schema.number))],
      ]
    ]
  }

  /// A regular expression of versions with any zeros at the end: `18`, `18.0` and `18.0.0`.
  private static func pattern(of versions: [String]) -> String {
    let shortest = versions.map { version -> [Substring] in
      let parts = version.split(separator: ".")
      return Array(parts.reversed().drop { $0 == "0" }.reversed())
    }
    let choices = shortest.grouped(by: \.count).map { versions in
      let texts = versions.map { $0.joined(separator: #"\."#) }.joined(separator: "|")
      let most = 3 - (versions.first?.count ?? 0)
      return "(?:\(texts))" + (most > 0 ? #"(?:\.0){0,"# + "\(most)}" : "")
    }
    return "^(?:\(choices.joined(separator: "|")))$"
  }
}
