import BackupDiagnostics
package import BackupVerdicts
import Foundation

extension SuiteReport {
  /// Reads a report from results in JSON, which may be from an untrusted source.
  package init(results bytes: [UInt8]) throws {
    self = try JSONDecoder().decode(SuiteReport.self, from: Data(bytes))
    let json = try JSONSerialization.jsonObject(with: Data(bytes))
    guard Self.hasUsualNumbers(json) else { throw CocoaError(.fileReadCorruptFile) }
  }

  /// The keys of sums of file sizes, which may be larger; no report adds them.
  private static let keysOfSizes: Set = ["bytes", "byClass"]

  /// No sum of such numbers overflows.
  private static func hasUsualNumbers(_ json: Any) -> Bool {
    switch json {
    case let list as [Any]: list.allSatisfy(hasUsualNumbers)
    case let object as [String: Any]:
      object.allSatisfy { keysOfSizes.contains($0.key) || hasUsualNumbers($0.value) }
    case let number as NSNumber: abs(number.doubleValue) <= 1e15
    default: true
    }
  }
}
