import BackupContainer
import BackupDevice
import BackupFileTree
import Foundation
import TestSupport
import Testing
import TrialSupport

@testable import BackupScenarios

/// The tree of a simulated run is computed. At the end, the disk must agree with it.
@Suite struct DiskAgreementTests {
  /// Returns a runner that does something else on disk after each operation.
  private func runner(
    _ sideEffect: @escaping @Sendable (FileOperation, FakeContainer) throws -> Void
  ) -> ScenarioRunner {
    var runner = ScenarioRunner()
    runner.alwaysUsesDirectory = true
    runner.simulators.apply = { operation, container throws(FileOperation.Failure) in
      try container.apply(operation)
      do { try sideEffect(operation, container) } catch {
        throw FileOperation.Failure(.failed, operation.path, underlying: "\(error)")
      }
    }
    return runner
  }

  private let save = "{ save: 'Documents/a', size: 3 }"

  @Test func `an unexpected item on disk ends the run with its path`() async throws {
    let runner = runner { _, container in
      try Data([1]).write(to: container.url(of: try ContainerPath("Documents/b")))
    }
    let transcript = try await Trial.transcript([save], runner: runner)
    let message = try #require(transcript.failure?.message)
    #expect(
      message.hasPrefix("'Documents/b' must be missing after this step, but on disk"))
    #expect(message.contains("it is a file of 1 byte, not marked"))
  }

  @Test func `an operation that does something else on disk ends the run`() async throws {
    let runner = runner { operation, container in
      try Data([1]).write(to: container.url(of: operation.path))
    }
    let transcript = try await Trial.transcript([save, "{ backup: 'b' }"], runner: runner)
    let message = try #require(transcript.failure?.message)
    #expect(transcript.failure?.step.number == .step(2))
    #expect(message.contains("'Documents/a' must be a file of 3 bytes"))
    #expect(message.contains("it is a file of 1 byte"))
  }

  @Test func `the disk is scanned after a half-done step`() async throws {
    let runner = runner { operation, container in
      try FileManager.default.removeItem(at: container.url(of: operation.path))
      throw TestError("half done")
    }
    let transcript = try await Trial.transcript(
      ["{ save: 'Documents/a', size: 3, throws: true }", "{ backup: 'after' }"], runner: runner)
    #expect(transcript.failure == nil)
    #expect(transcript.lastTree.paths.map(\.string).contains("Documents"))
    #expect(!transcript.lastTree.contains(try ContainerPath("Documents/a")))
  }

  @Test func `late changes of the app's own code are found before iOS acts`() async throws {
    var runner = runner { operation, container in
      guard operation.path.string == "Documents/a" else { return }
      try Data([1]).write(to: container.url(of: try ContainerPath("Documents/late")))
    }
    runner.host = InProcessHost(["act": { _ in }])
    let transcript = try await Trial.transcript(
      ["{ perform: 'act' }", save, "{ backup: 'a' }"], runner: runner)
    #expect(transcript.failure == nil)
    let set = try #require(transcript.entries.last?.event.backup?.contents)
    #expect(set.contains(try ContainerPath("Documents/late")))
  }

  @Test func `a container with more items than the tree is removed completely`() async throws {
    let urls = CollectedValues<URL>()
    let runner = runner { _, container in
      urls.add(container.url)
      try FileManager.default.createDirectory(
        at: container.url.appendingPathComponent("Documents/more/deep"),
        withIntermediateDirectories: true)
    }
    _ = try await Trial.transcript([save], runner: runner)
    let device = try #require(urls.values.first).deletingLastPathComponent()
    #expect(!FileManager.default.fileExists(atPath: device.path))
  }
}
