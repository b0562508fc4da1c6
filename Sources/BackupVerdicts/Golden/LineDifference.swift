import BackupCollections
import BackupDiagnostics

/// The lines that differ between a golden file and a run, with lines around them.
package struct LineDifference: Hashable, Sendable {
  package struct Line: Hashable, Sendable {
    /// The line's number in the golden file, from 1; nil if only the run has it.
    package let goldenLineNumber: Int?
    /// The line's number in the run's text, from 1; nil if only the golden file has it.
    package let actualLineNumber: Int?
    package let text: String
    /// The event of the section that the line is in; nil before the first section.
    package let event: GoldenDocument.Event?
    /// The lines that name the section's runs.
    package let headings: [String]

    package var content: GoldenDocument.Content { GoldenDocument.Content(text) }

    var isInBothTexts: Bool { goldenLineNumber != nil && actualLineNumber != nil }
  }

  /// The differing lines with the lines around them. Lines that are far apart are in different
  /// hunks.
  let hunks: [[Line]]

  /// The number of equal lines that are shown around differing lines.
  static let contextLineCount = 3

  /// Compares two texts; nil if their bytes are equal.
  ///
  /// For parts of golden files, the caller gives the number of the first line, and the lines that
  /// name the runs.
  package init?(golden: String, actual: String, firstLineNumber: Int = 1, headings: [String] = []) {
    guard !golden.utf8.elementsEqual(actual.utf8) else { return nil }
    let documents = [golden, actual].map { text in
      GoldenDocument(parsing: text, of: headings).notingMissingLineFeed(of: text)
    }
    self.hunks = Self.hunks(of: Self.merge(documents[0].lines, documents[1].lines)).map { hunk in
      hunk.map { alignedLine in
        let document = alignedLine.actualIndex == nil ? documents[0] : documents[1]
        let line = document.lines[alignedLine.actualIndex ?? alignedLine.goldenIndex ?? 0]
        return Line(
          goldenLineNumber: alignedLine.goldenIndex.map { $0 + firstLineNumber },
          actualLineNumber: alignedLine.actualIndex.map { $0 + firstLineNumber },
          text: String(line.text),
          event: line.event, headings: document.groupHeadings[line.groupIndex])
      }
    }
  }

  package var changedLines: [Line] { hunks.joined().filter { !$0.isInBothTexts } }

  /// Returns the changed lines among the first `count` lines of the hunks.
  func changedLines(inFirst count: Int) -> [Line] {
    hunks.lazy.joined().prefix(count).filter { !$0.isInBothTexts }
  }

  package var lineCount: Int { hunks.reduce(0) { $0 + $1.count } }

  /// The number of the first differing line in the golden file.
  ///
  /// If the golden file lacks the first differing line, this is the number of its line after that
  /// place, or else of its last line.
  var firstGoldenLineNumber: Int {
    let lines = hunks.first ?? []
    return lines.first { !$0.isInBothTexts }?.goldenLineNumber
      ?? lines.drop { $0.isInBothTexts }.compactMap(\.goldenLineNumber).first
      ?? lines.compactMap(\.goldenLineNumber).last ?? 1
  }

  /// The indices of a line in both texts; nil for a text that does not have the line.
  private struct AlignedLine {
    var goldenIndex: Int?
    var actualIndex: Int?

    var isInBothTexts: Bool { goldenIndex != nil && actualIndex != nil }
  }

  /// Returns the lines of both texts in order, with removed lines before added lines.
  private static func merge(
    _ golden: [GoldenDocument.Line], _ actual: [GoldenDocument.Line]
  ) -> [AlignedLine] {
    // Equal lines of both texts get the same key.
    var keysByBytes: [[UInt8]: Int] = [:]
    let lineKeys = [golden, actual].map { lines in
      lines.map { line in
        let bytes = Array(line.text.utf8)
        let key = keysByBytes[bytes] ?? keysByBytes.count
        keysByBytes[bytes] = key
        return key
      }
    }
    var alignedLines: [AlignedLine] = []
    var (goldenIndex, actualIndex) = (0, 0)
    let end = LineAlignment.Pair(goldenIndex: golden.count, actualIndex: actual.count)
    for pair in LineAlignment(lineKeys[0], lineKeys[1]).pairs + [end] {
      alignedLines += (goldenIndex..<pair.goldenIndex).map { AlignedLine(goldenIndex: $0) }
      alignedLines += (actualIndex..<pair.actualIndex).map { AlignedLine(actualIndex: $0) }
      if pair != end {
        alignedLines.append(
          AlignedLine(goldenIndex: pair.goldenIndex, actualIndex: pair.actualIndex))
      }
      (goldenIndex, actualIndex) = (pair.goldenIndex + 1, pair.actualIndex + 1)
    }
    return alignedLines
  }

  /// Returns the differing lines with the lines around them. Hunks that touch are joined.
  private static func hunks(of alignedLines: [AlignedLine]) -> [ArraySlice<AlignedLine>] {
    var ranges: [Range<Int>] = []
    for index in alignedLines.indices where !alignedLines[index].isInBothTexts {
      let range =
        max(0, index - contextLineCount)..<min(alignedLines.count, index + contextLineCount + 1)
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
  /// The maximum number of Unicode scalars that are shown of a line. It leaves room for the other
  /// parts of a message.
  private static let maximumLength = 1500

  /// The line with its numbers. Invisible characters are escaped.
  package var description: String {
    let sign = isInBothTexts ? " " : goldenLineNumber == nil ? "+" : "-"
    return
      "\(Self.column(goldenLineNumber)) \(Self.column(actualLineNumber)) \(sign) \(text.cutInMiddle(to: Self.maximumLength).onOneLine)"
  }

  /// The description, in red if only the golden file has the line, and in green if only the run has
  /// it.
  var colored: String {
    isInBothTexts
      ? description : "\u{1B}[\(goldenLineNumber == nil ? 32 : 31)m\(description)\u{1B}[0m"
  }

  private static func column(_ number: Int?) -> String {
    (number.map(String.init) ?? "").paddedInFront(to: 6)
  }
}

/// The lines that two texts share, in the order of both texts.
///
/// A key stands for each line, and equal lines have the same key. Short texts are compared exactly.
/// Long texts are split at lines that occur exactly once in each text, so that texts of any length
/// take little time.
struct LineAlignment {
  /// A line of both texts, by its index in each.
  struct Pair: Equatable {
    let goldenIndex: Int
    let actualIndex: Int
  }

  /// The shared lines, in the order of both texts.
  private(set) var pairs: [Pair] = []

  private let goldenKeys: [Int]
  private let actualKeys: [Int]

  /// The most lines of both texts together that are compared exactly.
  private static let maximumExactLineCount = 2000
  /// The most times that a part of a text is split again.
  private static let maximumDepth = 16

  /// Aligns a golden file with a run's text, each as the keys of its lines.
  init(_ goldenKeys: [Int], _ actualKeys: [Int]) {
    self.goldenKeys = goldenKeys
    self.actualKeys = actualKeys
    align(goldenKeys.indices, actualKeys.indices, depth: 0)
  }

  private mutating func align(_ goldenRange: Range<Int>, _ actualRange: Range<Int>, depth: Int) {
    let headCount = zip(goldenRange, actualRange).prefix {
      self.goldenKeys[$0] == self.actualKeys[$1]
    }.count
    let (goldenRemainder, actualRemainder) = (
      goldenRange.dropFirst(headCount), actualRange.dropFirst(headCount)
    )
    let tailCount = zip(goldenRemainder.reversed(), actualRemainder.reversed())
      .prefix { self.goldenKeys[$0] == self.actualKeys[$1] }.count
    pairs += zip(goldenRange, actualRange).prefix(headCount).map(Pair.init)
    alignMiddle(
      goldenRemainder.dropLast(tailCount), actualRemainder.dropLast(tailCount), depth: depth)
    pairs += zip(goldenRange.suffix(tailCount), actualRange.suffix(tailCount)).map(Pair.init)
  }

  /// Aligns parts of the texts whose first lines differ and whose last lines differ.
  private mutating func alignMiddle(
    _ goldenRange: Range<Int>, _ actualRange: Range<Int>, depth: Int
  ) {
    guard !goldenRange.isEmpty, !actualRange.isEmpty else { return }
    let isShort = goldenRange.count + actualRange.count <= Self.maximumExactLineCount
    guard isShort || depth < Self.maximumDepth else { return }
    let (anchors, hasAllSharedLines) = self.anchors(goldenRange, actualRange)
    guard !hasAllSharedLines else {
      pairs += anchors
      return
    }
    guard !isShort else { return alignExactly(goldenRange, actualRange) }
    guard !anchors.isEmpty else { return }
    var (goldenStart, actualStart) = (goldenRange.lowerBound, actualRange.lowerBound)
    for anchor in anchors {
      align(goldenStart..<anchor.goldenIndex, actualStart..<anchor.actualIndex, depth: depth + 1)
      pairs.append(anchor)
      (goldenStart, actualStart) = (anchor.goldenIndex + 1, anchor.actualIndex + 1)
    }
    align(
      goldenStart..<goldenRange.upperBound, actualStart..<actualRange.upperBound, depth: depth + 1)
  }

  /// Aligns parts of the texts so that as few lines as possible differ.
  private mutating func alignExactly(_ goldenRange: Range<Int>, _ actualRange: Range<Int>) {
    let difference = self.actualKeys[actualRange].difference(from: self.goldenKeys[goldenRange])
    let removedOffsets = Set(difference.removals.map(\.index))
    let insertedOffsets = Set(difference.insertions.map(\.index))
    let sharedGoldenIndices = goldenRange.filter {
      !removedOffsets.contains($0 - goldenRange.lowerBound)
    }
    let sharedActualIndices = actualRange.filter {
      !insertedOffsets.contains($0 - actualRange.lowerBound)
    }
    pairs += zip(sharedGoldenIndices, sharedActualIndices).map(Pair.init)
  }

  /// Returns lines that occur exactly once in each part of the texts: the longest series that has
  /// the same order in both parts.
  ///
  /// `hasAllSharedLines` is true if the parts share no other lines.
  private func anchors(
    _ goldenRange: Range<Int>, _ actualRange: Range<Int>
  ) -> (series: [Pair], hasAllSharedLines: Bool) {
    let indicesInActual = Self.indicesByKey(self.actualKeys, actualRange)
    let indicesInGolden = Self.indicesByKey(self.goldenKeys, goldenRange)
    let candidates = goldenRange.compactMap { index -> Pair? in
      let key = self.goldenKeys[index]
      guard indicesInGolden[key] == index, let actualIndex = indicesInActual[key],
        actualIndex >= 0
      else { return nil }
      return Pair(goldenIndex: index, actualIndex: actualIndex)
    }
    let series = Self.longestSeries(candidates)
    return (
      series, series.count == goldenRange.count { indicesInActual[self.goldenKeys[$0]] != nil }
    )
  }

  /// Returns the index of each line in a range, by the line's key; -1 for a line that occurs more
  /// than once.
  private static func indicesByKey(_ keys: [Int], _ range: Range<Int>) -> [Int: Int] {
    Dictionary(range.map { (keys[$0], $0) }, uniquingKeysWith: { _, _ in -1 })
  }

  /// Returns the longest series of candidates that increases in both texts, by a patience sort.
  private static func longestSeries(_ candidates: [Pair]) -> [Pair] {
    // `pileTops` has the candidate on top of each pile. For each candidate, `previousTops` has the
    // top of the previous pile when the candidate was added; -1 if there was none.
    var pileTops: [Int] = []
    var previousTops = Array(repeating: -1, count: candidates.count)
    for (index, candidate) in candidates.enumerated() {
      let pileIndex = pileTops.partitioningIndex {
        candidates[$0].actualIndex >= candidate.actualIndex
      }
      previousTops[index] = pileIndex > 0 ? pileTops[pileIndex - 1] : -1
      if pileIndex < pileTops.count { pileTops[pileIndex] = index } else { pileTops.append(index) }
    }
    var series: [Pair] = []
    var candidateIndex = pileTops.last ?? -1
    while candidateIndex >= 0 {
      series.append(candidates[candidateIndex])
      candidateIndex = previousTops[candidateIndex]
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
