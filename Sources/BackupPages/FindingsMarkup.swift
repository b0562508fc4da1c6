import BackupDiagnostics
import BackupRules
import BackupScenarios

/// What broke a rule, as pages show it.
enum FindingsMarkup {
  /// A section with all findings; it says so where there are none.
  static func section(_ findings: [Scenario.Finding]) -> Markup {
    let items = findings.map { finding -> Markup in
      let word = finding.severity.rawValue
      let details = finding.details.map { line -> Markup in
        "<p class=\"soft\">\(line.asMessage)</p>\n"
      }
      return """
        <li><p><span class="\(word)">\(word)</span> <code>\(finding.rule)</code>: \
        \(finding.message.asMessage)</p>
        \(Markup.list(details))</li>

        """
    }
    let list: Markup =
      items.isEmpty
      ? "<p>None of the rules that could be checked is broken.</p>\n"
      : "<ul class=\"findings\">\(Markup.list(items))</ul>"
    return "<section><h2>Findings</h2>\n\(list)</section>\n"
  }
}
