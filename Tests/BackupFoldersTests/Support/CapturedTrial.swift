import BackupDevice
import BackupFileTree
import BackupFolders
import BackupRules
import BackupScenarios
import BackupVerdicts
import Foundation
import TestSupport
import TrialSupport

/// A temporary folder with scenarios, and with the containers and backups that they start from.
struct CapturedTrial {
  /// The folder above the scenario folder.
  let folder: TestFolder

  /// Creates the folder with a captured container. Version 1 of the app saved a list, a movie that
  /// it forgot to mark, and a picture that it marked.
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

  /// The key `start` of a scenario that starts from the captured container.
  static let start = "start: { container: 'Fixtures/v1', marks: 'Fixtures/v1.list' }"

  /// Runs a scenario with these steps and other keys.
  func run(
    _ steps: [String], _ otherKeys: String = Self.start, isAllowed: Bool = true,
    reader: BackupReader? = .finder, limits: Scenario.RunLimits = Scenario.RunLimits()
  ) async throws -> Transcript {
    let text = "{ title: 'A trial', steps: [\n\(steps.joined(separator: ",\n"))\n], \(otherKeys) }"
    let scenario = try ScenarioReader.read(
      Array(text.utf8), id: "trial", file: folder.url("Scenarios/trial.json5").path,
      rules: RuleList.names)
    var runner = ScenarioRunner()
    if isAllowed { runner.permissions.insert(.folders) }
    runner.backupReader = reader
    runner.limits = limits
    return try await runner.run(scenario, scenario.variants[0])
  }

  /// Runs a scenario that starts from a container. Returns its failure; empty if it succeeds.
  func failure(
    _ start: String = Self.start, isAllowed: Bool = true,
    limits: Scenario.RunLimits = Scenario.RunLimits()
  ) async throws -> String {
    let transcript = try await run(
      ["{ backup: 'b' }"], start, isAllowed: isAllowed, limits: limits)
    return transcript.failure.map { "\($0.step): \($0.message)" } ?? ""
  }

  /// Returns the path, size and date of each item in the folder.
  func state() throws -> [String] {
    try folder.names().map { name in
      let values = try FileManager.default.attributesOfItem(atPath: folder.url(name).path)
      return "\(name) \(values[.size] ?? 0) \(values[.modificationDate] ?? 0)"
    }
  }
}

extension Transcript {
  /// The paths in each backup of the run.
  var backedUpPathLists: [[String]] {
    entries.compactMap { $0.event.backup?.contents.included.map(\.path.description) }
  }

  var verdicts: [String] {
    RuleList.findings(in: self).map { "\($0.rule) \($0.step) \($0.path?.description ?? "")" }
  }
}
