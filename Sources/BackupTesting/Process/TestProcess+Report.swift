import BackupScenarios
import BackupVerdicts
import Testing

extension TestProcess {
  /// Begins the report that the environment asks for, where files could not be read with these.
  ///
  /// Where it cannot be written, the first scenario that runs says so.
  func beginReport(with mistaken: [MistakenFile]) {
    try? report.get()?.begin(with: mistaken)
  }

  /// Adds what came of a scenario to the report that the environment asks for, and records an issue
  /// the first time that this cannot be done.
  ///
  /// - Parameters:
  ///   - result: What came of it.
  ///   - folder: The scenario folder, where its golden files are at their usual place.
  ///   - sourceLocation: Where the issue is shown.
  func add(
    _ result: ScenarioResult, from folder: String?, at sourceLocation: SourceLocation
  ) async {
    do throws(RunError) {
      try await report.get()?.add(result, from: folder)
    } catch {
      let isKnown = isReportMissed.withLock { isMissed in
        defer { isMissed = true }
        return isMissed
      }
      guard !isKnown else { return }
      TestIssue.record("\(ProcessReport.environmentVariable): \(error)", at: sourceLocation)
    }
  }
}
