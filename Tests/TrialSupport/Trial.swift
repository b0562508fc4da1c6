package import BackupDevice
package import BackupDiagnostics
import BackupFileTree
package import BackupRules
package import BackupScenarios
package import BackupVerdicts
import TestSupport

/// Scenarios written in a test, read, run and judged.
package enum Trial {
  /// The version of iOS under which a scenario runs that names none.
  package static let newest = SystemProfile.newest.map { "\($0.version)" } ?? "none"

  /// The mistakes in a scenario file, each as `line:column: message`.
  package static func mistakes(in text: String) -> [String] {
    mistakes(in: Array(text.utf8))
  }

  /// The mistakes in a scenario file of any bytes.
  package static func mistakes(in bytes: [UInt8]) -> [String] {
    do throws(RunError) {
      _ = try ScenarioReader.read(bytes, id: "trial", file: "trial.json5", rules: RuleList.names)
      return []
    } catch {
      return error.diagnostics.map {
        "\($0.position.line):\($0.position.column): \($0.message)"
      }
    }
  }

  /// The mistakes in one step on the second line, behind a backup, each as `column: message`.
  package static func mistakes(inStep step: String) -> [String] {
    mistakes(in: "{ title: 'A trial', steps: [{ backup: 'a' },\n\(step)\n] }").map {
      $0.hasPrefix("2:") ? String($0.dropFirst(2)) : $0
    }
  }

  /// A scenario of these steps, one a line from the second line on, and of other keys.
  package static func scenario(
    _ steps: [String], id: String = "trial", _ other: String = ""
  ) throws(RunError) -> Scenario {
    let list = steps.map { "\($0),\n" }.joined()
    return try Scenario(text: "{ title: 'A trial', steps: [\n\(list)], \(other) }", id: id)
  }

  /// What happens in a scenario's first run.
  package static func transcript(
    _ steps: [String], _ other: String = "", runner: ScenarioRunner = ScenarioRunner()
  ) async throws -> Transcript {
    let scenario = try scenario(steps, other)
    return try await runner.run(scenario, scenario.variants[0])
  }

  /// How a scenario's first run ends: `step 2: message`, nil at its end.
  package static func failure(_ steps: [String], _ other: String = "") async throws -> String? {
    try await transcript(steps, other).failure.map { "\($0.step): \($0.message)" }
  }

  /// The findings of a scenario's first run.
  package static func findings(_ steps: [String], _ other: String = "") async throws -> [Scenario
    .Finding]
  {
    RuleList.findings(in: try await transcript(steps, other))
  }

  /// The findings of a scenario's first run, each as `rule severity step path`.
  package static func verdicts(_ steps: [String], _ other: String = "") async throws -> [String] {
    try await findings(steps, other).map(\.line)
  }

  /// What comes of a scenario in a suite, without a golden file unless one is given.
  package static func result(
    _ scenario: Scenario, _ mode: RecordMode = .missing, goldens: GoldenStore? = nil,
    systems: Set<SystemVersion>? = nil, isStrict: Bool = false
  ) async throws -> ScenarioResult {
    let folder = try TestFolder()
    var suite = ScenarioSuite(
      goldens: goldens ?? GoldenStore(folder: folder.path), recordMode: mode)
    suite.systems = systems
    suite.isStrict = isStrict
    guard let result = await suite.run(scenario) else {
      throw TestError("no system of the suite is the scenario's")
    }
    return result
  }
}

extension Scenario.Finding {
  /// The finding in a line: `rule severity step path`.
  package var line: String {
    "\(rule) \(severity.rawValue) \(step.number) \(path?.description ?? "-")"
  }
}

/// The directory that most trials keep the app's own files in in most trials.
package let support = "Library/Application Support"

/// Steps that save a movie in the app's own folder, unmarked.
package let savedMovie = [
  "{ createDirectory: '\(support)/Movies' }",
  "{ save: '\(support)/Movies/1.mp4', size: '7 MB' }",
]

/// The same with the mark set afterwards, by step 3.
package let markedMovie = savedMovie + ["{ exclude: '\(support)/Movies/1.mp4' }"]

/// What the apps of these tests promise.
package let promises = """
  files: {
    'Documents/**': 'critical', 'Library/Application Support/**': 'offline',
    'Library/Caches/notes/**': 'critical', 'Library/Caches/fonts/**': 'support',
    'Library/Caches/**': 'cached', 'tmp/**': 'temporary', 'Library/Settings/**': 'support',
  }
  """
