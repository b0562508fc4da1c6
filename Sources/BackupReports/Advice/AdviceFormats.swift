import BackupDevice
import BackupDiagnostics
import BackupRules
import BackupScenarios
package import BackupVerdicts

extension ClassAdvice {
  package static let formats: [OutputFormat<[ClassAdvice]>] = [.text, .json, .markdown]
}

extension OutputFormat<[ClassAdvice]> {
  /// For people: a paragraph for each class and oldest system, at most 100 columns wide.
  fileprivate static var text: OutputFormat {
    OutputFormat("text") { advice in advice.map(\.paragraph).joined(separator: "\n") }
  }

  fileprivate static var json: OutputFormat {
    json { advice -> JSONValue in
      ["format": .number(1), "advice": .array(advice.map(\.json))]
    }
  }

  fileprivate static var markdown: OutputFormat {
    OutputFormat("markdown") { advice in
      let topics = ClassAdvice.Topic.allCases.map(\.rawValue).joined(separator: " | ")
      return "| class | oldest iOS | \(topics) |\n|---|---|---|---|---|---|\n"
        + advice.map(\.row).joined()
    }
  }
}

extension ClassAdvice {
  fileprivate var paragraph: String {
    let lines = recommendations.flatMap { recommendation in
      Self.lines(recommendation.text(citing: \.key), after: "  \(recommendation.topic.rawValue)")
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

  fileprivate var row: String {
    let cells = recommendations.map { recommendation in recommendation.text { "`\($0.key)`" } }
    return "| `\(dataClass.rawValue)` | \(systemsInWords) | \(cells.joined(separator: " | ")) |\n"
  }
}

extension ClassAdvice.Recommendation {
  fileprivate func text(citing name: (SystemProfile.Source) -> String) -> String {
    sources.isEmpty ? text : "\(text) (\(sources.map(name).joined(separator: ", ")))"
  }
}

extension ClassAdvice {
  fileprivate var json: JSONValue {
    let byTopic: [(String, JSONValue)] = recommendations.map { recommendation in
      let sources = recommendation.sources.map(\.key)
      return (
        recommendation.topic.rawValue,
        ["text": .string(recommendation.text), "sources": .strings(sources)]
      )
    }
    return [
      "class": .string(dataClass.rawValue), "meaning": .string(dataClass.meaning),
      "oldestSystems": .strings(oldestSystems.map(\.description)),
      "points": .object(Dictionary(byTopic) { first, _ in first }),
    ]
  }
}
