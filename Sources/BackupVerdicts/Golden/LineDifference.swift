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

  /// The stretches of differing lines with the lines around them.
  let hunks: [[Line]]

  /// The number of equal lines that are shown around differing lines.
  static let context = 3

  /// Compares two texts byte by byte; nil if they are equal.
  ///
  /// `firstLine` is the number of the texts' first line. For parts of texts, `section` names the runs.
  package init?(golden: String, actual: String, firstLine: Int = 1, section: [String] = []) {
    guard !golden.utf8.elementsEqual(actual.utf8) else { return nil }
    let texts = [golden, actual].map { text in
      GoldenDocument(parsing: text, of: section).notingMissingLineFeed(of: text)
    }
    self.hunks = Self.hunks(of: Self.merge(texts[0].lines, texts[1].lines)).map { places in
      places.map { place in
        let document = place.actual == nil ? texts[0] : texts[1]
        let line = document.lines[place.actual ?? place.golden ?? 0]
        return Line(
          goldenNumber: place.golden.map { $0 + firstLine },
          actualNumber: place.actual.map { $0 + firstLine }, text: String(line.text),
          event: line.event, section: document.runs[line.group])
      }
    }
  }

  package var changedLines: [Line] { hunks.joined().filter { !$0.isCommon } }

  /// Returns the changed lines among the first lines that are shown.
  func changedLines(inFirst count: Int) -> [Line] {
    hunks.lazy.joined().prefix(count).filter { !$0.isCommon }
  }

  package var lineCount: Int { hunks.reduce(0) { $0 + $1.count } }

  /// The number of the golden file's first line that differs, or before which the run has a new line.
  var firstGoldenLine: Int {
    let lines = hunks.first ?? []
    return lines.first { !$0.isCommon }?.goldenNumber
      ?? lines.drop { $0.isCommon }.compactMap(\.goldenNumber).first
      ?? lines.compactMap(\.goldenNumber).last ?? 1
  }

  /// The indices of a line in both texts; nil for a text that does not have it.
  private struct Place {
    var golden: Int?
    var actual: Int?

    var isCommon: Bool { golden != nil && actual != nil }
  }

  /// Returns the lines of both texts in the order of each, with removed lines before added ones.
  private static func merge(
    _ golden: [GoldenDocument.Line], _ actual: [GoldenDocument.Line]
  ) -> [Place] {
    var numbers: [[UInt8]: Int] = [:]
    let ids = [golden, actual].map { lines in
      lines.map { line in
        let bytes = Array(line.text.utf8)
        let id = numbers[bytes] ?? numbers.count
        numbers[bytes] = id
        return id
      }
    }
    var places: [Place] = []
    var (old, new) = (0, 0)
    let end = LineAlignment.Pair(golden: golden.count, actual: actual.count)
    for pair in LineAlignment(ids[0], ids[1]).pairs + [end] {
      places += (old..<pair.golden).map { Place(golden: $0) }
      places += (new..<pair.actual).map { Place(actual: $0) }
      if pair != end { places.append(Place(golden: pair.golden, actual: pair.actual)) }
      (old, new) = (pair.golden + 1, pair.actual + 1)
    }
    return places
  }

  /// Returns the stretches around differing lines, joined if they touch.
  private static func hunks(of places: [Place]) -> [ArraySlice<Place>] {
    var ranges: [Range<Int>] = []
    for index in places.indices where !places[index].isCommon {
      let range = max(0, index - context)..<min(places.count, index + context + 1)
      if let last = ranges.last, range.lowerBound <= last.upperBound {
        ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
      } else {
        ranges.append(range)
      }
    }
    return ranges.map { places[$0] }
  }

  /// Returns the first lines with their numbers in both texts: `-` is the golden file's, `+` is the run's.
  ///
  /// The count does not include lines that stand for a gap.
  package func shownLines(atMost count: Int, isColored: Bool = false) -> [String] {
    var (shown, rest) = ([[String]](), count)
    for hunk in hunks where rest > 0 {
      shown.append(hunk.prefix(rest).map { isColored ? $0.colored : $0.description })
      rest -= hunk.count
    }
    return Array(shown.joined(separator: ["    …"]))
  }
}

