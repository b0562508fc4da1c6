import BackupCollections
import BackupDiagnostics

/// The lines that differ between a golden file and a run, with lines around them.
package struct LineDifference: Hashable, Sendable {
  package struct Line: Hashable, Sendable {
    /// The line's number in the golden file, from 1; nil if only the run has it.
    package let goldenNumber: Int?
    /// The line's number in the run's text, from 1; nil if only the golden file has it.
    package let actualNumber: Int?
    package let text: String
    /// The event of the section that the line is in; nil before the first section.
    package let event: GoldenDocument.Event?
    /// The lines that name the section's runs.
    package let section: [String]

    package var content: GoldenDocument.Content { GoldenDocument.Content(text) }

    var isCommon: Bool { goldenNumber != nil && actualNumber != nil }
  }

  /// The differing lines with the lines around them. Lines that are far apart are in different
  /// hunks.
  let hunks: [[Line]]

  /// The number of equal lines that are shown around differing lines.
  static let context = 3

  /// Compares two texts; nil if their bytes are equal.
  ///
  /// If the texts are parts of golden files, `firstLine` is the number of their first line, and
  /// `section` has the lines that name their runs.
  package init?(golden: String, actual: String, firstLine: Int = 1, section: [String] = []) {
    guard !golden.utf8.elementsEqual(actual.utf8) else { return nil }
    let documents = [golden, actual].map { text in
      GoldenDocument(parsing: text, of: section).notingMissingLineFeed(of: text)
    }
    self.hunks = Self.hunks(of: Self.merge(documents[0].lines, documents[1].lines)).map { hunk in
      hunk.map { aligned in
        let document = aligned.actual == nil ? documents[0] : documents[1]
        let line = document.lines[aligned.actual ?? aligned.golden ?? 0]
        return Line(
          goldenNumber: aligned.golden.map { $0 + firstLine },
          actualNumber: aligned.actual.map { $0 + firstLine }, text: String(line.text),
          event: line.event, section: document.runs[line.group])
      }
    }
  }

  package var changedLines: [Line] { hunks.joined().filter { !$0.isCommon } }

  /// Returns the changed lines among the first lines. `count` also includes the lines around them.
  func changedLines(inFirst count: Int) -> [Line] {
    hunks.lazy.joined().prefix(count).filter { !$0.isCommon }
  }

  package var lineCount: Int { hunks.reduce(0) { $0 + $1.count } }

  /// The number of the first differing line in the golden file.
  ///
  /// If only the run has the first differing line, this is the number of the golden file's next
  /// line, or at its end, of its last line.
  var firstGoldenLine: Int {
    let lines = hunks.first ?? []
    return lines.first { !$0.isCommon }?.goldenNumber
      ?? lines.drop { $0.isCommon }.compactMap(\.goldenNumber).first
      ?? lines.compactMap(\.goldenNumber).last ?? 1
  }

  /// The indices of a line in both texts; nil for a text that does not have it.
  private struct AlignedLine {
    var golden: Int?
    var actual: Int?

    var isCommon: Bool { golden != nil && actual != nil }
  }

  /// Returns the lines of both texts in order, with removed lines before added lines.
  private static func merge(
    _ golden: [GoldenDocument.Line], _ actual: [GoldenDocument.Line]
  ) -> [AlignedLine] {
    // Equal lines of both texts get the same number.
    var numbers: [[UInt8]: Int] = [:]
    let lineNumbers = [golden, actual].map { lines in
      lines.map { line in
        let bytes = Array(line.text.utf8)
        let number = numbers[bytes] ?? numbers.count
        numbers[bytes] = number
        return number
      }
    }
    var alignedLines: [AlignedLine] = []
    var (goldenIndex, actualIndex) = (0, 0)
    let end = LineAlignment.Pair(golden: golden.count, actual: actual.count)
    for pair in LineAlignment(lineNumbers[0], lineNumbers[1]).pairs + [end] {
      alignedLines += (goldenIndex..<pair.golden).map { AlignedLine(golden: $0) }
      alignedLines += (actualIndex..<pair.actual).map { AlignedLine(actual: $0) }
      if pair != end { alignedLines.append(AlignedLine(golden: pair.golden, actual: pair.actual)) }
      (goldenIndex, actualIndex) = (pair.golden + 1, pair.actual + 1)
    }
    return alignedLines
  }

  /// Returns the differing lines with the lines around them. Hunks that touch are joined.
  private static func hunks(of alignedLines: [AlignedLine]) -> [ArraySlice<AlignedLine>] {
    var ranges: [Range<Int>] = []
    for index in alignedLines.indices where !alignedLines[index].isCommon {
      let range = max(0, index - context)..<min(alignedLines.count, index + context + 1)
      if let last = ranges.last, range.lowerBound <= last.upperBound {
        ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
      } else {
        ranges.append(range)
      }
    }
    return ranges.map { alignedLines[$0] }
  }

  /// Returns the first lines with their numbers in both texts. A line with `-` is only in the
  /// golden file, and a line with `+` is only in the run.
  ///
  /// The count does not include the lines `…` between hunks.
  package func shownLines(atMost count: Int, isColored: Bool = false) -> [String] {
    var (shownHunks, remainingCount) = ([[String]](), count)
    for hunk in hunks where remainingCount > 0 {
      shownHunks.append(
        hunk.prefix(remainingCount).map { isColored ? $0.colored : $0.description })
      remainingCount -= hunk.count
    }
    return Array(shownHunks.joined(separator: ["    …"]))
  }
}

