import BackupDevice
import BackupFileTree
import Foundation
import Testing

@testable import BackupDiagnostics
@testable import BackupRules
@testable import BackupScenarios
@testable import BackupVerdicts

/// Scenarios written in a test, read, run and judged.
enum Trial {
  /// The mistakes in a scenario file, each as `line:column: message`.
  static func mistakes(in text: String) -> [String] {
    mistakes(in: Array(text.utf8))
  }

  /// The mistakes in a scenario file of any bytes.
  static func mistakes(in bytes: [UInt8]) -> [String] {
    do throws(ScenarioFileError) {
      _ = try ScenarioReader.read(bytes, id: "trial", file: "trial.json5", rules: RuleList.names)
      return []
    } catch {
      return error.diagnostics.map {
        "\($0.position.line):\($0.position.column): \($0.message)"
      }
    }
  }

  /// The mistakes in one step that stands alone on the second line, each as `column: message`.
  static func mistakes(inStep step: String) -> [String] {
    mistakes(in: "{ title: 'A trial', steps: [\n\(step)\n] }").map {
      $0.hasPrefix("2:") ? String($0.dropFirst(2)) : $0
    }
  }

  /// A scenario of these steps, one a line from the second line on, and of other keys.
  static func scenario(
    _ steps: [String], id: String = "trial", _ other: String = ""
  ) throws(ScenarioFileError) -> Scenario {
    let list = steps.map { "\($0),\n" }.joined()
    return try Scenario(text: "{ title: 'A trial', steps: [\n\(list)], \(other) }", id: id)
  }

  /// What happens in a scenario's first run.
  static func transcript(
    _ steps: [String], _ other: String = "", runner: ScenarioRunner = ScenarioRunner()
  ) async throws -> Transcript {
    let scenario = try scenario(steps, other)
    return try await runner.run(scenario, try #require(scenario.variants.first))
  }

  /// How a scenario's first run ends: `step 2: message`, nil at its end.
  static func failure(_ steps: [String], _ other: String = "") async throws -> String? {
    try await transcript(steps, other).failure.map { "\($0.step): \($0.message)" }
  }

  /// The findings of a scenario's first run.
  static func findings(_ steps: [String], _ other: String = "") async throws -> [Scenario.Finding] {
    RuleList.findings(in: try await transcript(steps, other))
  }

  /// The findings of a scenario's first run, each as `rule severity step path`.
  static func verdicts(_ steps: [String], _ other: String = "") async throws -> [String] {
    try await findings(steps, other).map(\.line)
  }

  /// What comes of a scenario in a suite, without a golden file unless one is given.
  static func result(
    _ scenario: Scenario, _ mode: RecordMode = .missing, goldens: GoldenStore? = nil,
    systems: Set<SystemVersion>? = nil, isStrict: Bool = false
  ) async throws -> ScenarioResult {
    let folder = try TestFolder()
    defer { folder.remove() }
    var suite = ScenarioSuite(
      goldens: goldens ?? GoldenStore(folder: folder.path), recordMode: mode)
    suite.systems = systems
    suite.isStrict = isStrict
    return try #require(await suite.run(scenario))
  }
}

extension Scenario.Finding {
  /// The finding in a line: `rule severity step path`.
  var line: String {
    "\(rule) \(severity.rawValue) \(step.number) \(path?.description ?? "-")"
  }
}

/// A folder of a test's own.
struct TestFolder {
  /// Its path.
  let path: String

  /// Makes the folder.
  init() throws {
    path =
      FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appendingPathComponent("scenario-tests-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  /// Writes a file, with the folders above it.
  func write(_ text: String, to name: String) throws {
    try write(Array(text.utf8), to: name)
  }

  /// Writes a file of any bytes.
  func write(_ bytes: [UInt8], to name: String) throws {
    let url = URL(fileURLWithPath: "\(path)/\(name)")
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: url)
  }

  /// The text of a file.
  func text(of name: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)")), as: UTF8.self)
  }

  /// The names of everything in the folder, sorted.
  func names() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: path).sorted()
  }

  /// Removes the folder with all in it.
  func remove() {
    try? FileManager.default.removeItem(atPath: path)
  }
}

/// Something that several tasks write, behind a lock.
final class Notes<Value: Sendable>: @unchecked Sendable {
  /// The lock.
  private let lock = NSLock()
  /// What was written.
  private var values: [Value] = []

  /// Writes something down.
  func add(_ value: Value) {
    lock.withLock { values.append(value) }
  }

  /// Everything that was written.
  var all: [Value] { lock.withLock { values } }
}

/// The container of an app's own files in most trials.
let support = "Library/Application Support"

/// Steps that save a movie in the app's own folder, unmarked.
let savedMovie = [
  "{ createDirectory: '\(support)/Movies' }",
  "{ save: '\(support)/Movies/1.mp4', size: '7 MB' }",
]

/// The same with the mark set afterwards, by step 3.
let markedMovie = savedMovie + ["{ exclude: '\(support)/Movies/1.mp4' }"]
