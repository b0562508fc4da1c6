#if os(macOS) || os(Linux)
import BackupExploring
import Foundation
import TestSupport
import Testing

@testable import BackupDevice
@testable import BackupScenarios
@testable import BackupTesting
@testable import BackupVerdicts

extension StandardAppTests {
  /// The scenarios that are explored, the quickest first.
  static let explored = Thoroughness.every(3, of: ["launch", "offline", "temporary"])

  @Test(arguments: explored)
  func `exploration reports nothing on a right app`(_ id: String) async throws {
    let app = ShelfApp<OwnPlace, Faultless>.self
    let scenarios = try StandardSuite.scenarios(for: app)
    let scenario = try #require(scenarios.first { $0.id == id })
    let result = try #require(await StandardSuite.explore(scenario, for: app))
    #expect(result.verdict == .passed)
  }
}
#endif
