/// A version of iOS, such as 5.0.1 or 18. The versions 5 and 5.0 are equal.
///
/// ```swift
/// SystemVersion("5.0")?.description  // "5.0"
/// SystemVersion("5.0") == SystemVersion("5")  // true
/// SystemVersion("05")  // nil
/// ```
public struct SystemVersion: Hashable, Sendable, Comparable, CustomStringConvertible {
  /// The numbers without the zeros at the end: 5 for `5.0`.
  private let numbers: [Int]
  /// The version as Apple writes it.
  private let text: String

  /// Creates a version from one to three numbers with dots between them, such as `5.0.1`. Returns
  /// nil for any other text.
  ///
  /// - Parameter text: Numbers of at most four digits without leading zeros. The version's
  ///   description is this text.
  public init?(_ text: String) {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    let numbers = parts.compactMap(Self.number)
    guard (1...3).contains(parts.count), numbers.count == parts.count else { return nil }
    self.text = text
    self.numbers = Array(numbers.reversed().drop { $0 == 0 }.reversed())
  }

  /// Returns a number of at most four digits without leading zeros, or nil for any
  /// other text.
  private static func number(_ digits: Substring) -> Int? {
    let isPlain = digits.utf8.count <= 4 && digits.utf8.allSatisfy { (0x30...0x39).contains($0) }
    return isPlain && (digits == "0" || digits.first != "0") ? Int(digits) : nil
  }

  /// Returns whether both are the same version, as `5` and `5.0` are.
  public static func == (left: SystemVersion, right: SystemVersion) -> Bool {
    left.numbers == right.numbers
  }

  /// Hashes the values that `==` compares.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(numbers)
  }

  /// Returns whether the left version came out before the right one.
  public static func < (left: SystemVersion, right: SystemVersion) -> Bool {
    left.numbers.lexicographicallyPrecedes(right.numbers)
  }

  /// The version without the system's name: `5.0.1`.
  public var description: String { text }
}
