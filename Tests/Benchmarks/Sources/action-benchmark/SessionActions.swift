import BackupTesting
import Foundation
import Testing

/// Measures `perform` in a test without a scenario file.
enum SessionActions {
  /// What a call may cost, in scans.
  private static let limit = 3.0

  /// Performs again and again in one container; the first call, which stamps all items, only warms
  /// up.
  static func measure(rounds: Int, _ plain: FakeContainer) async throws -> Cost {
    let container = try FakeContainer()
    try Workload.fill(container)
    try await container.perform { try Workload.act(container) }
    var actions: [Double] = []
    var scans: [Double] = []
    for _ in 0..<rounds {
      scans.append(try ProcessTime.of { try plain.scan() })
      let start = ProcessTime.now
      try await container.perform { try Workload.act(container) }
      actions.append(ProcessTime.now - start)
    }
    try container.remove()
    return Cost(name: "a session's perform", actions: actions, scans: scans, limit: limit)
  }
}
