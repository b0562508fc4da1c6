import BackupContainer
import Testing

/// Work that takes long prints its progress at a terminal.
@Suite struct `Long work` {
  private let journal = WorkJournal()
  private let start = SuspendingClock.now

  private func lines(after seconds: ClosedRange<Int>) -> [String] {
    seconds.flatMap { journal.dueLines(at: start + .seconds($0)) }
  }

  @Test func `is reported after two seconds, and then every three until it ends`() {
    let number = journal.begin("exploring a", at: start)
    #expect(lines(after: 0...1) == [])
    journal.note("2 traces so far", of: number)
    #expect(
      lines(after: 2...6) == [
        "exploring a, 2 s: 2 traces so far\n", "exploring a, 5 s: 2 traces so far\n",
      ])
    journal.end(number)
    #expect(lines(after: 7...20) == [])
  }

  @Test func `of a test is reported only after the test makes another call`() {
    let number = journal.begin("the test", .ifProgressed, at: start)
    #expect(lines(after: 0...9) == [])
    journal.note("call 1", of: number)
    #expect(lines(after: 10...20) == ["the test, 10 s: call 1\n"])
  }
}
