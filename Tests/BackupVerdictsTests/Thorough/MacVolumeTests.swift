import TestSupport
import Testing
import TrialSupport

@testable import BackupContainer
@testable import BackupFileTree
@testable import BackupScenarios
@testable import BackupVerdicts

/// Runs the kit's own scenarios in directories on disk, and as if on a Mac. A Mac's volume treats
/// two spellings of a name as one name. It takes paths of at most 1023 bytes, of which the
/// container's own path needs 99. With `/private` in front, as the system returns it, the
/// container's path needs 107.
@Suite struct MacVolumeTests {
  /// The maximum number of bytes of a path in a container on a Mac.
  private static let longestPath = 1023 - 107 - 1

  @Test func `every scenario passes on disk too`() async throws {
    var suite = OwnSuite.suite
    suite.runner.alwaysUsesDirectory = true
    let failed = await suite.run(Thoroughness.every(4, of: try OwnSuite.scenarios)).filter {
      $0.verdict != .passed
    }
    #expect(failed.map(\.scenario.id) == [])
  }

  @Test func `every scenario passes on a Mac's volume`() async throws {
    var suite = OwnSuite.suite
    suite.goldens = nil
    suite.runner.alwaysUsesDirectory = true
    suite.runner.simulators.apply = { operation, container throws(FileOperation.Failure) in
      guard operation.path.bytes.count <= Self.longestPath else {
        throw FileOperation.Failure(.failed, operation.path, underlying: "too long for a Mac")
      }
      let directory = ContainerDirectory(roots: container.roots, volumeTraits: .usualOnMac)
      try directory.apply(operation)
    }
    let results = await suite.run(Thoroughness.every(4, of: try OwnSuite.scenarios))
    let failed = results.filter { $0.verdict != .passed }
    #expect(!results.isEmpty && failed.map(\.scenario.id) == [])
  }

  @Test func `a step cannot expect an error for a name that only a Mac refuses`() async throws {
    var runner = ScenarioRunner()
    runner.alwaysUsesDirectory = true
    runner.simulators.apply = { operation, container throws(FileOperation.Failure) in
      let directory = ContainerDirectory(roots: container.roots, volumeTraits: .usualOnMac)
      try directory.apply(operation)
    }
    let steps = ["{ save: 'tmp/a', size: 1 }", "{ save: 'tmp/A', size: 1, throws: true }"]
    let failure = try await Trial.transcript(steps, runner: runner).failure
    #expect(failure?.message.contains("treats them as one name") == true)
  }
}
