import BackupDevice
import BackupFileTree
import BackupFolders
import BackupRules
import BackupScenarios
import BackupVerdicts
import Foundation
import TestSupport
import TrialSupport

/// Scenarios in a folder of a test's own, with what they start from or restore beside them.
struct CapturedTrial {
  /// The folder that holds the scenario folder.
  let folder: TestFolder

  /// A folder with the container of a version 1: a list, a movie that it forgot to mark, a picture
  /// that it marked.
  init() throws {
    folder = try TestFolder([
      "Fixtures/v1/Documents/list.json": "[1, 2]", "Fixtures/v1/Documents/movie.mp4": "movie",
      "Fixtures/v1/Library/Pictures/1.png": "picture",
      "Fixtures/v1.list": """
      # container-list 1 com.example.app 18.1
      Library/Pictures/1.png\tf\t7\tcom.apple.metadata:com_apple_backup_excludeItem\t3\t
      Documents/Empty\td\t64\t\t4\t

      """,
    ])
  }

  /// What a scenario says that starts from the container.
  static let start = "start: { container: 'Fixtures/v1', marks: 'Fixtures/v1.list' }"

  /// Runs a scenario of these steps.
  func run(
    _ steps: [String], _ other: String = Self.start, isAllowed: Bool = true,
    reader: BackupReader? = .finder, limits: Scenario.RunLimits = Scenario.RunLimits()
  ) async throws -> Transcript {
    let text = "{ title: 'A trial', steps: [\n\(steps.joined(separator: ",\n"))\n], \(other) }"
    let scenario = try ScenarioReader.read(
      Array(text.utf8), id: "trial", file: folder.url("Scenarios/trial.json5").path,
      rules: RuleList.names)
    var runner = ScenarioRunner()
    if isAllowed { runner.permissions.insert(.folders) }
    runner.backupReader = reader
    runner.limits = limits
    return try await runner.run(scenario, scenario.variants[0])
  }

  /// How a run ends that starts from a container; empty at its end.
  func failure(
    _ start: String = Self.start, isAllowed: Bool = true,
    limits: Scenario.RunLimits = Scenario.RunLimits()
  ) async throws -> String {
    let transcript = try await run(
      ["{ backup: 'b' }"], start, isAllowed: isAllowed, limits: limits)
    return transcript.failure.map { "\($0.step): \($0.message)" } ?? ""
  }

  /// The paths, sizes and dates of all beside the scenario folder.
  func state() throws -> [String] {
    try folder.names().map { name in
      let values = try FileManager.default.attributesOfItem(atPath: folder.url(name).path)
      return "\(name) \(values[.size] ?? 0) \(values[.modificationDate] ?? 0)"
    }
  }
}

extension Transcript {
  /// What its backups hold, each in a list of paths.
  var heldPaths: [[String]] {
    entries.compactMap { $0.event.backup?.contents.included.map(\.path.description) }
  }

  var verdicts: [String] {
    RuleList.findings(in: self).map { "\($0.rule) \($0.step) \($0.path?.description ?? "")" }
  }
}
