import BackupDiagnostics
import BackupExploration
import BackupExplorationReports
import BackupFileTree
import BackupRules
import BackupScenarios
import BackupVerdicts

extension ExplorationReport {
  /// A page that shows the points of each scenario at which an event was injected, and the
  /// problems.
  var page: String {
    func section(_ title: String, _ belongs: (ExploredScenario) -> Bool) -> Markup {
      let scenarios = results.enumerated().filter { belongs($0.element) }
      return Markup.section(title, scenarios.map { $0.element.markup(at: $0.offset) })
    }
    let advice = dependences.map { Markup.block($0.text.split(separator: "\n").map(String.init)) }
    let content: Markup = """
      <p class="verdict \(isGreen ? "passed" : "error")">\(String(results.summary(leftOut: leftOut).dropLast()))</p>
      \(ExplorationRecord.legend)
      \(section("Problems") { $0.isExplored && !$0.problems(for: .tool).isEmpty })\
      \(section("Not explored") { !$0.isExplored })\
      \(Markup.when(!advice.isEmpty, "<section><h2>If an update loses more</h2>\n\(Markup.list(advice))</section>\n"))\
      \(section("No problems") { $0.isExplored && $0.problems(for: .tool).isEmpty })
      """
    return Markup.page(
      "Exploration: what fails if iOS acts at any point", content,
      script: (code: Markup(trusted: PackageResources.Report_js), data: "[]"))
  }
}

extension ExploredScenario {
  fileprivate func markup(at index: Int) -> Markup {
    let name = "s\(index)"
    let problems = problems(for: .tool).enumerated().map { number, problem -> Markup in
      let replay =
        counterexamples.indices.contains(number)
        ? Markup.command(
          counterexamples[number].toolReplay(of: scenario), after: "To see it again, run")
        : .empty
      return """
        <div id="\(name)-\(number)"><p><span class="\(problem.word)">\(problem.word)</span> <code>\(problem.position.place(in: scenario.file))</code>: \
        \(problem.message)</p>
        \(replay)\(Markup.block(problem.details))</div>

        """
    }
    return """
      <details id="\(name)"\(Markup.when(!problems.isEmpty, " open"))><summary><span class="path">\(scenario.id)</span>: \
      \(scenario.title)</summary>
      \(record(for: .tool).markup(in: name))\(Markup.list(problems))</details>

      """
  }
}

extension ExplorationRecord {
  static let legend: Markup = """
    <p class="soft">A number counts the points of a step at which iOS acted, iOS killed the app, or the \
    storage was full, and no problem was found. A red point is a link to a problem.</p>
    """

  /// Returns the summary, and the points of each step, with links to the counterexamples.
  func markup(in name: String) -> Markup {
    obstacle == nil
      ? """
      <p class="soft">\(summary)</p>
      \(pointsTable(in: name))
      """ : .empty
  }

  private func pointsTable(in name: String) -> Markup {
    let rows = points.map { row -> Markup in
      let parts = row.parts.map { part -> Markup in
        guard let problem = part.problem else {
          return "<span style=\"flex-grow:\(part.count)\">\(part.count)</span>"
        }
        return """
          <a href="#\(name)-\(problem.counterexample)" title="\(problem.title)">\(problem.event)</a>
          """
      }
      return """
        <tr><th scope="row">\(row.step)</th><td><div class="points">\(Markup.list(parts))</div></td></tr>

        """
    }
    return """
      <table><thead><tr><th scope="col">Step</th><th scope="col">Before it, and before each of its changes</th></tr></thead>
      <tbody>\(Markup.list(rows))</tbody></table>

      """
  }
}
