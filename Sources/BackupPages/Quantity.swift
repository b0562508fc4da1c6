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
