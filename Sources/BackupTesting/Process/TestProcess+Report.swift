import BackupScenarios
import BackupVerdicts
import Foundation
import Testing

extension TestProcess {
  /// Begins the report that the environment asks for, where files could not be read with these.
  ///
  /// Where it cannot be written, the first scenario that runs says so; where files could not be
  /// read none may run, and it is said on standard error.
  func beginReport(with mistaken: [MistakenFile]) {
    do throws(RunError) {
      try report.get()?.add(mistaken: mistaken)
    } catch {
      guard !mistaken.isEmpty else { return }
      let text = "error: \(ProcessReport.environmentVariable): \(error)\n"
      try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
  }

  /// Adds what came of a scenario to the report that the environment asks for, and records an issue
  /// the first time that this cannot be done.
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