extension LineDifference.Line: CustomStringConvertible {
  /// The most Unicode scalars of a line that are shown, fewer than the most in a message.
  private static let longest = 1500

  /// The line with its numbers, and invisible characters escaped.
  package var description: String {
    let sign = isCommon ? " " : goldenNumber == nil ? "+" : "-"
    return
      "\(Self.column(goldenNumber)) \(Self.column(actualNumber)) \(sign) \(text.cutInMiddle(to: Self.longest).onOneLine)"
  }

  /// The description, in red if only the golden file has the line, and in green if only the run has it.
  var colored: String {
    isCommon ? description : "\u{1B}[\(goldenNumber == nil ? 32 : 31)m\(description)\u{1B}[0m"
  }

  private static func column(_ number: Int?) -> String {
    (number.map(String.init) ?? "").paddedInFront(to: 6)
  }
}

/// The lines that two texts share, in the order of both texts.
///
/// Lines are numbers, equal for equal lines. Short stretches are compared exactly; long ones are
/// cut at lines that each text has exactly once, so that texts of any length take little time.
struct LineAlignment {
  /// A line of both texts, by its index in each.
  struct Pair: Equatable {
    let golden: Int
    let actual: Int
  }

  /// The shared lines, increasing in both texts.
  private(set) var pairs: [Pair] = []

  private let golden: [Int]
  private let actual: [Int]

  /// The most lines of both texts together that are compared exactly.
  private static let exactLimit = 2000
  /// The most times that a stretch is cut again.
  private static let mostCuts = 16

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

  /// Aligns stretches that neither begin nor end alike.
  private mutating func alignMiddle(_ golden: Range<Int>, _ actual: Range<Int>, depth: Int) {
    guard !golden.isEmpty, !actual.isEmpty else { return }
    let isShort = golden.count + actual.count <= Self.exactLimit
    guard isShort || depth < Self.mostCuts else { return }
    let (anchors, areAll) = self.anchors(golden, actual)
    guard !areAll else {
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

  /// Aligns stretches with the fewest changes.
  private mutating func alignExactly(_ golden: Range<Int>, _ actual: Range<Int>) {
    let difference = self.actual[actual].difference(from: self.golden[golden])
    let removed = Set(difference.removals.map(\.index))
    let inserted = Set(difference.insertions.map(\.index))
    let sharedInGolden = golden.filter { !removed.contains($0 - golden.lowerBound) }
    let sharedInActual = actual.filter { !inserted.contains($0 - actual.lowerBound) }
    pairs += zip(sharedInGolden, sharedInActual).map(Pair.init)
  }

  /// Returns the longest row, increasing in both texts, of lines that each stretch has exactly once.
  ///
  /// `areAll` is true if the stretches share no other lines.
  private func anchors(_ golden: Range<Int>, _ actual: Range<Int>) -> (row: [Pair], areAll: Bool) {
    let places = Self.uniqueLines(self.actual, actual)
    let unique = Self.uniqueLines(self.golden, golden)
    let candidates = golden.compactMap { index -> Pair? in
      let line = self.golden[index]
      guard unique[line] == index, let place = places[line], place >= 0 else { return nil }
      return Pair(golden: index, actual: place)
    }
    let row = Self.longestRow(candidates)
    return (row, row.count == golden.count { places[self.golden[$0]] != nil })
  }

  /// Returns the index of each line of a range; -1 for a line that occurs more than once.
  private static func uniqueLines(_ lines: [Int], _ range: Range<Int>) -> [Int: Int] {
    Dictionary(range.map { (lines[$0], $0) }, uniquingKeysWith: { _, _ in -1 })
  }

  /// Returns the most pairs that increase in both texts, by a patience sort.
  private static func longestRow(_ candidates: [Pair]) -> [Pair] {
    var tops: [Int] = []
    var before = Array(repeating: -1, count: candidates.count)
    for (index, pair) in candidates.enumerated() {
      let place = tops.partitioningIndex { candidates[$0].actual >= pair.actual }
      before[index] = place > 0 ? tops[place - 1] : -1
      if place < tops.count { tops[place] = index } else { tops.append(index) }
    }
    var row: [Pair] = []
    var next = tops.last ?? -1
    while next >= 0 {
      row.append(candidates[next])
      next = before[next]
    }
    return row.reversed()
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
