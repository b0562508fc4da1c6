import BackupDiagnostics
package import BackupVerdicts
import Foundation

extension SuiteReport {
  /// Reads a report from the JSON of results, which may be from an untrusted source.
  package init(results bytes: [UInt8]) throws {
    self = try JSONDecoder().decode(SuiteReport.self, from: Data(bytes))
    guard hasSmallNumbers else { throw CocoaError(.fileReadCorruptFile) }
  }

  /// True if all numbers are so small that no sum in a report overflows.
  private var hasSmallNumbers: Bool {
    let allowedNumbers = 0...1_000_000_000
    return allowedNumbers.contains(unselectedScenarioCount)
      && scenarios.allSatisfy { scenario in
        let explorationCounts = scenario.exploration.map { [$0.crashPoints, $0.traces] } ?? []
        return allowedNumbers.contains(scenario.runCount)
          && (0...1e9).contains(scenario.seconds ?? 0)
          && explorationCounts.allSatisfy(allowedNumbers.contains)
          && scenario.problems.allSatisfy {
            allowedNumbers.contains($0.position.line) && allowedNumbers.contains($0.position.column)
          }
      }
  }
}
