/// The extensions of an app: each is a process of its own, with launches of its own.
struct RunningExtensions: Sendable {
  /// Those that run, by identifier.
  private(set) var running: [String: any RunningApp] = [:]
  /// Which launch of each begins.
  private(set) var starting: [String: Int] = [:]

  /// Notes that a launch of an extension begins, and ends the one that ran.
  mutating func begin(_ identifier: String, launch number: Int) {
    running.removeValue(forKey: identifier)?.end()
    starting[identifier] = number
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
