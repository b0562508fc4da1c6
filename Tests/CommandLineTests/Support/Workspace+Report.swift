#if os(macOS) || os(Linux)
import BackupReports
import Foundation
import TestSupport

@testable import BackupVerdicts

extension Workspace {
  /// What `run` reports of all scenarios, made in this process, with paths in this directory.
  func report(_ format: String, isStrict: Bool = false) async throws -> String {
    let (scenarios, mistaken) = try ScenarioFolder(path: url("Scenarios").path).read()
    var suite = ScenarioSuite(
      goldens: GoldenStore(folder: url("Golden").path), recordMode: .missing)
    suite.isStrict = isStrict
    let results = mistaken.isEmpty ? await suite.run(scenarios) : []
    let report = SuiteReport(
      mistaken.map { ScenarioReport($0) } + results.map { ScenarioReport($0, withRuns: true) })
    return try SuiteReport.formats.format(named: format).write(report)
      .replacing(folder.path + "/", with: "")
  }
}
#endif
