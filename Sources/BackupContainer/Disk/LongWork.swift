import Foundation

/// Work that may take long. If a person waits at a terminal, the kit reports the work now and then.
///
/// A separate thread writes the reports, so that the work need not do it.
package struct LongWork: Sendable {
  private let journal: WorkJournal
  private let number: Int

  /// The innermost work of the current task; nil if standard error is no terminal, or if the
  /// machine has no thread left for the reports.
  @TaskLocal package static var current: LongWork?

  /// The journal whose reports go to standard error; nil if this is no terminal, or no thread is
  /// left.
  private static let terminalJournal: WorkJournal? = {
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

  /// Begins work that lasts until ``end()``, such as 'exploring movie'. Returns nil if there is no
  /// ``terminalJournal``.
  package static func begin(
    _ name: @autoclosure () -> String, _ condition: WorkJournal.ReportCondition = .always
  ) -> LongWork? {
    terminalJournal.map { LongWork(journal: $0, number: $0.begin(name(), condition, at: .now)) }
  }

  /// Runs code as a piece of work. While the code runs, this work is ``current``.
  package static func during<Result>(
    _ name: @autoclosure () -> String, isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> Result
  ) async rethrows -> Result {
    guard let work = begin(name()) else { return try await body() }
    defer { work.end() }
    return try await $current.withValue(work, operation: body)
  }

  /// Sets the progress of the work, which the next report shows.
  package func note(_ progress: String) { journal.note(progress, of: number) }

  package func end() { journal.end(number) }
}

/// The pieces of work in progress, each with the time of its next report.
package final class WorkJournal: Sendable {
  /// The condition under which a piece of work is reported.
  package enum ReportCondition: Sendable {
    case always
    /// Only if the progress has changed since the last report. For work during which a test may
    /// also do something else.
    case ifProgressed
  }

  private struct Piece {
    let name: String
    let condition: ReportCondition
    let start: SuspendingClock.Instant
    var nextReport: SuspendingClock.Instant
    var progress = ""
    var hasNewProgress = false
  }

  private static let firstReportInterval = Duration.seconds(2)
  private static let reportInterval = Duration.seconds(3)

  private let pieces = Locked<(lastNumber: Int, all: [Int: Piece])>((0, [:]))

  package init() {}

  package func begin(
    _ name: String, _ condition: ReportCondition = .always, at start: SuspendingClock.Instant
  ) -> Int {
    pieces.withLock { pieces in
      pieces.lastNumber += 1
      pieces.all[pieces.lastNumber] = Piece(
        name: name, condition: condition, start: start, nextReport: start + Self.firstReportInterval
      )
      return pieces.lastNumber
    }
  }

  package func note(_ progress: String, of number: Int) {
    pieces.withLock { pieces in
      pieces.all[number]?.progress = progress
      pieces.all[number]?.hasNewProgress = true
    }
  }

  package func end(_ number: Int) { pieces.withLock { $0.all[number] = nil } }

  /// Returns a line for each piece of work whose report is due, the oldest first.
  package func dueLines(at now: SuspendingClock.Instant) -> [String] {
    pieces.withLock { pieces in
      pieces.all.keys.sorted().compactMap { number -> String? in
        guard let piece = pieces.all[number], now >= piece.nextReport,
          piece.condition == .always || piece.hasNewProgress
        else { return nil }
        pieces.all[number]?.nextReport = now + Self.reportInterval
        pieces.all[number]?.hasNewProgress = false
        let seconds = piece.start.duration(to: now).components.seconds
        let progress = piece.progress.isEmpty ? "" : ": \(piece.progress)"
        return "\(piece.name), \(seconds) s\(progress)\n"
      }
    }
  }
}
