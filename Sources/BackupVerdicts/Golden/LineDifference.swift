import BackupDiagnostics

/// The lines that differ between a golden file and a run, with lines around them.
struct LineDifference: Hashable, Sendable {
  /// A line of either text.
  struct Line: Hashable, Sendable {
    /// Its number in the golden file, from 1; nil where only the run has it.
    let goldenNumber: Int?
    /// Its number in what came, from 1; nil where only the golden file has it.
    let actualNumber: Int?
    /// The line's text, without its end.
    let text: String
    /// The line that begins the section it is in, `step 4 backup …`; nil before the first.
    let heading: String?
    /// The lines above that, which name the section's runs.
    let section: [String]

    fileprivate init(_ line: PlacedLine, golden goldenNumber: Int?, actual actualNumber: Int?) {
      self.goldenNumber = goldenNumber
      self.actualNumber = actualNumber
      self.text = line.text
      self.heading = line.heading
      self.section = line.section
    }

    /// The first two words of that, `step 4`.
    var step: String? { heading?.split(separator: " ").prefix(2).joined(separator: " ") }

    var isCommon: Bool { goldenNumber != nil && actualNumber != nil }
  }

  /// Stretches of differing lines with the context around them.
  let hunks: [[Line]]

  /// How many lines that are the same stand around those that differ.
  static let context = 3

  /// Compares two texts byte by byte, from `firstLine` on; nil if they are equal. The lines of
  /// `section` name the runs of a part.
  init?(golden: String, actual: String, firstLine: Int = 1, section: [String] = []) {
    guard !golden.utf8.elementsEqual(actual.utf8) else { return nil }
    let lines = Self.merge(
      Self.lines(of: golden, in: section), Self.lines(of: actual, in: section),
      firstLine: firstLine)
    self.hunks = Self.hunks(of: lines)
  }

  /// The lines that only one of the texts has.
  var changedLines: [Line] { hunks.joined().filter { !$0.isCommon } }

  /// The same of the first lines that are shown.
  func changedLines(inFirst count: Int) -> [Line] {
    hunks.lazy.joined().prefix(count).filter { !$0.isCommon }
  }

  var lineCount: Int { hunks.reduce(0) { $0 + $1.count } }

  /// The golden file's first line that differs, or the one before which a line came; from 1.
  var firstGoldenLine: Int {
    let lines = hunks.first ?? []
    return lines.first { !$0.isCommon }?.goldenNumber
      ?? lines.drop { $0.isCommon }.compactMap(\.goldenNumber).first
      ?? lines.compactMap(\.goldenNumber).last ?? 1
  }

  /// A line of one of the texts, with the one that begins its section, and those that name the
  /// section's runs.
  fileprivate typealias PlacedLine = (text: String, heading: String?, section: [String])

  /// A text's lines; one without a line feed at its end differs from one with.
  private static func lines(of text: String, in section: [String]) -> [PlacedLine] {
    var lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
      .map(String.init)
    if lines.last?.isEmpty == true { lines.removeLast() } else { lines.append("(no line feed)") }
    var (heading, section): (String?, [String]) = (nil, section)
    return lines.enumerated().map { index, line in
      if line.hasPrefix("step ") { heading = line }
      if line.hasPrefix(VariantGroup.keyword) {
        let isNext = index > 0 && lines[index - 1].hasPrefix(VariantGroup.keyword)
        (heading, section) = (nil, isNext ? section + [line] : [line])
      }
      return (line, heading, section)
    }
  }

  /// All lines of both, in an order that keeps both texts' own; what went before what came.
  private static func merge(
    _ golden: [PlacedLine], _ actual: [PlacedLine], firstLine: Int
  ) -> [Line] {
    var numbers: [[UInt8]: Int] = [:]
    let ids = [golden, actual].map { lines in
      lines.map { line in
        let bytes = Array(line.text.utf8)
        let id = numbers[bytes] ?? numbers.count
        numbers[bytes] = id
        return id
      }
    }
    var lines: [Line] = []
    var (old, new) = (0, 0)
    let end = (golden: golden.count, actual: actual.count)
    for pair in LineAlignment(ids[0], ids[1]).pairs + [end] {
      lines += (old..<pair.golden).map { Line(golden[$0], golden: $0 + firstLine, actual: nil) }
      lines += (new..<pair.actual).map { Line(actual[$0], golden: nil, actual: $0 + firstLine) }
      if pair != end {
        lines.append(
          Line(
            actual[pair.actual], golden: pair.golden + firstLine, actual: pair.actual + firstLine))
      }
      (old, new) = (pair.golden + 1, pair.actual + 1)
    }
    return lines
  }

  /// The stretches around differing lines; those that touch are one.
  private static func hunks(of lines: [Line]) -> [[Line]] {
    var ranges: [Range<Int>] = []
    for index in lines.indices where !lines[index].isCommon {
      let range = max(0, index - context)..<min(lines.count, index + context + 1)
      if let last = ranges.last, range.lowerBound <= last.upperBound {
        ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
      } else {
        ranges.append(range)
      }
    }
    return ranges.map { Array(lines[$0]) }
  }
}

extension LineDifference: CustomStringConvertible {
  /// Each line with its numbers in both texts; `-` is the golden file's, `+` what came. A bar
  /// keeps these signs apart from those of the lines themselves.
  var description: String {
    shownLines.joined(separator: "\n")
  }

  private var shownLines: [String] { shownLines(atMost: .max) }

  /// The first lines of the description, not counting those that stand for a gap.
  func shownLines(atMost count: Int) -> [String] {
    var (shown, rest) = ([[String]](), count)
    for hunk in hunks where rest > 0 {
      shown.append(hunk.prefix(rest).map(\.description))
      rest -= hunk.count
    }
    return Array(shown.joined(separator: ["    …"]))
  }
}

extension LineDifference.Line: CustomStringConvertible {
  /// How many Unicode scalars of a line are shown, less than a message has at most.
  private static let longest = 1500

  /// The line with its numbers, and invisible characters escaped.
  var description: String {
    let sign = isCommon ? " " : goldenNumber == nil ? "+" : "-"
    return
      "\(Self.column(goldenNumber)) \(Self.column(actualNumber)) \(sign) | \(text.cutInMiddle(to: Self.longest).onOneLine)"
  }

  /// A number, or its absence, in six columns.
  private static func column(_ number: Int?) -> String {
    (number.map(String.init) ?? "").paddedInFront(to: 6)
  }
}
