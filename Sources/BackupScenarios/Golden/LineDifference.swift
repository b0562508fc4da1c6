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

    /// Whether both have it.
    public var isCommon: Bool { goldenNumber != nil && actualNumber != nil }
  }

  /// Stretches of differing lines with the context around them.
  public let hunks: [[Line]]

  /// How many lines that are the same stand around those that differ.
  static let context = 3

  /// Compares two texts; nil where they are equal.
  init?(golden: String, actual: String) {
    guard golden != actual else { return nil }
    let lines = Self.merge(Self.lines(of: golden), Self.lines(of: actual))
    self.hunks = Self.hunks(of: lines)
  }

  /// A text's lines; one without a line feed at its end differs from one with.
  private static func lines(of text: String) -> [String] {
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.last?.isEmpty == true { lines.removeLast() } else { lines.append("(no line feed)") }
    return lines
  }

  /// All lines of both, in an order that keeps both texts' own.
  private static func merge(_ golden: [String], _ actual: [String]) -> [Line] {
    let difference = actual.difference(from: golden)
    let removed = Set(difference.removals.map(offset))
    let inserted = Set(difference.insertions.map(offset))
    var lines: [Line] = []
    var (old, new) = (0, 0)
    while old < golden.count || new < actual.count {
      if removed.contains(old) {
        lines.append(Line(goldenNumber: old + 1, actualNumber: nil, text: golden[old]))
        old += 1
      } else if inserted.contains(new) {
        lines.append(Line(goldenNumber: nil, actualNumber: new + 1, text: actual[new]))
        new += 1
      } else {
        lines.append(Line(goldenNumber: old + 1, actualNumber: new + 1, text: golden[old]))
        (old, new) = (old + 1, new + 1)
      }
    }
    return lines
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
  /// Each line with its numbers in both texts; `-` is the golden file's, `+` what came.
  public var description: String {
    hunks.map { $0.map(\.description).joined(separator: "\n") }.joined(separator: "\n  …\n")
  }
}

extension LineDifference.Line: CustomStringConvertible {
  /// The line with its numbers.
  public var description: String {
    let sign = isCommon ? " " : goldenNumber == nil ? "+" : "-"
    return "\(Self.column(goldenNumber)) \(Self.column(actualNumber)) \(sign) \(text)"
  }

  /// A number, or its absence, in five columns.
  private static func column(_ number: Int?) -> String {
    let text = number.map(String.init) ?? ""
    return String(repeating: " ", count: max(0, 5 - text.count)) + text
  }
}
