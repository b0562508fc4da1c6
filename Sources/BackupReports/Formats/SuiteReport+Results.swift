import BackupDiagnostics
package import BackupVerdicts
import Foundation

extension SuiteReport {
  /// Reads a report from results in JSON, which may be from an untrusted source.
  package init(results bytes: [UInt8]) throws {
    self = try JSONDecoder().decode(SuiteReport.self, from: Data(bytes))
    // Reports add some of the numbers. No such sum overflows if that of all numbers does not.
    let json = try JSONSerialization.jsonObject(with: Data(bytes))
    guard Self.sum(json) < 9e18 else { throw CocoaError(.fileReadCorruptFile) }
  }

  private static func sum(_ json: Any) -> Double {
    switch json {
    case let list as [Any]: list.reduce(0) { $0 + sum($1) }
    case let object as [String: Any]: object.values.reduce(0) { $0 + sum($1) }
    case let number as NSNumber: abs(number.doubleValue)
    default: 0
    }
  }
}
