import Foundation
import Testing

@testable import BackupContainer
@testable import BackupScenarios

/// Tasks wait for their turn in order. A cancelled task does not wait.
@Suite struct TurnsTests {
  /// The current turn, and the tasks that wait for theirs.
  private let turns = Locked(Turns())
  /// The numbers of four turns.
  private let turnNumbers = (0..<4).map { _ in SerialNumber() }

  /// Returns a task that ends when its turn begins. The task has already asked for the turn.
  private func requestTurn(
    for turnNumber: SerialNumber, isCancelled: Bool = false
  ) async -> Task<Void, any Error> {
    let (asked, hasAsked) = AsyncStream.makeStream(of: Void.self)
    let task = Task {
      try await withCheckedThrowingContinuation { continuation in
        let answer = turns.withLock {
          $0.ask(for: turnNumber, isCancelled: isCancelled, continuation)
        }
        hasAsked.finish()
        answer?()
      }
    }
    for await _ in asked {}
    return task
  }

  /// Ends the current turn.
  private func endTurn() { turns.withLock { $0.end() }?() }

  @Test func `waiting tasks get their turns in the order in which they asked`() async throws {
    var tasks: [Task<Void, any Error>] = []
    for turnNumber in turnNumbers { tasks.append(await requestTurn(for: turnNumber)) }
    var order: [SerialNumber?] = []
    for _ in turnNumbers {
      order.append(turns.withLock { $0.current })
      endTurn()
    }
    for task in tasks { try await task.value }
    #expect(order == turnNumbers)
    #expect(turns.withLock { $0.current } == nil)
  }

  @Test func `a task that was cancelled before does not wait`() async throws {
    let first = await requestTurn(for: turnNumbers[0])
    let second = await requestTurn(for: turnNumbers[1], isCancelled: true)
    endTurn()
    #expect(turns.withLock { $0.current } == nil)
    try await first.value
    await #expect(throws: CancellationError.self) { try await second.value }
  }

  @Test func `a task that leaves gets no turn, and the next task gets it`() async throws {
    let first = await requestTurn(for: turnNumbers[0])
    let second = await requestTurn(for: turnNumbers[1])
    let third = await requestTurn(for: turnNumbers[2])
    turns.withLock { $0.leave(turnNumbers[1]) }?()
    endTurn()
    #expect(turns.withLock { $0.current } == turnNumbers[2])
    endTurn()
    try await first.value
    await #expect(throws: CancellationError.self) { try await second.value }
    try await third.value
  }

  @Test func `a task whose turn has begun cannot leave`() async throws {
    let first = await requestTurn(for: turnNumbers[0])
    #expect(turns.withLock { $0.leave(turnNumbers[0]) } == nil)
    #expect(turns.withLock { $0.current } == turnNumbers[0])
    try await first.value
  }
}
