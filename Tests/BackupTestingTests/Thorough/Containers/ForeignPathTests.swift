import Foundation
import Testing

@testable import BackupContainer
@testable import BackupTesting

/// Code in the test's process has kept a path of another test's container.
@Suite struct ForeignPathTests {
  /// Runs an action in a new container that reads a missing file in the given one.
  private func read(in container: FakeContainer) async throws -> ActionRun {
    let file = container.documents.appendingPathComponent("kept.json")
    return try await ActionRun(
      ["{ perform: 'load' }", "{ backup: 'one' }"],
      actions: ["load": { _ in _ = try Data(contentsOf: file) }])
  }

  @Test func `an error with a path of another open container says so`() async throws {
    let run = try await read(in: try FakeContainer())
    #expect(run.failure?.contains("belongs to another test's container") == true)
    #expect(run.failure?.contains("static") == true)
  }

  @Test func `an error with a path of a removed container says so`() async throws {
    let container = try FakeContainer()
    try container.remove()
    #expect(try await read(in: container).failure?.contains("another test's container") == true)
  }

  @Test func `the container's own path, a former path and any other path cause no complaint`()
    throws
  {
    let container = try FakeContainer()
    let former = container.url.path
    try container.updateApp()
    for path in [container.url.path, former, "/tmp/a", "a", ""] {
      #expect(container.complaint(onForeignPath: path) == nil)
    }
  }
}
