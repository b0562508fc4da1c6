/// Numbers by which values are known, the same for equal ones.
struct Numbering<Value: Hashable & Sendable>: Sendable {
  /// The numbers.
  private var numbers: [Value: Int] = [:]
  /// The values, by their numbers.
  private var values: [Value] = []

  /// The number of a value.
  mutating func number(of value: Value) -> Int {
    if let number = numbers[value] { return number }
    numbers[value] = values.count
    values.append(value)
    return values.count - 1
  }

  /// The value that has a number.
  subscript(number: Int) -> Value { values[number] }
}
