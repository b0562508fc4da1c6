import BackupDevice
import BackupScenarios

extension RequirementFormat {
  /// For documentation: one table, sources linked.
  static let markdown = RequirementFormat("markdown") { coverage in
    let head = """
      | requirement | statement | evidence | sources | kept by | broken by |
      |---|---|---|---|---|---|

      """
    return head + coverage.rows.map { "\($0.markdown)\n" }.joined() + "\n\(coverage.summary)\n"
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

  /// Ids as code.
  private static func code(_ ids: [String]) -> String {
    ids.map { "`\(escape($0))`" }.joined(separator: ", ")
  }

  /// A text that ends no cell.
  private static func escape(_ text: String) -> String {
    text.replacing("|", with: "\\|").replacing("\n", with: " ")
  }
}
