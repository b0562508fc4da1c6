import Foundation
import ProcessCost

/// A row of the table: the cost of a series for one n.
struct Row {
  static let heading = line(
    "series", ["n", "seconds", "MB", "each", "time", "memory", "allocs"], "limit")

  let series: String
  /// The value of n.
  let count: Int
  /// The cost; nil if the run was skipped, because it would have taken too long.
  var cost: ProcessCost?
  /// The limit of the cost; nil for no limit.
  var limit: SeriesLimit?
  /// The growth of the cost; nil except in the last row of a series.
  var growth: Growth?
  /// The largest allowed number of allocations divided by n; nil for no limit.
  var mostAllocations: Double?

  init(series: String, count: Int) {
    self.series = series
    self.count = count
  }

  /// Returns true if the run was not skipped, is within its limits, and has no growth above linear.
  func passes(byAllocationsOnly: Bool) -> Bool {
    guard let cost, growth?.isLinear(byAllocationsOnly: byAllocationsOnly) != false else {
      return false
    }
    if let most = mostAllocations, let each = growth?.allocationsPerN, each > most { return false }
    guard let limit, !byAllocationsOnly else { return true }
    return cost.seconds <= limit.seconds && cost.bytes <= limit.bytes
  }

  func text(byAllocationsOnly: Bool) -> String {
    let cells = [
      String(count), Self.text(cost?.seconds, "%.3f", if: true),
      Self.text(cost.map { $0.bytes / 1e6 }, "%.0f", if: true),
      Self.text(growth?.allocationsPerN, "%.0f", if: growth != nil),
      Self.text(growth?.timeExponent, "n^%.2f", if: growth != nil),
      Self.text(growth?.memoryExponent, "n^%.2f", if: growth != nil),
      Self.text(growth?.allocationExponent, "n^%.2f", if: growth != nil),
    ]
    let limits = [
      growth.map { _ in "n^\(Growth.largestExponent)" },
      growth.flatMap { _ in mostAllocations.map { String(format: "%g each", $0) } },
      limit.map { String(format: "%g s, %g MB", $0.seconds, $0.bytes / 1e6) },
    ]
    let verdict =
      passes(byAllocationsOnly: byAllocationsOnly) ? (growth == nil ? "" : "OK") : "FAILED"
    return Self.line(
      series, cells, limits.compactMap(\.self).joined(separator: ", "),
      verdict)
  }

  /// Returns a number as text, a dash if it is nil, or an empty text if the cell stays empty.
  private static func text(_ number: Double?, _ format: String, if isShown: Bool) -> String {
    guard isShown else { return "" }
    return number.map { String(format: format, $0) } ?? "-"
  }

  private static func line(
    _ name: String, _ cells: [String], _ limit: String, _ verdict: String = ""
  ) -> String {
    let columns = cells.map { String(repeating: " ", count: max(0, 9 - $0.count)) + $0 }
    return name.padding(toLength: 30, withPad: " ", startingAt: 0) + columns.joined()
      + "  " + limit.padding(toLength: 22, withPad: " ", startingAt: 0) + verdict
  }
}
