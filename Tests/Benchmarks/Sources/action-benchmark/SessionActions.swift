import BackupTesting
import Foundation
import Testing

/// Measures `perform` in a test without a scenario file.
enum SessionActions {
  /// The most that a call may cost, in scans.
  private static let limit = 3.0

  /// Measures many calls in one container. The first call is not measured, because it stamps all
  /// items.
  static func measure(rounds: Int, _ scannedContainer: FakeContainer) async throws -> Cost {
    let container = try FakeContainer()
    try Workload.fill(container)
    try await container.perform { try Workload.act(container) }
    var actions: [Double] = []
    var scans: [Double] = []
    for _ in 0..<rounds {
      scans.append(try ProcessTime.of { try scannedContainer.scan() })
      let start = ProcessTime.now
      try await container.perform { try Workload.act(container) }
      actions.append(ProcessTime.now - start)
    }
    try container.remove()
    return Cost(name: "a session's perform", actions: actions, scans: scans, limit: limit)
  }
}
