import BackupContainer
import TestSupport
import Testing

/// Work that has to end before a signal ends the process.
@Suite struct UnfinishedWorkTests {
  private let work = UnfinishedWork()
  /// One entry for each call at the end.
  private let endings = CollectedValues<String>()

  private func askForEnd() {
    work.whenNothingIsLeft { [endings] in endings.add("end") }
  }

  @Test func `without work the end comes at once`() {
    askForEnd()
    #expect(endings.values == ["end"])
  }

  @Test func `the end comes when the last work ends`() {
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

  @Test func `work that has already ended does not delay the end`() {
    work.begin()
    work.end()
    #expect(endings.values == [])
    askForEnd()
    #expect(endings.values == ["end"])
  }
}
