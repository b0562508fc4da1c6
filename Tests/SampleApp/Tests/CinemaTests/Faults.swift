import Foundation

enum Faults {
  /// True if the tests of broken apps expect issues, and therefore pass.
  ///
  /// The script `report-agreement` compares the reports of both cases.
  static let areExpected = ProcessInfo.processInfo.environment["CINEMA_FAULTS"] != "unexpected"
}
