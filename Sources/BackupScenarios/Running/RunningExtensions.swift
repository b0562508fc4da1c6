/// The extensions of an app: each is a process of its own, with launches of its own.
struct RunningExtensions: Sendable {
  /// Those that run, by identifier.
  private(set) var running: [String: any RunningApp] = [:]
  /// Which launch of each begins.
  private(set) var starting: [String: Int] = [:]
  /// How often each was started.
  private(set) var launchCounts: [String: Int] = [:]

  /// Notes that an extension is started, and ends the one that ran.
  mutating func countLaunch(of identifier: String) {
    running.removeValue(forKey: identifier)?.end()
    launchCounts[identifier, default: 0] += 1
    starting[identifier] = launchCounts[identifier]
  }

  mutating func keep(_ running: any RunningApp, of identifier: String) {
    self.running[identifier] = running
  }

  /// Notes that a launch of an extension is at its end, or could not begin.
  mutating func endStarting(_ identifier: String, ofLaunch number: Int) {
    if starting[identifier] == number { starting[identifier] = nil }
  }

  mutating func end() {
    for running in running.values { running.end() }
    leave()
  }

  /// Goes on without them, which another run has.
  mutating func leave() {
    running = [:]
    starting = [:]
  }
}
