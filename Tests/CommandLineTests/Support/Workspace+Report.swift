#if os(macOS) || os(Linux)
import BackupReports
import Foundation
import TestSupport

@testable import BackupVerdicts

extension Workspace {
  /// Runs all scenarios in this process, and returns the report. Paths in it are relative to the
  /// workspace.
  func report(_ format: String, isStrict: Bool = false) async throws -> String {
    let (scenarios, invalidFiles) = try ScenarioFolder(path: url("Scenarios").path).read()
    var suite = ScenarioSuite(
      goldens: GoldenStore(folder: url("Golden").path), recordMode: .missing)
    suite.isStrict = isStrict
    let results = invalidFiles.isEmpty ? await suite.run(scenarios) : []
    let report = SuiteReport(
      invalidFiles.map { ScenarioReport($0) } + results.map { ScenarioReport($0, withRuns: true) })
    return try SuiteReport.formats.format(named: format).text(report)
      .replacing(folder.path + "/", with: "")
  }
}
#endif
