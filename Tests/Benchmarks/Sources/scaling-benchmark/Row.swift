import Foundation
import ProcessCost

/// A line of the table: what a series took for one n.
struct Row {
  /// The first line of the table.
  static let heading = line(
    "series", ["n", "seconds", "MB", "each", "time", "memory", "allocs"], "limit")

  let series: String
  let count: Int
  /// What it took; nil where it was left out, since it would have taken too long.
  var cost: ProcessCost?
  /// What it may take; nil for anything.
  var limit: SeriesLimit?
  /// How the cost grows, in the last row of a series.
  var growth: Growth?
  /// The most allocations for each of n; nil for any number.
  var mostAllocations: Double?

  /// A row of which nothing is known yet.
  init(series: String, count: Int) {
    self.series = series
    self.count = count
  }

  /// Whether it was measured, keeps to its limits, and ends a series that is linear.
  func passes(byAllocationsOnly: Bool) -> Bool {
    guard let cost, growth?.isLinear(byAllocationsOnly: byAllocationsOnly) != false else {
      return false
    }
    if let most = mostAllocations, let each = growth?.allocationsEach, each > most { return false }
    guard let limit, !byAllocationsOnly else { return true }
    return cost.seconds <= limit.seconds && cost.bytes <= limit.bytes
  }

  /// The row as the table has it.
  func text(byAllocationsOnly: Bool) -> String {
    let cells = [
      String(count), Self.text(cost?.seconds, "%.3f", if: true),
      Self.text(cost.map { $0.bytes / 1e6 }, "%.0f", if: true),
      Self.text(growth?.allocationsEach, "%.0f", if: growth != nil),
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

  /// A number, a dash where it is not known, or nothing where none is due.
  private static func text(_ number: Double?, _ format: String, if isDue: Bool) -> String {
    guard isDue else { return "" }
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
