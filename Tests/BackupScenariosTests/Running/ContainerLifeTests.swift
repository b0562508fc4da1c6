import BackupContainer
import BackupDevice
import BackupFileTree
import Foundation
import TestSupport
import Testing
import TrialSupport

@testable import BackupScenarios

@Suite struct `A run's container` {
  /// Returns a runner that notes the container's URL at each operation.
  private func runner(_ urls: CollectedValues<URL>) -> ScenarioRunner {
    var runner = ScenarioRunner()
    runner.alwaysUsesDirectory = true
    runner.simulators.apply = { operation, container throws(FileOperation.Failure) in
      urls.add(container.url)
      try container.apply(operation)
    }
    return runner
  }

  @Test(arguments: [[], ["{ remove: 'tmp/missing' }"], ["{ perform: 'unbound' }"]])
  func `is gone afterwards, however the run ends`(last: [String]) async throws {
    let urls = CollectedValues<URL>()
    let steps = ["{ save: 'Documents/a', contents: 'x' }", "{ backup: 'a' }", "{ restore: 'a' }"]
    _ = try await Trial.transcript(
      steps + ["{ save: 'Documents/b', size: 1 }"] + last, runner: runner(urls))
    let devices = urls.values.map { $0.deletingLastPathComponent().path }
    #expect(devices.count >= 2)
    #expect(devices.allSatisfy { !FileManager.default.fileExists(atPath: $0) })
  }

  @Test func `has a new path after an update and after a restore`() async throws {
    let urls = CollectedValues<URL>()
    let save = "{ save: 'Documents/a', size: 1 }"
    _ = try await Trial.transcript(
      [save, save, "{ updateApp: '2' }", save, "{ backup: 'a' }", "{ restore: 'a' }", save],
      runner: runner(urls))
    let paths = urls.values.map(\.path)
    #expect(paths.count == 4 && paths[0] == paths[1])
    #expect(Set(paths).count == 3)
  }

  @Test func `keeps its path through purges, backups and updates of iOS`() async throws {
    let urls = CollectedValues<URL>()
    let save = "{ save: 'Documents/a', size: 1 }"
    _ = try await Trial.transcript(
      [
        save, "{ backup: 'a' }", "{ purge: 'lowStorage' }", "{ updateSystem: '\(Trial.newest)' }",
        save,
      ],
      "system: '18'", runner: runner(urls))
    #expect(urls.values.count == 2 && Set(urls.values).count == 1)
  }

  @Test func `has the same contents after a restore`() async throws {
    let scenario = try Trial.scenario([
      "{ save: 'Documents/a', contents: 'héllo' }", "{ backup: 'a' }",
      "{ save: 'Documents/a', contents: 'other', how: 'inPlace' }", "{ restore: 'a' }",
    ])
    let profile = try #require(SystemProfile.newest)
    let container = try FakeContainer()
    var run = ScenarioRun(
      scenario, try #require(scenario.variants.first), profile: profile, by: ScenarioRunner(),
      disk: DirectoryDisk(container, Simulators.standard.apply),
      firstTree: try container.scan(),
      firstStep: scenario.steps[0].reference)
    for step in scenario.steps { try await run.run(step) }
    let file = container.url(of: try ContainerPath("Documents/a"))
    #expect(try String(contentsOf: file, encoding: .utf8) == "héllo")
    try container.remove()
  }
}