extension LineDifference.Line: CustomStringConvertible {
  /// The most Unicode scalars that are shown of a line. This is less than the limit of a message.
  private static let maximumLength = 1500

  /// The line with its numbers. Invisible characters are escaped.
  package var description: String {
    let sign = isCommon ? " " : goldenNumber == nil ? "+" : "-"
    return
      "\(Self.column(goldenNumber)) \(Self.column(actualNumber)) \(sign) \(text.cutInMiddle(to: Self.maximumLength).onOneLine)"
  }

  /// The description, in red if only the golden file has the line, and in green if only the run has
  /// it.
  var colored: String {
    isCommon ? description : "\u{1B}[\(goldenNumber == nil ? 32 : 31)m\(description)\u{1B}[0m"
  }

  private static func column(_ number: Int?) -> String {
    (number.map(String.init) ?? "").paddedInFront(to: 6)
  }
}

/// The lines that two texts share, in the order of both texts.
///
/// A number stands for each line, and equal lines have the same number. Short texts are compared
/// exactly. Long texts are split at lines that occur exactly once in each text, so that texts of
/// any length take little time.
struct LineAlignment {
  /// A line of both texts, by its index in each.
  struct Pair: Equatable {
    let golden: Int
    let actual: Int
  }

  /// The shared lines, in the order of both texts.
  private(set) var pairs: [Pair] = []

  private let golden: [Int]
  private let actual: [Int]

  /// The most lines of both texts together that are compared exactly.
  private static let exactLimit = 2000
  /// The most times that a part of a text is split again.
  private static let maximumDepth = 16

  /// Aligns a golden file with a run's text, each as the numbers of its lines.
  init(_ golden: [Int], _ actual: [Int]) {
    self.golden = golden
    self.actual = actual
    align(golden.indices, actual.indices, depth: 0)
  }

  private mutating func align(_ golden: Range<Int>, _ actual: Range<Int>, depth: Int) {
    let head = zip(golden, actual).prefix { self.golden[$0] == self.actual[$1] }.count
    let (goldenRest, actualRest) = (golden.dropFirst(head), actual.dropFirst(head))
    let tail = zip(goldenRest.reversed(), actualRest.reversed())
      .prefix { self.golden[$0] == self.actual[$1] }.count
    pairs += zip(golden, actual).prefix(head).map(Pair.init)
    alignMiddle(goldenRest.dropLast(tail), actualRest.dropLast(tail), depth: depth)
    pairs += zip(golden.suffix(tail), actual.suffix(tail)).map(Pair.init)
  }

