import BackupDevice
import BackupDiagnostics
import BackupRules
import BackupScenarios
package import BackupVerdicts

extension ClassAdvice {
  package static let formats: [OutputFormat<[ClassAdvice]>] = [
    OutputFormat("text") { advice in advice.map(\.paragraph).joined(separator: "\n") },
    .json { advice -> JSONValue in
      ["format": .number(1), "advice": .array(advice.map(\.json))]
    },
    OutputFormat("markdown") { advice in
      let topicHeadings = Topic.allCases.map(\.rawValue).joined(separator: " | ")
      return "| class | oldest iOS | \(topicHeadings) |\n|---|---|---|---|---|---|\n"
        + advice.map(\.row).joined()
    },
  ]

  private var paragraph: String {
    let lines = recommendations.flatMap { recommendation in
      Self.lines(recommendation.text(citing: \.key), after: "  \(recommendation.topic.rawValue)")
    }
    let title = "\(dataClass.rawValue), oldest iOS: \(systemsInWords)"
    let meaning = Self.lines(dataClass.meaning, after: "  is")
    return ([title] + meaning + lines).map { "\($0)\n" }.joined()
  }

  /// Returns lines of at most 90 columns with an indent of 10 columns. In the first line, `label`
  /// takes the place of the indent.
  private static func lines(_ text: String, after label: String) -> [String] {
    text.split(separator: " ").map(String.init).wrappedLines(to: 90).enumerated().map {
      index, line in
      (index == 0 ? label : "").padded(to: 10) + line
    }
  }

  private var row: String {
    let cells = recommendations.map { recommendation in recommendation.text { "`\($0.key)`" } }
    return "| `\(dataClass.rawValue)` | \(systemsInWords) | \(cells.joined(separator: " | ")) |\n"
  }

  private var json: JSONValue {
    let members: [(String, JSONValue)] = recommendations.map { recommendation in
      let sources = recommendation.sources.map(\.key)
      return (
        recommendation.topic.rawValue,
        ["text": .string(recommendation.text), "sources": .strings(sources)]
      )
    }
    return [
      "class": .string(dataClass.rawValue), "meaning": .string(dataClass.meaning),
      "oldestSystems": .strings(oldestSystems.map(\.description)),
      "points": .object(Dictionary(members) { first, _ in first }),
    ]
  }
}

extension ClassAdvice.Recommendation {
  fileprivate func text(citing citation: (SystemProfile.Source) -> String) -> String {
    sources.isEmpty ? text : "\(text) (\(sources.map(citation).joined(separator: ", ")))"
  }
}
