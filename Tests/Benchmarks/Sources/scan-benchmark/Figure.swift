import Foundation

/// One measured number with the limit that it has to keep.
struct Figure {
  let name: String
  let value: Double
  /// The most that may come out.
  let limit: Double
  /// What number and limit count, such as bytes.
  let unit: String

  /// Whether the limit is kept.
  var isKept: Bool { value <= limit }

  /// The number, the limit and the verdict on one line.
  var line: String {
    let name = name.padding(toLength: 46, withPad: " ", startingAt: 0)
    let numbers = String(format: "%7.2f, at most %6.2f", value, limit)
    return "\(name)\(numbers) \(unit): \(isKept ? "OK" : "FAILED")"
  }
}
