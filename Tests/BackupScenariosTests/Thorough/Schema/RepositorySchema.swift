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

/// Checks texts with the scenario schema and with the decoder.
struct Verdicts: Sendable {
  /// The checks with this repository's schema, which is read only once.
  static let shared = Result { try Verdicts() }

  /// The scenario schema of this repository.
  let schema: JSONSchema

  init() throws { self.schema = try JSONSchema(Repository.schemaText()) }

  /// The verdicts of the schema and the decoder on one text.
  struct Verdict {
    let schemaAccepts: Bool
    /// The mistakes that the decoder finds; empty if it accepts the text.
    let mistakes: [ScenarioDiagnostic]
    let value: LocatedValue

    var decoderAccepts: Bool { mistakes.isEmpty }

    /// Whether both verdicts agree, or the decoder refuses the text only for reasons that no schema
    /// can express.
    var isAgreement: Bool {
      if schemaAccepts == decoderAccepts { return true }
      return schemaAccepts
        && mistakes.allSatisfy { mistake in
          SchemaLimit.allCases.contains { $0.explains(mistake, in: value) }
        }
    }
  }

  /// Returns both verdicts on a text, which must be JSON5.
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