  /// Aligns parts of the texts whose first lines differ and whose last lines differ.
  private mutating func alignMiddle(_ golden: Range<Int>, _ actual: Range<Int>, depth: Int) {
    guard !golden.isEmpty, !actual.isEmpty else { return }
    let isShort = golden.count + actual.count <= Self.exactLimit
    guard isShort || depth < Self.maximumDepth else { return }
    let (anchors, hasAllSharedLines) = self.anchors(golden, actual)
    guard !hasAllSharedLines else {
      pairs += anchors
      return
    }
    guard !isShort else { return alignExactly(golden, actual) }
    guard !anchors.isEmpty else { return }
    var (goldenStart, actualStart) = (golden.lowerBound, actual.lowerBound)
    for anchor in anchors {
      align(goldenStart..<anchor.golden, actualStart..<anchor.actual, depth: depth + 1)
      pairs.append(anchor)
      (goldenStart, actualStart) = (anchor.golden + 1, anchor.actual + 1)
    }
    align(goldenStart..<golden.upperBound, actualStart..<actual.upperBound, depth: depth + 1)
  }

  /// Aligns parts of the texts so that as few lines as possible differ.
  private mutating func alignExactly(_ golden: Range<Int>, _ actual: Range<Int>) {
    let difference = self.actual[actual].difference(from: self.golden[golden])
    let removed = Set(difference.removals.map(\.index))
    let inserted = Set(difference.insertions.map(\.index))
    let sharedInGolden = golden.filter { !removed.contains($0 - golden.lowerBound) }
    let sharedInActual = actual.filter { !inserted.contains($0 - actual.lowerBound) }
    pairs += zip(sharedInGolden, sharedInActual).map(Pair.init)
  }

  /// Returns lines that occur exactly once in each part of the texts: the longest series that has
  /// the same order in both parts.
  ///
  /// `hasAllSharedLines` is true if the parts share no other lines.
  private func anchors(
    _ golden: Range<Int>, _ actual: Range<Int>
  ) -> (series: [Pair], hasAllSharedLines: Bool) {
    let indicesInActual = Self.indicesOfLines(self.actual, actual)
    let indicesInGolden = Self.indicesOfLines(self.golden, golden)
    let candidates = golden.compactMap { index -> Pair? in
      let line = self.golden[index]
      guard indicesInGolden[line] == index, let actualIndex = indicesInActual[line],
        actualIndex >= 0
      else { return nil }
      return Pair(golden: index, actual: actualIndex)
    }
    let series = Self.longestSeries(candidates)
    return (series, series.count == golden.count { indicesInActual[self.golden[$0]] != nil })
  }

  /// Returns the index of each line in a range; -1 for a line that occurs more than once.
  private static func indicesOfLines(_ lines: [Int], _ range: Range<Int>) -> [Int: Int] {
    Dictionary(range.map { (lines[$0], $0) }, uniquingKeysWith: { _, _ in -1 })
  }

  /// Returns the longest series of candidates that increases in both texts, by a patience sort.
  private static func longestSeries(_ candidates: [Pair]) -> [Pair] {
    // The candidate on top of each pile. For each candidate, `previousTops` has the candidate that
    // was then on top of the previous pile.
    var pileTops: [Int] = []
    var previousTops = Array(repeating: -1, count: candidates.count)
    for (index, pair) in candidates.enumerated() {
      let pile = pileTops.partitioningIndex { candidates[$0].actual >= pair.actual }
      previousTops[index] = pile > 0 ? pileTops[pile - 1] : -1
      if pile < pileTops.count { pileTops[pile] = index } else { pileTops.append(index) }
    }
    var series: [Pair] = []
    var next = pileTops.last ?? -1
    while next >= 0 {
      series.append(candidates[next])
      next = previousTops[next]
    }
    return series.reversed()
  }
}

extension CollectionDifference.Change {
  /// The index of the line that a change is about.
  fileprivate var index: Int {
    switch self {
    case .insert(let offset, _, _), .remove(let offset, _, _): offset
    }
  }
}
