import Testing
import TrialSupport

@testable import BackupScenarios

@Suite struct `A restore of a backup that is never taken` {
  /// Returns the mistakes in steps. The first step is on the second line, and each step has its own
  /// line.
  func mistakes(_ steps: [String], _ other: String = "") -> [String] {
    let list = steps.map { "\($0),\n" }.joined()
    return Trial.mistakes(in: "{ title: 'T', steps: [\n\(list)], \(other) }")
  }

  /// Returns the mistake at a line if no label is similar.
  private func mistake(_ label: String, line: Int) -> String {
    "\(line):1: no backup \"\(label)\" is taken before this step; "
      + "put a 'backup' step of this label before it"
  }

  @Test func `is a mistake at its step`() {
    #expect(mistakes(["{ restore: 'first' }"]) == [mistake("first", line: 2)])
    #expect(
      mistakes(["{ backup: 'at night' }", "  { restore: 'first' }"]).map { $0.prefix(4) }
        == ["3:3:"])
    #expect(
      mistakes(["{ backup: 'at night' }", "{ restore: 'x' }", "{ restore: 'y' }"])
        == [mistake("x", line: 3), mistake("y", line: 4)])
  }

  @Test func `is a mistake if the backup comes later`() {
    #expect(mistakes(["{ restore: 'a' }", "{ backup: 'a' }"]) == [mistake("a", line: 2)])
    #expect(mistakes(["{ backup: 'a' }", "{ restore: 'a' }", "{ backup: 'a' }"]) == [])
  }

  @Test func `names the nearest label`() {
    #expect(
      mistakes(["{ backup: 'last' }", "{ backup: 'first' }", "{ restore: 'frist' }"]) == [
        "4:1: no backup \"frist\" is taken before this step; did you mean \"first\"?"
      ])
  }

  @Test func `is not reported if another step cannot be read`() {
    let steps = ["{ backup: '' }", "{ backup: 4 }", "{ restore: 'a' }"]
    #expect(mistakes(steps).map { $0.prefix(5) } == ["2:11:", "3:11:"])
    #expect(mistakes(["{ bakcup: 'a' }", "{ restore: 'a' }"]).count == 1)
  }

  @Test func `is shown on one line, and shortened`() {
    let long = String(repeating: "x", count: 10_000)
    for label in ["a\\nb", "\\u0007", long] {
      let mistakes = mistakes(["{ backup: '\(label)y' }", "{ restore: '\(label)' }"])
      #expect(mistakes.count == 1)
      #expect(mistakes.allSatisfy { !$0.contains { $0.isNewline || $0 == "\u{7}" } })
      #expect(mistakes.joined().utf8.count < 300)
    }
  }
}
