import BackupScenarios
import BackupVerdicts
import Foundation

@testable import BackupRules

/// A folder with tools, beside a scenario folder that is not there and need not be.
final class ToolFolder {
  /// The folder.
  let url: URL

  /// Makes the folder.
  init() throws {
    url = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appendingPathComponent("run-step-tests-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit {
    try? FileManager.default.removeItem(at: url)
  }

  /// Writes a file.
  func write(_ text: String, to name: String, permissions: Int = 0o644) throws {
    let file = url.appendingPathComponent(name)
    try Data(text.utf8).write(to: file)
    try FileManager.default.setAttributes(
      [.posixPermissions: permissions], ofItemAtPath: file.path)
  }

  /// A scenario whose file would be in `Scenarios` here.
  func scenario(
    _ steps: String, launch: String = "", id: String = "scenario"
  ) throws -> Scenario {
    try Scenario(
      text: "{ title: 'Tools', launch: [\(launch)], steps: [\(steps)] }", id: id,
      file: "\(url.path)/Scenarios/\(id).json5")
  }

  /// Runs a scenario's steps.
  func run(
    _ steps: String, launch: String = "", id: String = "scenario", isAllowed: Bool = true
  ) async throws -> Transcript {
    let scenario = try scenario(steps, launch: launch, id: id)
    let runner = ScenarioRunner(allowsProcesses: isAllowed)
    return try await runner.run(scenario, scenario.variants[0])
  }
}

/// A step that runs a shell script.
func shell(_ script: String, _ keys: String = "") throws -> String {
  let text = String(decoding: try JSONEncoder().encode(script), as: UTF8.self)
  return "{ run: ['/bin/sh', '-c', \(text)], \(keys) },"
}

extension Transcript {
  /// What the tools printed, one after the other.
  var outputs: [String] {
    entries.compactMap { if case .output(let text) = $0.event { text } else { nil } }
  }

  /// The lines that the first tool printed.
  var lines: [String] { (outputs.first ?? "").split(separator: "\n").map(String.init) }
}
