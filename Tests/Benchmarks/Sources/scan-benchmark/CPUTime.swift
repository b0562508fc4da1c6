import CTreeWalk

/// User and system time of this process. A busy machine changes it less than the elapsed time.
enum CPUTime {
  /// Returns the time of `body`, in seconds. The result of `body` is freed after the measurement.
  static func of<Result>(_ body: () throws -> Result) rethrows -> Double {
    let start = ctw_cpu_time()
    let result = try body()
    let time = ctw_cpu_time() - start
    return withExtendedLifetime(result) { Double(time) / 1e9 }
  }
}
