import BackupScenarios

/// A way to write the table of requirements; adding one means one file and one line in ``all``.
package struct RequirementFormat: Sendable {
  /// The name on the command line.
  package let name: String
  /// Writes a table as a whole text.
  package let render: @Sendable (RequirementCoverage) -> String

  /// A format by name.
  init(_ name: String, _ render: @escaping @Sendable (RequirementCoverage) -> String) {
    self.name = name
    self.render = render
  }

  /// The formats, the usual one first.
  package static let all: [RequirementFormat] = [.text, .json, .markdown]
}

extension RequirementCoverage {
  /// How many requirements and scenarios there are, and what is not shown, in a line.
  package var summary: String {
    let scenarios = scenarioCount == 1 ? "1 scenario" : "\(scenarioCount) scenarios"
    let uncovered = rows.count { !$0.gaps.isEmpty }
    let state =
      uncovered == 0
      ? "each is kept, and broken where an app can break it" : "\(uncovered) not wholly shown"
    return "\(rows.count) requirements, \(scenarios): \(state)"
  }
}

extension RequirementCoverage.Row {
  /// What breaks it, in words where it is no scenario.
  var breakingInWords: String {
    if !breaking.isEmpty { return breaking.joined(separator: ", ") }
    return requirement.breach.reasonForNone.map { "nothing here: \($0)" } ?? "no scenario"
  }

  /// What keeps it, in words.
  var keepingInWords: String {
    keeping.isEmpty ? "no scenario" : keeping.joined(separator: ", ")
  }
}
