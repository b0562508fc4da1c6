import BackupTesting
import Testing
import XCTest

/// `.ci/xctest` checks by their names that all these tests fail, except the last.
final class FailingTests: XCTestCase {
  /// The scenario with an id.
  private func scenario(_ id: String) throws -> Scenario {
    try XCTUnwrap(Scenario.all(matching: id).first)
  }

  /// A finding that nobody expects fails the test at its line of the scenario file.
  func testScenario() async throws {
    await (try scenario("marked-once")).run()
  }

  /// A path outside the container fails the test at the call.
  func testContainer() throws {
    let container = try FakeContainer()
    try container.beginSession(SessionConfiguration(profile: XCTUnwrap(SystemProfile.newest)))
    XCTAssertFalse(try container.backUp().contains("../outside"))
  }

  /// A scenario that is right passes.
  func testRightScenario() async throws {
    await (try scenario("marked-again")).run()
  }
}
