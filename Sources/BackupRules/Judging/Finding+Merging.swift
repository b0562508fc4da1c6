import BackupCollections
package import BackupDevice
import BackupDiagnostics
package import BackupScenarios

extension Scenario.Finding {
  /// A finding in the words of one run.
  package typealias OfRun = (system: SystemVersion, finding: Scenario.Finding)

  /// One finding in place of those that several runs have alike, with words that hold for all or
  /// say for which systems they hold; nil for none.
  package static func merged(_ findings: [OfRun]) -> Scenario.Finding? {
    guard var merged = findings.first?.finding else { return nil }
    let messages = findings.grouped(by: \.finding.message)
    if messages.count > 1 { merged.message = "\(systems(messages[0])): \(merged.message)" }
    let advice = findings.grouped(by: \.finding.advice)
    if advice.count > 1 {
      merged.advice = advice.map { same in
        "\(systems(same)): \(same.first?.finding.advice ?? "")"
      }.joined(separator: "; ")
    }
    return merged
  }

  /// `under iOS 5.0 and 5.0.1`, the systems of some findings.
  private static func systems(_ findings: [OfRun]) -> String {
    let versions = findings.map(\.system.description).grouped { $0 }.compactMap(\.first)
    return "under iOS \(versions.joinedInWords)"
  }
}
