/// Numbers as a page shows them.
enum Quantity {
  /// Units of powers of 1000, from the second on.
  private static let units = ["kB", "MB", "GB", "TB"]

  /// A number of bytes in the unit that suits it: `1 byte`, `710.0 MB`.
  static func inWords(bytes: Int64) -> String {
    guard bytes >= 1000 else { return bytes == 1 ? "1 byte" : "\(bytes) bytes" }
    var (value, unit) = (Double(bytes) / 1000, 0)
    while value >= 999.95, unit < units.count - 1 { (value, unit) = (value / 1000, unit + 1) }
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) \(units[unit])"
  }

  /// A number with a comma before each three digits: `1,234,567`.
  static func grouped(_ number: some BinaryInteger) -> String {
    let digits = String(number)
    var grouped = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0, grouped.last != "-" { grouped += "," }
      grouped.append(digit)
    }
    return grouped
  }
}
