import BackupCollections
import BackupDiagnostics

/// Finds the lines that two texts share, in an order that keeps both texts' own.
///
/// Lines are numbers, equal for equal lines. Short stretches are compared exactly; long ones are
/// cut at lines that either text has just once, so that texts of any length take little time.
struct LineAlignment {
  /// A line of both texts, by its index in each.
  typealias Pair = (golden: Int, actual: Int)

  /// The shared lines, increasing in both texts.
  private(set) var pairs: [Pair] = []

  private let golden: [Int]
  private let actual: [Int]

  /// The most lines of both texts together that are compared exactly.
  private static let exactLimit = 2000
  /// How often a stretch may be cut again.
  private static let deepest = 16

  /// Aligns a golden file with what came, each as the numbers of its lines.
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
    pairs += zip(golden, actual).prefix(head).map { ($0, $1) }
    alignMiddle(goldenRest.dropLast(tail), actualRest.dropLast(tail), depth: depth)
    pairs += zip(golden.suffix(tail), actual.suffix(tail)).map { ($0, $1) }
  }

  /// Aligns stretches that neither begin nor end alike.
  private mutating func alignMiddle(_ golden: Range<Int>, _ actual: Range<Int>, depth: Int) {
    guard !golden.isEmpty, !actual.isEmpty else { return }
    let isShort = golden.count + actual.count <= Self.exactLimit
    guard isShort || depth < Self.deepest else { return }
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
    let kept = golden.filter { !removed.contains($0 - golden.lowerBound) }
    let came = actual.filter { !inserted.contains($0 - actual.lowerBound) }
    pairs += zip(kept, came).map { ($0, $1) }
  }

  /// The lines that stand once in either stretch, of those in another order the longest row; and
  /// whether these are all that the stretches share.
  private func anchors(
    _ golden: Range<Int>, _ actual: Range<Int>
  ) -> (row: [Pair], areAll: Bool) {
    let places = Self.uniqueLines(self.actual, actual)
    let unique = Self.uniqueLines(self.golden, golden)
    let candidates = golden.compactMap { index -> Pair? in
      let line = self.golden[index]
      guard unique[line] == index, let place = places[line], place >= 0 else { return nil }
      return (index, place)
    }
    let row = Self.longestRow(candidates)
    return (row, row.count == golden.count { places[self.golden[$0]] != nil })
  }

  /// The index of each line of a range, -1 for a line that occurs more than once.
  private static func uniqueLines(_ lines: [Int], _ range: Range<Int>) -> [Int: Int] {
    Dictionary(range.map { (lines[$0], $0) }, uniquingKeysWith: { _, _ in -1 })
  }

  /// The most pairs that increase in the other text too; a patience sort.
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
