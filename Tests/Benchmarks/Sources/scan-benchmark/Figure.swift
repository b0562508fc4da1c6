import Foundation

/// A measured value and its limit.
struct Figure {
  let name: String
  let value: Double
  /// The largest allowed value.
  let limit: Double
  /// The unit of the value and the limit, for example `times a scan`.
  let unit: String

  /// True if the value is within its limit.
  var isKept: Bool { value <= limit }

  /// The value, the limit and the verdict on one line.
  var line: String {
    let name = name.padding(toLength: 46, withPad: " ", startingAt: 0)
    let numbers = String(format: "%7.2f, at most %6.2f", value, limit)
    return "\(name)\(numbers) \(unit): \(isKept ? "OK" : "FAILED")"
  }
}
