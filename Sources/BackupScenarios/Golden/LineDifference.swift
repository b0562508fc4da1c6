/// The lines that differ between a golden file and a run, with lines around them.
public struct LineDifference: Hashable, Sendable {
  /// A line of either text.
  public struct Line: Hashable, Sendable {
    /// Its number in the golden file, from 1; nil where only the run has it.
    public let goldenNumber: Int?
    /// Its number in what came, from 1; nil where only the golden file has it.
    public let actualNumber: Int?
    /// The line.
    public let text: String
    /// The line that begins the section it is in, `step 4 backup …`; nil before the first.
    public let heading: String?

    /// Whether both have it.
    public var isCommon: Bool { goldenNumber != nil && actualNumber != nil }
  }

  /// Stretches of differing lines with the context around them.
  public let hunks: [[Line]]

  /// How many lines that are the same stand around those that differ.
  static let context = 3

  /// Compares two texts; nil where they are equal.
  ///
  /// - Parameters:
  ///   - golden: The golden file, or some of its lines.
  ///   - actual: What came.
  ///   - firstLine: The number in the golden file of the first of its lines.
  init?(golden: String, actual: String, firstLine: Int = 1) {
    guard golden != actual else { return nil }
    let lines = Self.merge(Self.lines(of: golden), Self.lines(of: actual), firstLine)
    self.hunks = Self.hunks(of: lines)
  }

  /// The lines that only one of the texts has.
  public var changedLines: [Line] { hunks.joined().filter { !$0.isCommon } }

  /// The golden file's first line that differs, or the one before which a line came; from 1.
  public var firstGoldenLine: Int {
    let lines = hunks.first ?? []
    return lines.first { !$0.isCommon }?.goldenNumber
      ?? lines.drop { $0.isCommon }.compactMap(\.goldenNumber).first
      ?? lines.compactMap(\.goldenNumber).last ?? 1
  }

  /// A text's lines; one without a line feed at its end differs from one with.
  private static func lines(of text: String) -> [String] {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.last?.isEmpty == true { lines.removeLast() } else { lines.append("(no line feed)") }
    return lines
  }

  /// All lines of both, in an order that keeps both texts' own.
  private static func merge(
    _ golden: [String], _ actual: [String], _ firstLine: Int
  ) -> [Line] {
    let difference = actual.difference(from: golden)
    let removed = Set(difference.removals.map(offset))
    let inserted = Set(difference.insertions.map(offset))
    let headings = (golden: headings(of: golden), actual: headings(of: actual))
    var lines: [Line] = []
    var (old, new) = (0, 0)
    while old < golden.count || new < actual.count {
      let isRemoved = removed.contains(old)
      let isInserted = !isRemoved && inserted.contains(new)
      lines.append(
        Line(
          goldenNumber: isInserted ? nil : old + firstLine, actualNumber: isRemoved ? nil : new + 1,
          text: isInserted ? actual[new] : golden[old],
          heading: isRemoved ? headings.golden[old] : headings.actual[new]))
      if !isInserted { old += 1 }
      if !isRemoved { new += 1 }
    }
    return lines
  }

  /// For each line the last one up to it that begins a section.
  private static func headings(of lines: [String]) -> [String?] {
    var heading: String?
    return lines.map { line in
      if line.hasPrefix("step ") { heading = line }
      if line.hasPrefix(VariantList.keyword) { heading = nil }
      return heading
    }
  }

  /// The line that a change is about.
  private static func offset(_ change: CollectionDifference<String>.Change) -> Int {
    switch change {
    case .insert(let offset, _, _), .remove(let offset, _, _): offset
    }
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
  public var description: String {
    hunks.map { $0.map(\.description).joined(separator: "\n") }.joined(separator: "\n    …\n")
  }
}

extension LineDifference.Line: CustomStringConvertible {
  /// The line with its numbers.
  public var description: String {
    let sign = isCommon ? " " : goldenNumber == nil ? "+" : "-"
    return "\(Self.column(goldenNumber)) \(Self.column(actualNumber)) \(sign) | \(text)"
  }

  /// A number, or its absence, in six columns.
  private static func column(_ number: Int?) -> String {
    let text = number.map(String.init) ?? ""
    return String(repeating: " ", count: max(0, 6 - text.count)) + text
  }
}
