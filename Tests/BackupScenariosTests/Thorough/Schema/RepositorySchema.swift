import Foundation
import TestSupport

@testable import BackupDiagnostics
@testable import BackupJSON5
@testable import BackupRules
@testable import BackupScenarios
@testable import BackupVerdicts

/// The schema and the scenarios of this repository.
enum Repository {
  /// The folder of the scenarios.
  static let scenarioFolder = Checkout.scenarioFolder

  /// The text of the scenario schema.
  static func schemaText() throws -> String {
    try text(at: scenarioFolder + "/scenario.schema.json")
  }

  /// The text of a file.
  static func text(at path: String) throws -> String {
    try String(contentsOf: URL(fileURLWithPath: path), encoding: .utf8)
  }

  static func scenarios() throws -> [ScenarioFolder.File] {
    try ScenarioFolder(path: scenarioFolder).files
  }
}

/// What the scenario schema and the decoder say about a text.
struct Verdicts: Sendable {
  /// Those of this repository's schema, read once.
  static let shared = Result { try Verdicts() }

  /// The scenario schema of this repository.
  let schema: JSONSchema

  init() throws { self.schema = try JSONSchema(Repository.schemaText()) }

  /// What both say about one text.
  struct Verdict {
    /// Whether the schema accepts it.
    let schemaAccepts: Bool
    /// What the decoder finds wrong; empty where it accepts.
    let mistakes: [ScenarioDiagnostic]
    let value: LocatedValue

    /// Whether the decoder accepts it.
    var decoderAccepts: Bool { mistakes.isEmpty }

    /// Whether both say the same, or the decoder refuses only what no schema can.
    var isAgreement: Bool {
      if schemaAccepts == decoderAccepts { return true }
      return schemaAccepts
        && mistakes.allSatisfy { mistake in
          SchemaLimit.allCases.contains { $0.explains(mistake, in: value) }
        }
    }
  }

  /// What both say about a text, which has to be JSON5.
  func callAsFunction(_ text: String) throws -> Verdict {
    let value = try LocatedValue(json5: text)
    var mistakes: [ScenarioDiagnostic] = []
    do throws(RunError) {
      _ = try Scenario(text: text)
    } catch {
      mistakes = error.diagnostics
    }
    return Verdict(schemaAccepts: schema.accepts(value), mistakes: mistakes, value: value)
  }
}
