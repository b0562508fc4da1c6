import BackupDiagnostics
import BackupExploration
import BackupExplorationReports
import BackupFileTree
import BackupRules
import BackupScenarios
import BackupVerdicts

extension ExplorationReport {
  /// Returns a page with the problems, and with the points at which exploration injected events
  /// into each scenario.
  func page(in file: TextFile?) -> String {
    var problemList = ProblemList(in: file)
    func section(_ title: String, _ belongs: (ExploredScenario) -> Bool) -> Markup {
      let scenarios = results.enumerated().filter { belongs($0.element) }
      return Markup.section(title, scenarios.map { $0.element.markup(at: $0.offset, &problemList) })
    }
    let dependenceBlocks = updateLossProblems.map {
      Markup.block($0.text.split(separator: "\n").map(String.init))
    }
    let content: Markup = """
      \(section("Problems") { $0.isExplored && !$0.problems(for: .tool).isEmpty })\
      \(section("Not explored") { !$0.isExplored })\
      \(Markup.when(!dependenceBlocks.isEmpty, "<section><h2>If an update loses more</h2>\n\(Markup.joined(dependenceBlocks))</section>\n"))\
      \(section("No problems") { $0.isExplored && $0.problems(for: .tool).isEmpty })\
      \(problemList.rulesSection)
      """
    return Markup.page(
      String(results.summary(skippedScenarioCount: skippedScenarioCount).dropLast()),
      isGreen ? .good : .bad,
      from: .current(), content,
      script: (code: Markup(trusted: PackageResources.Report_js), data: "[]"))
  }
}

extension ExploredScenario {
  fileprivate func markup(at index: Int, _ problemList: inout ProblemList) -> Markup {
    let elementID = "s\(index)"
    let problems = problems(for: .tool)
    let problemsMarkup = problems.errorsFirst.map { problemIndex, problem -> Markup in
      var addition = ProblemList.Addition()
      if counterexamples.indices.contains(problemIndex) {
        addition.command = (
          counterexamples[problemIndex].toolReplayCommand(of: scenario), "To see it again, run"
        )
      }
      return """
        <div id="\(elementID)-\(problemIndex)" class="problem">\(problemList.markup(of: problem, in: scenario.file, addition))</div>

        """
    }
    return """
      <details id="\(elementID)"\(Markup.when(!problems.isEmpty, " open"))><summary>\(Markup.path(scenario.id)): \
      \(scenario.title)</summary>
      \(Markup.joined(problemsMarkup))\(record(for: .tool).markup(in: elementID))</details>

      """
  }
}

extension ExplorationRecord {
  /// Returns the summary and a table of the points of each step. Links lead to the counterexamples
  /// in the page's element `elementID`. Returns empty markup if the scenario was not explored.
  func markup(in elementID: String) -> Markup {
    obstacle == nil
      ? """
      <p class="soft">\(summary)</p>
      \(pointsTable(in: elementID))
      """ : .empty
  }

  /// Returns a table with a tick for each point: iOS acted there, iOS killed the app, or the
  /// storage was full.
  private func pointsTable(in elementID: String) -> Markup {
    let rows = points.map { row -> Markup in
      let ticks = row.parts.map { part -> Markup in
        part.problem == nil
          ? "<i style=\"--count:\(max(0, min(part.count, Self.maximumTickCount)))\"></i>"
          : "<i class=\"wrong\"></i>"
      }
      let problems = row.parts.compactMap(\.problem)
      let links = problems.map { problem -> Markup in
        """
        <a href="#\(elementID)-\(problem.counterexample)" title="\(problem.title)">\(problem.event)</a>
        """
      }
      let pointCount = row.parts.reduce(0) { $0 + max(0, min($1.count, Self.maximumPointCount)) }
      let dataLabel: Markup = .when(!links.isEmpty, " data-label=\"A problem after\"")
      return """
        <tr><th scope="row">\(Markup.prose(row.step))</th>\
        <td class="number" data-label="Points tried">\(pointCount.withCommas)</td>\
        <td><span class="points" aria-hidden="true">\(Markup.joined(ticks))</span></td>\
        <td\(dataLabel)>\(Markup.joined(links, separator: ", "))</td></tr>

        """
    }
    return .when(
      !rows.isEmpty,
      """
      <table class="explored"><thead><tr><th scope="col">Step</th>\
      <th scope="col" class="number">Points tried</th><th scope="col">In order</th>\
      <th scope="col">A problem after</th></tr></thead>
      <tbody>\(Markup.joined(rows))</tbody></table>

      """)
  }

  private static let maximumTickCount = 60
  /// A larger number of points counts as this number. Results may be from an untrusted source, and
  /// a sum must not overflow.
  private static let maximumPointCount = 1_000_000_000
}
