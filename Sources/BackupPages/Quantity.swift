extension BinaryInteger {
  /// The number with a comma before each three digits: `1,234,567`.
  var grouped: String {
    let digits = String(self)
    var grouped = ""
    for (index, digit) in digits.enumerated() {
      if index > 0, (digits.count - index) % 3 == 0, grouped.last != "-" { grouped += "," }
      grouped.append(digit)
    }
    return grouped
  }
}

extension Int64 {
  /// So many bytes in the unit that suits them: `1 byte`, `710.0 MB`.
  var bytesInWords: String {
    guard self >= 1000 else { return self == 1 ? "1 byte" : "\(self) bytes" }
    let units = ["kB", "MB", "GB", "TB"]
    var (value, unit) = (Double(self) / 1000, 0)
    while value >= 999.95, unit < units.count - 1 { (value, unit) = (value / 1000, unit + 1) }
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(tenths % 10) \(units[unit])"
  }
}
