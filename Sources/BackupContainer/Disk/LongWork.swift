import Foundation

/// Work that may take long. A person who waits at a terminal sees reports of it now and then.
///
/// A separate thread writes the reports, so the work itself need not.
package struct LongWork: Sendable {
  private let journal: WorkJournal
  private let number: Int

  /// The innermost work of the current task; nil if standard error is no terminal, or if the
  /// machine gives no thread for the reports.
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

  /// Begins work that lasts until ``end()``, such as 'exploring movie'. Returns nil if standard error is no
  /// terminal.
  package static func begin(
    _ name: @autoclosure () -> String, _ manner: WorkJournal.Manner = .always
  ) -> LongWork? {
    onTerminal.map { LongWork(journal: $0, number: $0.begin(name(), manner, at: .now)) }
  }

  /// Runs code as a piece of work, which is ``current`` meanwhile.
  package static func during<Result>(
    _ name: @autoclosure () -> String, isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Result
  ) async rethrows -> Result {
    guard let work = begin(name()) else { return try await body() }
    defer { work.end() }
    return try await $current.withValue(work, operation: body)
  }

  /// Notes the progress of the work for the next report.
  package func note(_ progress: String) { journal.note(progress, of: number) }

  package func end() { journal.end(number) }
}

/// The pieces of work in progress, each with the time of its next report.
package final class WorkJournal: Sendable {
  /// The condition for reports of a piece of work.
  package enum Manner: Sendable {
    case always
    /// Only if progress was noted since the last report, because a test may do something else
    /// meanwhile.
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

  /// Returns a line for each piece of work whose report is due, the oldest first.
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
