import Foundation
import ProcessCost

/// How the cost of a series grows.
struct Growth: Sendable {
  /// The largest exponent that is linear enough: 1.2, the room is for noise and logarithms.
  static let largestExponent = 1.2
  /// Less time than this, in seconds, cannot be told from none.
  private static let leastSeconds = 0.002
  /// Less memory than this, in bytes, cannot be told from none: reading a file leaves as much
  /// unused.
  private static let leastBytes = 8e6

  /// What an empty run takes.
  let base: ProcessCost
  /// What was measured, by n in rising order.
  private(set) var costs: [(count: Int, cost: ProcessCost)] = []

  /// A series of which nothing is measured yet.
  init(base: ProcessCost) {
    self.base = base
  }

  /// Adds what the next larger n takes.
  mutating func add(_ cost: ProcessCost, for count: Int) {
    costs.append((count, cost))
  }

  /// The exponent of the time from the smallest n to the largest; nil where there is but one.
  var timeExponent: Double? {
    exponent { max($0.seconds - base.seconds, Self.leastSeconds) }
  }

  /// The exponent of the memory: of three sizes by what each takes more than the one before, so
  /// that what any run of the series takes and may use again does not count; else as that of the
  /// time.
  var memoryExponent: Double? {
    guard costs.count > 2 else { return exponent { max($0.bytes - base.bytes, Self.leastBytes) } }
    let sizes = costs.suffix(3)
    let more = zip(sizes, sizes.dropFirst()).map { smaller, larger in
      (
        count: Double(larger.count - smaller.count),
        bytes: max(larger.cost.bytes - smaller.cost.bytes, Self.leastBytes)
      )
    }
    return log(more[1].bytes / more[0].bytes) / log(more[1].count / more[0].count)
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

  /// The number of allocations for each of n, at the largest n.
  var allocationsEach: Double? {
    guard let base = base.allocations, let last = costs.last, let most = last.cost.allocations
    else { return nil }
    return (most.count - base.count) / Double(last.count)
  }

  /// Whether the exponents are linear enough, as far as they are known: all, or that of the
  /// allocations alone.
  func isLinear(byAllocationsOnly: Bool) -> Bool {
    let measured = byAllocationsOnly ? [] : [timeExponent, memoryExponent]
    return (measured + [allocationExponent]).allSatisfy { $0 ?? 0 <= Self.largestExponent }
  }

  /// How many seconds a larger n is likely to take.
  func forecast(for count: Int) -> Double {
    guard let last = costs.last else { return 0 }
    return last.cost.seconds * pow(Double(count) / Double(last.count), timeExponent ?? 1)
  }

  /// By which power of n a measure grows.
  private func exponent(_ measure: (ProcessCost) -> Double) -> Double? {
    guard let first = costs.first, let last = costs.last, last.count > first.count else {
      return nil
    }
    return log(measure(last.cost) / measure(first.cost))
      / log(Double(last.count) / Double(first.count))
  }
}
