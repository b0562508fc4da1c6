import Foundation
import Testing

@testable import BackupContainer
@testable import BackupScenarios

/// Who is let in next, and who does not wait.
@Suite struct TurnsTests {
  /// Whose turn it is, and the line behind it.
  private let turns = Locked(Turns())
  /// The turns that a test asks for.
  private let names = (0..<4).map { _ in SerialNumber() }

  /// A task that asks for a turn, and ends when it is let in; it has asked when this returns.
  private func ask(for name: SerialNumber, isCancelled: Bool = false) async -> Task<Void, any Error>
  {
    let (asked, hasAsked) = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      try await withCheckedThrowingContinuation { continuation in
        let answer = turns.withLock { $0.ask(for: name, isCancelled: isCancelled, continuation) }
        hasAsked.finish()
        answer?()
      }
    }
    for await _ in asked {}
    return task
  }

  /// Ends the turn that goes on.
  private func end() { turns.withLock { $0.end() }?() }

  @Test func `those who wait are let in in the order they came`() async throws {
    var tasks: [Task<Void, any Error>] = []
    for name in names { tasks.append(await ask(for: name)) }
    var order: [SerialNumber?] = []
    for _ in names {
      order.append(turns.withLock { $0.current })
      end()
    }
    for task in tasks { try await task.value }
    #expect(order == names)
    #expect(turns.withLock { $0.current } == nil)
  }

  @Test func `who was cancelled before does not wait`() async throws {
    let first = await ask(for: names[0])
    let second = await ask(for: names[1], isCancelled: true)
    end()
    #expect(turns.withLock { $0.current } == nil)
    try await first.value
    await #expect(throws: CancellationError.self) { try await second.value }
  }

  @Test func `who leaves the line is not let in, and the next one is`() async throws {
    let first = await ask(for: names[0])
    let second = await ask(for: names[1])
    let third = await ask(for: names[2])
    turns.withLock { $0.leave(names[1]) }?()
    end()
    #expect(turns.withLock { $0.current } == names[2])
    end()
    try await first.value
    await #expect(throws: CancellationError.self) { try await second.value }
    try await third.value
  }

  @Test func `who does not wait has no line to leave`() async throws {
    let first = await ask(for: names[0])
    #expect(turns.withLock { $0.leave(names[0]) } == nil)
    #expect(turns.withLock { $0.current } == names[0])
    try await first.value
  }
}
