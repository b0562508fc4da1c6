import Foundation
import ProcessCost

/// The growth of the cost of a series with n, as exponents of n.
struct Growth: Sendable {
  /// The largest exponent that counts as linear. It allows for noise and logarithmic factors.
  static let largestExponent = 1.2
  /// The shortest measurable time, in seconds.
  private static let leastSeconds = 0.002
  /// The least measurable memory, in bytes. Reading a file can leave this much memory unused.
  private static let leastBytes = 8e6

  /// The cost of an empty run.
  let base: ProcessCost
  /// The measured costs, in the order of n.
  private(set) var costs: [(count: Int, cost: ProcessCost)] = []

  init(base: ProcessCost) {
    self.base = base
  }

  /// Adds the cost for the next larger n.
  mutating func add(_ cost: ProcessCost, for count: Int) {
    costs.append((count, cost))
  }

  /// The exponent of the time from the smallest n to the largest; nil if there is only one n.
  var timeExponent: Double? {
    exponent { max($0.seconds - base.seconds, Self.leastSeconds) }
  }

  /// The exponent of the memory.
  ///
  /// With three values of n, it compares the two increases from one n to the next. Memory that each
  /// run of the series needs does not affect the increases. With fewer values, it compares the
  /// memory itself, as ``timeExponent`` compares the time.
  var memoryExponent: Double? {
    guard costs.count > 2 else { return exponent { max($0.bytes - base.bytes, Self.leastBytes) } }
    let lastCosts = costs.suffix(3)
    let increases = zip(lastCosts, lastCosts.dropFirst()).map { smaller, larger in
      (
        count: Double(larger.count - smaller.count),
        bytes: max(larger.cost.bytes - smaller.cost.bytes, Self.leastBytes)
      )
    }
    return log(increases[1].bytes / increases[0].bytes)
      / log(increases[1].count / increases[0].count)
  }

  /// The exponent of the number of allocations or of their bytes, whichever is larger; nil if they
  /// were not counted.
  var allocationExponent: Double? {
    guard let base = base.allocations, costs.allSatisfy({ $0.cost.allocations != nil }) else {
      return nil
    }
    let count = exponent { max(1, ($0.allocations?.count ?? 0) - base.count) }
    let bytes = exponent { max(1, ($0.allocations?.bytes ?? 0) - base.bytes) }
    return [count, bytes].compactMap(\.self).max()
  }

  /// The number of allocations divided by n, at the largest n.
  var allocationsPerN: Double? {
    guard let base = base.allocations, let last = costs.last, let total = last.cost.allocations
    else { return nil }
    return (total.count - base.count) / Double(last.count)
  }

  /// Returns true if all known exponents count as linear, or only that of the allocations.
  func isLinear(byAllocationsOnly: Bool) -> Bool {
    let measured = byAllocationsOnly ? [] : [timeExponent, memoryExponent]
    return (measured + [allocationExponent]).allSatisfy { $0 ?? 0 <= Self.largestExponent }
  }

  /// Returns the expected time for a larger n, in seconds.
  func forecast(for count: Int) -> Double {
    guard let last = costs.last else { return 0 }
    return last.cost.seconds * pow(Double(count) / Double(last.count), timeExponent ?? 1)
  }

  /// Returns the exponent of n by which a measure grows from the smallest n to the largest.
  private func exponent(_ measure: (ProcessCost) -> Double) -> Double? {
    guard let first = costs.first, let last = costs.last, last.count > first.count else {
      return nil
    }
    return log(measure(last.cost) / measure(first.cost))
      / log(Double(last.count) / Double(first.count))
  }
}
