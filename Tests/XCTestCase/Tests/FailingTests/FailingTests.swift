import BackupTesting
import Testing
import XCTest

/// Tests of which each but the last has to fail; `.ci/run` looks for them by name.
final class FailingTests: XCTestCase {
  /// The scenario of an id.
  private func scenario(_ id: String) throws -> Scenario {
    try XCTUnwrap(Scenario.all(matching: id).first)
  }

  /// A finding that nobody expects fails the test at its line of the scenario file.
  func testScenario() async throws {
    await (try scenario("marked-once")).run()
  }

  /// What is no path of a container fails it at the call.
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
