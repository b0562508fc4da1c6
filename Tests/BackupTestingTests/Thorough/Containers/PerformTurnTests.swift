import BackupTesting
import Foundation
import TestSupport
import Testing

@testable import BackupContainer
@testable import BackupScenarios

/// Several tasks act on one container, one after the other.
@Suite(.container(files: ["Documents/**": .critical, "Library/**": .offline]))
struct PerformTurnTests {
  private let container: FakeContainer
  /// The app's movie.
  private var movie: URL { container.library.appendingPathComponent("com.example.app.mp4") }

  init() throws {
    container = try FakeContainer.current
  }

  @Test(arguments: 1...5)
  func `concurrent calls wait for their turns, and the mark stays`(number: Int) async throws {
    try Data(count: 10).write(to: movie)
    try movie.excludeFromBackup()
    let running = CollectedValues<Int>()
    let runningCounts = CollectedValues<Int>()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<4 {
        group.addTask {
          try await container.perform("read \(task)") {
            running.add(1)
            runningCounts.add(running.values.reduce(0, +))
            await Task.yield()
            running.add(-1)
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(runningCounts.values == [1, 1, 1, 1])
    #expect(try movie.hasBackupExclusionMark)
    #expect(try container.findings().isEmpty)
  }

  @Test func `within a 'perform', all other calls are refused`() async throws {
    let backup = try container.backUp()
    let configuration = SessionConfiguration(profile: try #require(SystemProfile.newest))
    let calls = calls(backup, configuration)
    let codes = CollectedValues<RunError.Code?>()
    try await container.perform("download") {
      for call in calls {
        do {
          try call()
          codes.add(nil)
        } catch {
          codes.add((error as? RunError)?.code)
        }
      }
    }
    #expect(codes.values == calls.map { _ in .performing })
    #expect(try container.findings().isEmpty)
    try container.restore(from: backup)
  }

  /// Returns the calls that a test can make on the container.
  private func calls(
    _ backup: FakeContainer.Backup, _ configuration: SessionConfiguration
  ) -> [() throws -> Void] {
    [
      { try container.backUp() },
      { try container.purge() },
      { try container.updateApp() },
      { try container.updateSystem(to: "26") },
      { try container.restore(from: backup) },
      { _ = try container.findings() },
      { _ = try container.explain("Documents") },
      { try container.expectNoFindings() },
      { try container.beginSession(configuration) },
    ]
  }

  @Test
  func `a 'perform' within another is refused, also in a child task, and the outer one continues`()
    async throws
  {
    try await container.perform("outer") {
      let code = await codeWithinCancelledChild()
      try #require(code == .performing)
      let error = await #expect(throws: RunError.self) { try await container.perform("inner") {} }
      #expect(error?.code == .performing)
      #expect(error?.description.contains("is still running in this container") == true)
      try Data("x".utf8).write(to: container.documents.appendingPathComponent("a"))
    }
    #expect(try container.backUp().files == ["Documents/a"])
  }

  /// Returns the error code of a `perform` in a child task; nil if it is not refused. The child is
  /// cancelled, because a `perform` that is not refused would wait for its parent for ever.
  private func codeWithinCancelledChild() async -> RunError.Code? {
    await withTaskGroup(of: RunError.Code?.self) { group in
      group.addTask {
        do {
          try await container.perform("inner") {}
          return nil
        } catch { return (error as? RunError)?.code }
      }
      group.cancelAll()
      return await group.next() ?? nil
    }
  }

  @Test func `a 'perform' within one of another container is accepted`() async throws {
    let other = try FakeContainer()
    let value = try await container.perform { try await other.perform { 42 } }
    #expect(value == 42)
  }

  @Test func `of two calls that wait for each other, one continues when the other is cancelled`()
    async throws
  {
    let other = try FakeContainer()
    let (firstBegun, beginFirst) = AsyncStream.makeStream(of: Void.self)
    let (secondBegun, beginSecond) = AsyncStream.makeStream(of: Void.self)
    let (bothBegun, beginBoth) = AsyncStream.makeStream(of: Void.self)
    let first = Task {
      try await container.perform {
        beginFirst.finish()
        for await _ in secondBegun {}
        beginBoth.finish()
        return try await other.perform { 1 }
      }
    }
    let second = Task {
      for await _ in firstBegun {}
      return try await other.perform {
        beginSecond.finish()
        return try await container.perform { 2 }
      }
    }
    for await _ in bothBegun {}
    first.cancel()
    await #expect(throws: CancellationError.self) { try await first.value }
    #expect(try await second.value == 2)
  }

  @Test func `a task that outlives its 'perform' gets its turn later`() async throws {
    let (endSignal, end) = AsyncStream.makeStream(of: Void.self)
    let later = try await container.perform {
      Task {
        for await _ in endSignal {}
        return try await container.perform { 7 }
      }
    }
    end.finish()
    #expect(try await later.value == 7)
  }

  @Test func `a call that is cancelled while it waits never runs, and the next one does`()
    async throws
  {
    let (beginSignal, begin) = AsyncStream.makeStream(of: Void.self)
    let (endSignal, end) = AsyncStream.makeStream(of: Void.self)
    let order = CollectedValues<String>()
    let first = Task {
      try await container.perform("first") {
        begin.finish()
        for await _ in endSignal {}
        order.add("first")
      }
    }
    for await _ in beginSignal {}
    let second = Task { try await container.perform("second") { order.add("second") } }
    second.cancel()
    await #expect(throws: CancellationError.self) { try await second.value }
    let third = Task { try await container.perform("third") { order.add("third") } }
    end.finish()
    try await first.value
    try await third.value
    #expect(order.values == ["first", "third"])
    #expect(try container.backUp().files.isEmpty)
  }
}
