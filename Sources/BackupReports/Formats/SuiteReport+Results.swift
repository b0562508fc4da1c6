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
    let allowed = 0...1_000_000_000
    return allowed.contains(leftOutCount)
      && scenarios.allSatisfy { scenario in
        let explored = scenario.exploration.map { [$0.crashPoints, $0.traces] } ?? []
        return allowed.contains(scenario.runCount) && (0...1e9).contains(scenario.seconds ?? 0)
          && explored.allSatisfy(allowed.contains)
          && scenario.problems.allSatisfy {
            allowed.contains($0.position.line) && allowed.contains($0.position.column)
          }
      }
  }
}
