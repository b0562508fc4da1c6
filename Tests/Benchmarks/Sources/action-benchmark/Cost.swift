import Foundation

/// The user and system time of this process.
enum ProcessTime {
  /// The time from the start of the process until now, in seconds.
  static var now: Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  /// Returns the time of some work, in seconds. The work's result is freed after the measurement.
  static func of<Result>(_ work: () throws -> Result) rethrows -> Double {
    let start = now
    let result = try work()
    let time = now - start
    return withExtendedLifetime(result) { time }
  }
}

/// The cost of one kind of action, compared with a scan.
struct Cost: CustomStringConvertible {
  let name: String
  /// The time of each action, in seconds.
  let actions: [Double]
  /// The time of each scan, in seconds.
  let scans: [Double]
  /// The largest allowed ``ratio``; nil for no limit.
  let limit: Double?

  /// The cost of an action in scans.
  var ratio: Double { (actions.min() ?? .infinity) / (scans.min() ?? 0) }

  var isKept: Bool { limit.map { ratio <= $0 } ?? true }

  /// A line of the report.
  var description: String {
    let times = [actions, scans].map { String(format: "%7.2f ms", ($0.min() ?? 0) * 1000) }
    let verdict = limit.map { "limit \($0) scans  \(isKept ? "OK" : "FAILED")" } ?? "no limit"
    return name.padding(toLength: 42, withPad: " ", startingAt: 0) + times[0] + ", scan" + times[1]
      + String(format: " %5.2f scans  ", ratio) + verdict
  }
}
