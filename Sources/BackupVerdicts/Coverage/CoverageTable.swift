import BackupDevice
import BackupDiagnostics
import BackupScenarios

extension OutputFormat<RequirementCoverage> {
  /// For people: a paragraph for each requirement, its lines aligned, at most 100 columns wide.
  static var text: OutputFormat {
    OutputFormat("text") { coverage in
      let width = coverage.rows.map(\.requirement.id.count).max() ?? 0
      return coverage.rows.map { $0.paragraph(idWidth: width) }.joined(separator: "\n")
        + "\n\(coverage.summary)\n"
    }
  }

  /// For documentation: one table, sources linked.
  static var markdown: OutputFormat {
    OutputFormat("markdown") { coverage in
      let head = """
        | requirement | statement | evidence | sources | kept by | broken by |
        |---|---|---|---|---|---|

        """
      return head + coverage.rows.map { "\($0.markdown)\n" }.joined() + "\n\(coverage.summary)\n"
    }
  }
}

extension RequirementCoverage.Row {
  /// The column in which the ids of scenarios begin.
  private static let indent = 13

  /// The requirement in a few lines.
  fileprivate func paragraph(idWidth: Int) -> String {
    let start = "\(requirement.id.padded(to: idWidth))  \(requirement.evidence.rawValue)"
    let sources = requirement.sources.map(\.key).joined(separator: ", ")
    let lines =
      WrappedText.lines(sources, after: start, indent: sources.isEmpty ? 0 : idWidth + 14)
      + WrappedText.lines(requirement.statement, indent: 2)
      + WrappedText.lines(keepingInWords, after: "  kept by", indent: Self.indent)
      + WrappedText.lines(breakingInWords, after: "  broken by", indent: Self.indent)
    return lines.map { "\($0)\n" }.joined()
  }
}

extension RequirementCoverage.Row {
  /// The requirement as a line of a table.
  fileprivate var markdown: String {
    let cells = [
      "`\(requirement.id)`", Self.escape(requirement.statement), requirement.evidence.rawValue,
      requirement.sources.map(Self.link).joined(separator: ", "),
      keeping.isEmpty ? keepingInWords : Self.code(keeping),
      breaking.isEmpty ? Self.escape(breakingInWords) : Self.code(breaking),
    ]
    return "| \(cells.joined(separator: " | ")) |"
  }

  /// A source's key, linked where there is something to read.
  private static func link(_ source: SystemProfile.Source) -> String {
    source.address.map { "[\(source.key)](\($0))" } ?? source.key
  }

  /// Ids of scenarios as Markdown's code, so that nothing in them is taken for markup.
  private static func code(_ ids: [String]) -> String {
    ids.map { "`\(escape($0))`" }.joined(separator: ", ")
  }

  /// A text that ends no cell.
  private static func escape(_ text: String) -> String {
    text.replacing("|", with: "\\|").replacing("\n", with: " ")
  }
}

extension RequirementCoverage.Row {
  /// What breaks it, in words where it is no scenario.
  fileprivate var breakingInWords: String {
    if !breaking.isEmpty { return breaking.joined(separator: ", ") }
    return requirement.breach.reasonForNone.map { "nothing here: \($0)" } ?? "no scenario"
  }

  /// What keeps it, in words.
  fileprivate var keepingInWords: String {
    keeping.isEmpty ? "no scenario" : keeping.joined(separator: ", ")
  }
}
