import BackupDevice
import BackupScenarios

extension RequirementFormat {
  /// For people: a paragraph for each requirement, its lines aligned, at most 100 columns wide.
  static let text = RequirementFormat("text") { coverage in
    let width = coverage.rows.map(\.requirement.id.count).max() ?? 0
    return coverage.rows.map { $0.paragraph(idWidth: width) }.joined(separator: "\n")
      + "\n\(coverage.summary)\n"
  }
}

extension RequirementCoverage.Row {
  /// The widest line, in columns.
  private static let columns = 100

  /// The requirement in a few lines.
  fileprivate func paragraph(idWidth: Int) -> String {
    let sources = requirement.sources.map(\.key).joined(separator: ", ")
    let evidence = requirement.evidence.rawValue
    let heading =
      "\(Self.pad(requirement.id, to: idWidth))  "
      + (sources.isEmpty ? evidence : "\(Self.pad(evidence, to: 10))  \(sources)")
    let lines =
      [heading] + Self.wrap(requirement.statement, label: "")
      + Self.wrap(keepingInWords, label: "kept by") + Self.wrap(breakingInWords, label: "broken by")
    return lines.map { "\($0)\n" }.joined()
  }

  /// A text in lines that stand in one column, a label before the first.
  private static func wrap(_ text: String, label: String) -> [String] {
    let indent = label.isEmpty ? 2 : 13
    var lines: [String] = []
    var line = pad(label.isEmpty ? "" : "  \(label)", to: indent)
    var isEmpty = true
    for word in text.split(separator: " ") {
      if !isEmpty, line.count + 1 + word.count > columns {
        lines.append(line)
        line = pad("", to: indent)
        isEmpty = true
      }
      line += isEmpty ? "\(word)" : " \(word)"
      isEmpty = false
    }
    return lines + [line]
  }

  /// A text filled up with spaces.
  private static func pad(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
