import BackupScenarios

/// A golden file taken apart into the sections of its runs.
struct GoldenSections {
  /// The lines that name some runs with the same outcome, those below them, and the number that the
  /// first of these has in the file, from 1.
  typealias Section = (headers: [String], body: [String], firstLine: Int)

  /// The sections, in the order of the file.
  private var sections: [Section] = []
  /// The scenario whose runs the lines between sections name.
  private let scenario: Scenario

  /// Takes a golden file apart; lines before the first section are passed over.
  init(_ text: String, _ scenario: Scenario) {
    self.scenario = scenario
    var wasHeader = false
    let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.map(String.init).enumerated() where !line.isEmpty {
      let isHeader = line.hasPrefix(VariantGroup.keyword)
      if isHeader, !wasHeader { sections.append(([], [], 0)) }
      if let last = sections.indices.last {
        if isHeader {
          sections[last].headers.append(line)
          sections[last].firstLine = index + 2
        } else {
          sections[last].body.append(line)
        }
      }
      wasHeader = isHeader
    }
  }

  /// The section of a run; nil where none names it.
  func section(of variant: Scenario.Variant) -> Section? {
    sections.first { VariantGroup(namedBy: $0.headers, of: scenario).contains(variant) }
  }
}
