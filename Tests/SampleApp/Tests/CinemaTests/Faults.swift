import Foundation

enum Faults {
  /// Whether the tests of broken apps expect their issues, and so pass. The script
  /// `report-agreement` compares what reports have of them in both cases.
  static let areExpected = ProcessInfo.processInfo.environment["CINEMA_FAULTS"] != "unexpected"
}
