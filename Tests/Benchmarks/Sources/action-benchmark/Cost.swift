import Foundation

/// The time that this process has had of a processor, its own and the system's for it.
enum ProcessTime {
  /// The time until now, in seconds.
  static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// How long some work takes, in seconds; what it makes is given up when the clock has stopped.
  static func of<Result>(_ work: () throws -> Result) rethrows -> Double {
    let start = now
    let result = try work()
    let time = now - start
    return withExtendedLifetime(result) { time }
  }
}

/// What one kind of action costs, beside a plain scan.
struct Cost: CustomStringConvertible {
  let name: String
  /// The time of each action, in seconds.
  let actions: [Double]
  /// The time of each scan, in seconds.
  let scans: [Double]
  /// How many scans it may cost; nil where that is only told.
  let limit: Double?

  /// How many scans it costs.
  var ratio: Double { (actions.min() ?? .infinity) / (scans.min() ?? 0) }

  /// Whether it costs no more than it may.
  var isKept: Bool { limit.map { ratio <= $0 } ?? true }

  /// A line of the report.
  var description: String {
    let times = [actions, scans].map { String(format: "%7.2f ms", ($0.min() ?? 0) * 1000) }
    let verdict = limit.map { "limit \($0) scans  \(isKept ? "OK" : "FAILED")" } ?? "no limit"
    return name.padding(toLength: 42, withPad: " ", startingAt: 0) + times[0] + ", scan" + times[1]
      + String(format: " %5.2f scans  ", ratio) + verdict
  }
}
