import Foundation

/// Work that may take long, which is said now and then to whoever waits at a terminal.
///
/// The work need not come to a point where it could say so: a thread of its own looks at it.
package struct LongWork: Sendable {
  private let journal: WorkJournal
  private let number: Int

  /// The innermost work that the task is within; nil if standard error is no terminal, or if the machine
  /// gives no thread that could say how the work goes.
  @TaskLocal package static var current: LongWork?

  private static let onTerminal: WorkJournal? = {
    guard isatty(STDERR_FILENO) == 1 else { return nil }
    let journal = WorkJournal()
    let error = startThread {
      while true {
        Thread.sleep(forTimeInterval: 0.5)
        let text = journal.dueLines(at: .now).joined()
        if !text.isEmpty { FileHandle.note(text) }
      }
    }
    return error == 0 ? journal : nil
  }()

  /// Begins work that goes on until ``end()``, such as 'exploring movie'; nil if standard error is no
  /// terminal.
  package static func begin(
    _ name: @autoclosure () -> String, _ manner: WorkJournal.Manner = .always
  ) -> LongWork? {
    onTerminal.map { LongWork(journal: $0, number: $0.begin(name(), manner, at: .now)) }
  }

  /// Does work within which ``current`` is the work.
  package static func during<Result>(
    _ name: @autoclosure () -> String, isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Result
  ) async rethrows -> Result {
    guard let work = begin(name()) else { return try await body() }
    defer { work.end() }
    return try await $current.withValue(work, operation: body)
  }

  /// Says how far the work has come.
  package func note(_ progress: String) { journal.note(progress, of: number) }

  package func end() { journal.end(number) }
}

/// The work that is being done, and when each piece of it is due to be said.
package final class WorkJournal: Sendable {
  /// When work is said to go on.
  package enum Manner: Sendable {
    case always
    /// If it has come further since, as a test may do something else meanwhile.
    case ifNoted
  }

  private struct Piece {
    let name: String
    let manner: Manner
    let start: SuspendingClock.Instant
    var next: SuspendingClock.Instant
    var progress = ""
    var isNoted = false
  }

  private static let firstInterval = Duration.seconds(2)
  private static let interval = Duration.seconds(3)

  private let pieces = Locked<(last: Int, all: [Int: Piece])>((0, [:]))

  package init() {}

  package func begin(
    _ name: String, _ manner: Manner = .always, at start: SuspendingClock.Instant
  ) -> Int {
    pieces.withLock { pieces in
      pieces.last += 1
      pieces.all[pieces.last] = Piece(
        name: name, manner: manner, start: start, next: start + Self.firstInterval)
      return pieces.last
    }
  }

  package func note(_ progress: String, of number: Int) {
    pieces.withLock { pieces in
      pieces.all[number]?.progress = progress
      pieces.all[number]?.isNoted = true
    }
  }

  package func end(_ number: Int) { pieces.withLock { $0.all[number] = nil } }

  /// A line for each piece of work that is due to be said, the oldest first.
  package func dueLines(at now: SuspendingClock.Instant) -> [String] {
    pieces.withLock { pieces in
      pieces.all.keys.sorted().compactMap { number -> String? in
        guard let piece = pieces.all[number], now >= piece.next,
          piece.manner == .always || piece.isNoted
        else { return nil }
        pieces.all[number]?.next = now + Self.interval
        pieces.all[number]?.isNoted = false
        let seconds = piece.start.duration(to: now).components.seconds
        let progress = piece.progress.isEmpty ? "" : ": \(piece.progress)"
        return "\(piece.name), \(seconds) s\(progress)\n"
      }
    }
  }
}
