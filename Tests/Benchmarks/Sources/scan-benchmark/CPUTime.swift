import CTreeWalk

/// User and system time of this process, which a busy machine lengthens less than the time of day.
enum CPUTime {
  /// How many seconds `body` takes; what it returns lives until the clock has stopped.
  static func of<Result>(_ body: () throws -> Result) rethrows -> Double {
    let start = ctw_cpu_time()
    let result = try body()
    let time = ctw_cpu_time() - start
    return withExtendedLifetime(result) { Double(time) / 1e9 }
  }
}
