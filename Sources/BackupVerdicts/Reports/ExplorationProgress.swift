import BackupContainer
import BackupDiagnostics
package import BackupExploration
package import BackupScenarios
import Foundation

/// How far exploration has come, said now and then to whoever waits at a terminal.
package enum ExplorationProgress {
  /// A line on standard error every few seconds; nothing if that is no terminal.
  package static func onTerminal() -> @Sendable (Scenario, ExplorationCounts) -> Void {
    guard isatty(STDERR_FILENO) == 1 else { return { _, _ in } }
    return lines(every: .seconds(3), uptime: { start.duration(to: .now) }) { line in
      try? FileHandle.standardError.write(contentsOf: Data(line.utf8))
    }
  }

  private static let start = SuspendingClock.now

  /// What is called at each trace, and prints at most one line in an interval; tests put another
  /// clock and output in their places.
  static func lines(
    every interval: Duration, uptime: @escaping @Sendable () -> Duration,
    print: @escaping @Sendable (String) -> Void
  ) -> @Sendable (Scenario, ExplorationCounts) -> Void {
    let next = Locked(uptime() + interval)
    return { scenario, counts in
      let now = uptime()
      let isDue = next.withLock { next in
        defer { if now >= next { next = now + interval } }
        return now >= next
      }
      guard isDue else { return }
      let traces = counts.traces.counted("trace")
      print("exploring \(scenario.id.shown): \(traces) so far\n")
    }
  }
}
