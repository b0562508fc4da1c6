package import BackupDevice
package import BackupDiagnostics
import BackupFileTree
package import BackupRules
package import BackupScenarios
package import BackupVerdicts
import TestSupport

/// Reads and runs scenarios whose text is in a test.
package enum Trial {
  /// The newest iOS version that the kit knows. A scenario runs under it if it names no version.
  package static let newest = SystemProfile.newest.map { "\($0.version)" } ?? "none"

  /// The mistakes in a scenario file, each as `line:column: message`.
  package static func mistakes(in text: String) -> [String] {
    mistakes(in: Array(text.utf8))
  }

  /// The mistakes in a scenario file, whose bytes need not be UTF-8.
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

  /// The mistakes in one step, each as `column: message`.
  ///
  /// The step is on the second line of a scenario, after a `backup` step.
  package static func mistakes(inStep step: String) -> [String] {
    mistakes(in: "{ title: 'A trial', steps: [{ backup: 'a' },\n\(step)\n] }").map {
      $0.hasPrefix("2:") ? String($0.dropFirst(2)) : $0
    }
  }

  /// A scenario with each step on its own line, from line 2 on. The text `other` has further keys.
  package static func scenario(
    _ steps: [String], id: String = "trial", _ other: String = ""
  ) throws(RunError) -> Scenario {
    let list = steps.map { "\($0),\n" }.joined()
    return try Scenario(text: "{ title: 'A trial', steps: [\n\(list)], \(other) }", id: id)
  }

  /// The transcript of a scenario's first run.
  package static func transcript(
    _ steps: [String], _ other: String = "", runner: ScenarioRunner = ScenarioRunner()
  ) async throws -> Transcript {
    let scenario = try scenario(steps, other)
    return try await runner.run(scenario, scenario.variants[0])
  }

  /// Why a scenario's first run failed, as `step 2: message`; nil if it reached its end.
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

  /// Runs a scenario in a suite. Without `goldens`, the suite has no golden files.
  package static func result(
    _ scenario: Scenario, _ mode: RecordMode = .missing, goldens: GoldenStore? = nil,
    systems: Set<SystemVersion>? = nil, isStrict: Bool = false
  ) async throws -> ScenarioResult {
    let folder = try TestFolder()
    var suite = ScenarioSuite(
      goldens: goldens ?? GoldenStore(folder: folder.path), recordMode: mode)
    suite.selectedSystems = systems
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

/// The directory in which most tests save the app's own files.
package let support = "Library/Application Support"

/// Steps that save a movie without a mark.
package let savedMovie = [
  "{ createDirectory: '\(support)/Movies' }",
  "{ save: '\(support)/Movies/1.mp4', size: '7 MB' }",
]

/// The steps of `savedMovie`, and step 3, which marks the movie.
package let markedMovie = savedMovie + ["{ exclude: '\(support)/Movies/1.mp4' }"]

/// A key `files`, with which the tests' apps declare the classes of their files.
package let promises = """
  files: {
    'Documents/**': 'critical', 'Library/Application Support/**': 'offline',
    'Library/Caches/notes/**': 'critical', 'Library/Caches/fonts/**': 'support',
    'Library/Caches/**': 'cached', 'tmp/**': 'temporary', 'Library/Settings/**': 'support',
  }
  """
