import BackupContainer
import TestSupport
import Testing

/// What a signal waits for.
@Suite struct UnfinishedWorkTests {
  /// The work of a process.
  private let work = UnfinishedWork()
  /// What was done at the end.
  private let endings = CollectedValues<String>()

  private func askForEnd() {
    work.whenNothingIsLeft { [endings] in endings.add("end") }
  }

  @Test func `where nothing is begun the end comes at once`() {
    askForEnd()
    #expect(endings.values == ["end"])
  }

  @Test func `the end comes with that of the last work`() {
    work.begin()
    work.begin()
    askForEnd()
    work.end()
    #expect(endings.values == [])
    work.begin()
    work.end()
    #expect(endings.values == [])
    work.end()
    #expect(endings.values == ["end"])
  }

  @Test func `work that has ended before is of no account`() {
    work.begin()
    work.end()
    #expect(endings.values == [])
    askForEnd()
    #expect(endings.values == ["end"])
  }
}
