import BackupDiagnostics
package import BackupVerdicts
import Foundation

extension SuiteReport {
  /// Reads a report from results in JSON, which may be from an untrusted source.
  package init(results bytes: [UInt8]) throws {
    self = try JSONDecoder().decode(SuiteReport.self, from: Data(bytes))
    guard hasUsualNumbers else { throw CocoaError(.fileReadCorruptFile) }
  }

  /// True if the numbers are so small that no sum in a report overflows.
  private var hasUsualNumbers: Bool {
    let usual = 0...1_000_000_000
    return usual.contains(leftOutCount)
      && scenarios.allSatisfy { scenario in
        let explored = scenario.exploration.map { [$0.crashPoints, $0.traces] } ?? []
        return usual.contains(scenario.runCount) && (0...1e9).contains(scenario.seconds ?? 0)
          && explored.allSatisfy(usual.contains)
          && scenario.problems.allSatisfy {
            usual.contains($0.position.line) && usual.contains($0.position.column)
          }
      }
  }
}
