import TestSupport
import Testing

@testable import BackupVerdicts

@Suite struct `A difference of lines` {
  /// A text of lines with these numbers.
  private func text(_ numbers: some Sequence<Int>) -> String {
    numbers.map { "  in   \($0)\n" }.joined()
  }

  @Test func `of equal texts is nil`() {
    #expect(LineDifference(golden: "", actual: "") == nil)
    #expect(LineDifference(golden: "a\nb\n", actual: "a\nb\n") == nil)
  }

  @Test func `shows three lines of context and both numbers`() throws {
    let difference = try #require(
      LineDifference(golden: text(1...20), actual: text((1...20).filter { $0 != 5 } + [21])))
    #expect(
      difference.text == """
             2      2     in   2
             3      3     in   3
             4      4     in   4
             5        -   in   5
             6      5     in   6
             7      6     in   7
             8      7     in   8
            …
            18     17     in   18
            19     18     in   19
            20     19     in   20
                   20 +   in   21
        """)
  }

  @Test func `joins hunks that touch`() throws {
    let golden = text(1...20)
    let near = text((1...20).map { $0 == 5 || $0 == 11 ? -$0 : $0 })
    let far = text((1...20).map { $0 == 5 || $0 == 13 ? -$0 : $0 })
    #expect(LineDifference(golden: golden, actual: near)?.hunks.count == 1)
    #expect(LineDifference(golden: golden, actual: far)?.hunks.count == 2)
  }

  @Test func `finds a missing line feed at the end`() throws {
    let difference = try #require(LineDifference(golden: "a\nb", actual: "a\nb\n"))
    #expect(
      difference.hunks.joined().filter { !$0.isInBothTexts }.map(\.text) == ["(no line feed)"])
  }

  @Test func `tells apart names that look alike`() throws {
    let difference = try #require(
      LineDifference(golden: "  in   \u{E9}\n", actual: "  in   e\u{301}\n"))
    #expect(difference.hunks.joined().map(\.isInBothTexts) == [false, false])
  }

  @Test func `escapes invisible characters`() throws {
    let difference = try #require(
      LineDifference(golden: "\u{FEFF}a\u{1B}[31m\\n\n", actual: "a\\n\n"))
    #expect(difference.text.contains("\\u{FEFF}a\\u{1B}[31m\\n"))
    #expect(!difference.text.unicodeScalars.contains("\u{1B}"))
  }

  @Test func `knows the section of each line`() throws {
    let golden = "# g\nsystem A\nsystem B\nx\nx\n  in   a\nsystem C\nx\n  in   b\n"
    let difference = try #require(
      LineDifference(golden: golden, actual: golden.replacing("in ", with: "out")))
    let lines = difference.hunks.joined().filter { !$0.isInBothTexts }
    #expect(lines.map(\.event?.description) == ["x (2)", "x (2)", "x", "x"])
    #expect(lines.map(\.headings).first == ["system A", "system B"])
    #expect(lines.map(\.headings).last == ["system C"])
  }

  @Test func `keeps every line of both, in their order`() throws {
    var random = SeededGenerator(seed: 7)
    for _ in 0..<300 {
      let texts = (0..<2).map { _ in
        text(
          (0..<Int.random(in: 0...30, using: &random)).map { _ in
            Int.random(in: 0...6, using: &random)
          })
      }
      guard let difference = LineDifference(golden: texts[0], actual: texts[1]) else { continue }
      for line in difference.hunks.joined() {
        let golden = texts[0].split(separator: "\n"), actual = texts[1].split(separator: "\n")
        if let number = line.goldenLineNumber { #expect(golden[number - 1] == line.text) }
        if let number = line.actualLineNumber { #expect(actual[number - 1] == line.text) }
      }
      let changed = difference.hunks.joined().filter { !$0.isInBothTexts }
      let (removed, added) = (
        changed.count { $0.actualLineNumber == nil }, changed.count { $0.goldenLineNumber == nil }
      )
      #expect(
        texts[0].count { $0 == "\n" } - removed == texts[1].count { $0 == "\n" } - added)
    }
  }

  @Test func `of long texts is found`() throws {
    let long = text(1...6000)
    let other = text((1...6000).map { $0 % 3 == 0 ? -$0 : $0 })
    let difference = try #require(LineDifference(golden: long, actual: other))
    #expect(difference.hunks.joined().count { !$0.isInBothTexts } == 4000)
    let nothingShared = try #require(LineDifference(golden: long, actual: text(7000...13000)))
    #expect(nothingShared.hunks.joined().count == 6000 + 6001)
    let repeated = try #require(
      LineDifference(
        golden: text(Array(repeating: 1, count: 3000)),
        actual: text(Array(repeating: 2, count: 3000))))
    #expect(repeated.hunks.joined().count == 6000)
  }
}

@Suite struct `An alignment of lines` {
  /// The pairs of equal lines that the standard library's comparison finds.
  private func exactPairs(_ golden: [Int], _ actual: [Int]) -> [LineAlignment.Pair] {
    let difference = actual.difference(from: golden)
    let (removed, added) = (
      difference.removals.map(\.lineIndex), difference.insertions.map(\.lineIndex)
    )
    let keptGolden = golden.indices.filter { !removed.contains($0) }
    let keptActual = actual.indices.filter { !added.contains($0) }
    return zip(keptGolden, keptActual).map(LineAlignment.Pair.init)
  }

  @Test func `finds the same pairs as an exact comparison if no line is repeated`() {
    var random = SeededGenerator(seed: 11)
    for _ in 0..<200 {
      let texts = (0..<2).map { side in
        (0..<60).compactMap { number in
          [number, 100 * (side + 1) + number, nil].randomElement(using: &random) ?? nil
        }
      }
      #expect(LineAlignment(texts[0], texts[1]).pairs == exactPairs(texts[0], texts[1]))
    }
  }

  @Test func `finds as many pairs as an exact comparison if lines are repeated`() {
    var random = SeededGenerator(seed: 12)
    for _ in 0..<200 {
      let texts = (0..<2).map { _ in
        (0..<30).map { _ in Int.random(in: 0..<40, using: &random) }
      }
      let pairs = LineAlignment(texts[0], texts[1]).pairs
      #expect(pairs.count == exactPairs(texts[0], texts[1]).count)
      #expect(pairs.allSatisfy { texts[0][$0.goldenIndex] == texts[1][$0.actualIndex] })
    }
  }
}

extension CollectionDifference.Change {
  /// The index of the changed line.
  fileprivate var lineIndex: Int {
    switch self {
    case .insert(let offset, _, _), .remove(let offset, _, _): offset
    }
  }
}

extension LineDifference {
  fileprivate var text: String { shownLines(atMost: .max).joined(separator: "\n") }
}
