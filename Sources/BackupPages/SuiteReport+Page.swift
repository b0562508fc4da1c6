import BackupCollections
import BackupDiagnostics
import BackupRules
import BackupScenarios
package import BackupVerdicts

extension OutputFormat<SuiteReport> {
  package static var html: OutputFormat { OutputFormat("html") { $0.page } }
}

extension SuiteReport {
  /// What came of the suite, on a page that runs no script.
  fileprivate var page: String {
    var lines = SourceLines()
    let scenarios = results.map { $0.details(&lines) }
    let mistaken = mistaken.map { Self.details($0, &lines) }
    let summary = colored(false).summary.split(separator: "\n")
    let word = isGreen ? "passed" : "error"
    let content: Markup = """
      <p class="\(word)">\(summary.first.map(String.init) ?? "No scenario was run.")</p>
      \(obstacleMarkup)\(orphansMarkup)\
      <section><h2>Scenarios</h2>
      \(Markup.list(mistaken))\(Markup.list(scenarios))</section>

      """
    return Markup.page("Scenarios: what was backed up, and why", content)
  }

  /// Why this is not the report of a whole run.
  private var obstacleMarkup: Markup {
    guard let obstacle = obstacle else { return .empty }
    return "<p><span class=\"error\">error</span> \(obstacle)</p>\n"
  }

  private var orphansMarkup: Markup {
    guard !orphans.isEmpty else { return .empty }
    let word = orphansFail ? "error" : "warning"
    let items = orphans.map { path -> Markup in "<li class=\"path\">\(path)</li>\n" }
    return """
      <section><h2>Golden files without a scenario</h2>
      <p><span class="\(word)">\(word)</span> \(SuiteReport.orphanMessage)</p>
      <ul>\(Markup.list(items))</ul></section>

      """
  }

  /// A file that is no scenario.
  private static func details(_ mistaken: MistakenFile, _ lines: inout SourceLines) -> Markup {
    var items = Markup.empty
    for mistake in mistaken.mistakes {
      let excerpt = lines.excerpt(at: mistake.position, of: mistake.file, caret: true)
      items =
        "\(items)<p>\(mistake.position.place(in: mistake.file)): \(mistake.message)</p>\n\(Markup.block(excerpt))"
    }
    return """
      <details open><summary><span class="error">unreadable</span> <span class="path">\
      \(mistaken.file.id)</span></summary>
      \(items)</details>

      """
  }

}

extension Markup {
  /// Lines as they are, in a box that can be scrolled by keyboard too; nothing for none.
  static func block(_ lines: [String]) -> Markup {
    guard !lines.isEmpty else { return .empty }
    let text = lines.map { line -> Markup in "\(line)\n" }
    return "<pre tabindex=\"0\">\(Markup.list(text))</pre>\n"
  }
}
