import TestSupport
import Testing
import TrialSupport

@testable import BackupContainer
@testable import BackupFileTree
@testable import BackupScenarios
@testable import BackupVerdicts

/// The kit's own scenarios in directories on disk, and as on a Mac: a volume that takes names of two
/// spellings for one, and paths of at most 1023 bytes, of which the container's own path has 99, and
/// 107 with `/private` in front, as the system itself says it.
@Suite struct MacVolumeTests {
  /// The most bytes of a path in a container there.
  private static let longestPath = 1023 - 107 - 1

  @Test func `every scenario ends on disk as without one`() async throws {
    var suite = OwnSuite.suite
    suite.runner.isOnDisk = true
    let failed = await suite.run(Thoroughness.every(4, of: try OwnSuite.scenarios)).filter {
      $0.verdict != .passed
    }
    #expect(failed.map(\.scenario.id) == [])
  }

  @Test func `every scenario fits a Mac's volume`() async throws {
    var suite = OwnSuite.suite
    suite.goldens = nil
    suite.runner.isOnDisk = true
    suite.runner.simulators.apply = { operation, container throws(FileOperation.Failure) in
      guard operation.path.bytes.count <= Self.longestPath else {
        throw FileOperation.Failure(.failed, operation.path, underlying: "too long for a Mac")
      }
      let directory = ContainerDirectory(roots: container.roots, traits: .usualOnMac)
      try directory.apply(operation)
    }
    let results = await suite.run(Thoroughness.every(4, of: try OwnSuite.scenarios))
    let failed = results.filter { $0.verdict != .passed }
    #expect(!results.isEmpty && failed.map(\.scenario.id) == [])
  }

  @Test func `a scenario cannot ask for a name that only a Mac refuses`() async throws {
    var runner = ScenarioRunner()
    runner.isOnDisk = true
    runner.simulators.apply = { operation, container throws(FileOperation.Failure) in
      let directory = ContainerDirectory(roots: container.roots, traits: .usualOnMac)
      try directory.apply(operation)
    }
    let steps = ["{ save: 'tmp/a', size: 1 }", "{ save: 'tmp/A', size: 1, throws: true }"]
    let failure = try await Trial.transcript(steps, runner: runner).failure
    #expect(failure?.message.contains("treats them as one name") == true)
  }
}
