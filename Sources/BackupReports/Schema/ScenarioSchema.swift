import BackupRules
import BackupScenarios

/// The description of scenario files for editors and readers. It is derived from the fields that
/// the kit reads.
package struct ScenarioSchema {
  private let ruleNames = RuleList.names

  package init() {}

  /// The JSON Schema (draft 2020-12) of scenario files. The file `Scenarios/scenario.schema.json`
  /// has the same text.
  package var text: String {
    let head: Schema = [
      "title": "Backup scenario",
      "description":
        "What an app saves, what iOS does, and what must result, one scenario per file.",
      "examples": [Self.example],
    ]
    return Self.text(head.adding(Schema(of: Scenario.allFields(rules: ruleNames))))
  }

  /// The JSON Schema of the file `app.json5` of a scenario folder.
  package var textOfAppFile: String {
    let head: Schema = [
      "title": "Classes of an app's files",
      "description": "The classes of an app's files, for all scenarios of a folder.",
      "examples": [["files": ["Documents/**": "critical"]]],
    ]
    return Self.text(head.adding(Schema(of: AppFile.fields)))
  }

  private static func text(_ schema: Schema) -> String {
    let draft: Schema = ["$schema": "https://json-schema.org/draft/2020-12/schema"]
    var definitions: [Schema.Property] = []
    schema.addDefinitions(to: &definitions)
    return draft.adding(schema).adding(definitions.isEmpty ? [:] : ["$defs": .object(definitions)])
      .text
  }

  /// The tables of the article ScenarioFiles. They are, in order: the scenario's keys, the steps of
  /// the app, the keys of `killed`, the steps of the system, the assertions, and the keys of an
  /// expected finding.
  package var tables: [String] {
    func steps(_ actor: StepActor) -> String {
      Self.table("step", StepKind.all.filter { $0.actor == actor }.flatMap { Self.rows(of: $0) })
    }
    return [
      Self.table("key", Self.rows(of: Scenario.allFields(rules: ruleNames))), steps(.app),
      Self.table("key of `killed`", Self.rows(of: Scenario.InterruptionPoint.fields)),
      steps(.system), steps(.observer),
      Self.table("key", Self.rows(of: ExpectationFields(rules: ruleNames).all)),
    ]
  }

  private static func table(_ heading: String, _ rows: [[String]]) -> String {
    let lines = rows.map { "| \($0.joined(separator: " | ")) |\n" }
    return "| \(heading) | value | default | meaning |\n|---|---|---|---|\n" + lines.joined()
  }

  /// Returns the rows for a kind of step: its keyword, and the keys beside it.
  private static func rows(of step: StepKind) -> [[String]] {
    let subject = step.keywordField
    return [["**`\(subject.key)`**", subject.words, "–", step.meaning]]
      + rows(of: subject.nestedFields, within: subject.key) + rows(of: step.otherFields)
  }

  private static func rows(
    of fields: [any DeclaredField], within outerName: String? = nil
  ) -> [[String]] {
    fields.flatMap { field -> [[String]] in
      let name = [outerName, field.key].compactMap(\.self).joined(separator: ".")
      return [["`\(name)`", field.words, words(of: field.default), field.meaning]]
        + rows(of: field.nestedFields, within: name)
    }
  }

  private static func words(of value: FieldDefault) -> String {
    switch value {
    case .required: "required"
    case .nothing: "–"
    case .inWords(let words): words
    case .value(let value): "`\(value.line)`"
    }
  }

  private static let example: Schema = [
    "title": "A movie downloaded again stays out of the backup",
    "requirements": ["mark.reapply-on-save"],
    "system": "18",
    "files": ["Library/Application Support/Movies/**": "offline"],
    "steps": [
      ["createDirectory": "Library/Application Support/Movies"],
      ["save": "Library/Application Support/Movies/1.mp4", "size": "700 MB"],
      ["exclude": "Library/Application Support/Movies/1.mp4"],
      ["backup": "after the first download"],
      ["save": "Library/Application Support/Movies/1.mp4", "size": "710 MB"],
      ["backup": "after the second download"],
    ],
    "expect": [
      ["rule": "reapply-on-save", "step": 5, "path": "Library/Application Support/Movies/1.mp4"]
    ],
  ]
}

extension Schema {
  /// Adds the schemas that this one refers to, each name once, in the order of first use.
  fileprivate func addDefinitions(to definitions: inout [Property]) {
    if case .reference(let name, let schema) = self {
      if definitions.contains(where: { $0.key == name }) { return }
      definitions.append(Property(key: name, value: schema))
    }
    let innerSchemas: [Schema] =
      switch self {
      case .list(let elements): elements
      case .object(let members): members.map(\.value)
      case .reference(_, let schema): [schema]
      case .boolean, .number, .text: []
      }
    for schema in innerSchemas { schema.addDefinitions(to: &definitions) }
  }
}
