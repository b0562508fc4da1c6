import BackupDevice
import BackupDiagnostics
import BackupRules
import BackupScenarios

extension ClassAdvice {
  /// The formats of `advise --format`.
  package static let formats = FormatList<[ClassAdvice]>(.text, .json, .markdown)
}

extension OutputFormat<[ClassAdvice]> {
  /// For people: a paragraph for each class and oldest system, at most 100 columns wide.
  fileprivate static var text: OutputFormat {
    OutputFormat("text") { advice in advice.map(\.paragraph).joined(separator: "\n") }
  }

  /// For programs.
  fileprivate static var json: OutputFormat { json { AdviceTable($0) } }

  /// For documentation: one table.
  fileprivate static var markdown: OutputFormat {
    OutputFormat("markdown") { advice in
      let topics = ClassAdvice.Topic.allCases.map(\.rawValue).joined(separator: " | ")
      return "| class | oldest iOS | \(topics) |\n|---|---|---|---|---|---|\n"
        + advice.map(\.row).joined()
    }
  }
}

extension ClassAdvice {
  /// The advice in a few lines.
  fileprivate var paragraph: String {
    let lines = points.flatMap { point in
      Self.lines(point.text(citing: \.key), after: "  \(point.topic.rawValue)")
    }
    let title = "\(dataClass.rawValue), oldest iOS: \(systemsInWords)"
    let meaning = Self.lines(dataClass.meaning, after: "  is")
    return ([title] + meaning + lines)
      .map { "\($0)\n" }.joined()
  }

  /// A text in lines of at most 100 columns, all but what stands before the first indented by 10; a
  /// word that is too long has a line of its own.
  private static func lines(_ text: String, after start: String) -> [String] {
    var lines: [String] = []
    var line = start.padded(to: 10)
    var isEmpty = true
    for word in text.split(separator: " ") {
      if !isEmpty, line.count + 1 + word.count > 100 {
        lines.append(line)
        line = "".padded(to: 10)
        isEmpty = true
      }
      line += isEmpty ? "\(word)" : " \(word)"
      isEmpty = false
    }
    return lines + [line]
  }

  /// The advice as a line of a table.
  fileprivate var row: String {
    let cells = points.map { point in point.text { "`\($0.key)`" } }
    return "| `\(dataClass.rawValue)` | \(systemsInWords) | \(cells.joined(separator: " | ")) |\n"
  }
}

extension ClassAdvice.Point {
  /// What to do, with its sources in parentheses.
  fileprivate func text(citing name: (SystemProfile.Source) -> String) -> String {
    sources.isEmpty ? text : "\(text) (\(sources.map(name).joined(separator: ", ")))"
  }
}

/// The advice as it is encoded.
private struct AdviceTable: Encodable {
  /// The version of this format.
  var format = 1
  /// An entry for each class and oldest system.
  let advice: [Entry]

  init(_ advice: [ClassAdvice]) {
    self.advice = advice.map(Entry.init)
  }

  /// The advice on a class.
  struct Entry: Encodable {
    let dataClass: String
    /// What data of the class is.
    let meaning: String
    /// The oldest systems for which it holds.
    let oldestSystems: [String]
    /// What to do, by topic.
    let points: [String: Point]

    /// The advice on a class.
    init(_ advice: ClassAdvice) {
      dataClass = advice.dataClass.rawValue
      meaning = advice.dataClass.meaning
      oldestSystems = advice.oldestSystems.map(\.description)
      points = Dictionary(
        advice.points.map {
          ($0.topic.rawValue, Point(text: $0.text, sources: $0.sources.map(\.key)))
        }
      ) { first, _ in first }
    }

    /// The keys of an entry.
    enum CodingKeys: String, CodingKey {
      case dataClass = "class"
      case meaning, oldestSystems, points
    }
  }

  struct Point: Encodable {
    let text: String
    /// The keys of its sources.
    let sources: [String]
  }
}
