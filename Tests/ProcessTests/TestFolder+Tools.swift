#if os(macOS) || os(Linux)
import BackupScenarios
import BackupVerdicts
import Foundation
import TestSupport

@testable import BackupRules

extension TestFolder {
  /// A scenario whose file would be in the subfolder `Scenarios`.
  func scenario(
    _ steps: String, launch: String = "", id: String = "scenario"
  ) throws -> Scenario {
    try Scenario(
      text: "{ title: 'Tools', launch: [\(launch)], steps: [\(steps)] }", id: id,
      file: "\(path)/Scenarios/\(id).json5")
  }

  /// Runs the first variant of a scenario with these steps.
  func run(
    _ steps: String, launch: String = "", id: String = "scenario", isAllowed: Bool = true
  ) async throws -> Transcript {
    let scenario = try scenario(steps, launch: launch, id: id)
    let runner = ScenarioRunner(allowsProcesses: isAllowed)
    return try await runner.run(scenario, scenario.variants[0])
  }
}

extension TestFolder {
  /// Creates the file `output`, to which a process can print.
  func openOutput() -> FileHandle {
    _ = FileManager.default.createFile(atPath: path + "/output", contents: nil)
    return FileHandle(forUpdatingAtPath: path + "/output") ?? .nullDevice
  }
}

/// A `run` step with a shell script. The text `keys` has further keys of the step.
func shell(_ script: String, _ keys: String = "") throws -> String {
  let text = String(decoding: try JSONEncoder().encode(script), as: UTF8.self)
  return "{ run: ['/bin/sh', '-c', \(text)], \(keys) },"
}

extension Transcript {
  /// The output of each tool, in the order of the steps.
  var outputs: [String] {
    entries.compactMap { if case .output(let text) = $0.event { text } else { nil } }
  }

  /// The lines of the first tool's output.
  var lines: [String] { (outputs.first ?? "").split(separator: "\n").map(String.init) }
}
#endif
