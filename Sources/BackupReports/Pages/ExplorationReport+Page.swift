import BackupDiagnostics
import BackupExploration
import BackupExplorationReports
import BackupFileTree
import BackupRules
import BackupScenarios
import BackupVerdicts

extension ExplorationReport {
  /// A page that shows at which points of each scenario something was injected, and what went wrong.
  var page: String {
    func section(_ title: String, _ belongs: (ExploredScenario) -> Bool) -> Markup {
      let scenarios = results.enumerated().filter { belongs($0.element) }
      return Markup.section(title, scenarios.map { $0.element.markup(at: $0.offset) })
    }
    let advice = dependences.map { Markup.block($0.text.split(separator: "\n").map(String.init)) }
    let content: Markup = """
      <p class="verdict \(isGreen ? "passed" : "error")">\(String(results.summary(leftOut: leftOut).dropLast()))</p>
      <p class="soft">A number counts the points of a step at which iOS acted, iOS killed the app, or the \
      storage was full, and no problem of the chosen --tier was found. A red point is a link to a problem.</p>
      \(section("Problems") { $0.isExplored && !$0.problems.isEmpty })\
      \(section("Not explored") { !$0.isExplored })\
      \(Markup.when(!advice.isEmpty, "<section><h2>If an update loses more</h2>\n\(Markup.list(advice))</section>\n"))\
      \(section("No problems") { $0.isExplored && $0.problems.isEmpty })
      """
    return Markup.page(
      "Exploration: what fails if iOS acts at any point", content,
      script: (code: Markup(trusted: PackageResources.Report_js), data: "[]"))
  }
}

extension ExploredScenario {
  fileprivate func markup(at index: Int) -> Markup {
    let name = "s\(index)"
    let problems = problems.enumerated().map { number, problem -> Markup in
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
      \(Markup.when(isExplored, "<p class=\"soft\">\(String(line { "--tier \($0)" }.dropLast()))</p>"))
      \(Markup.when(isExplored, pointsTable(in: name)))\(Markup.list(problems))</details>

      """
  }

  private func pointsTable(in name: String) -> Markup {
    let points = Dictionary(grouping: tried, by: \.step)
    var problems: [InjectedEvent: (index: Int, event: InjectedEvent)] = [:]
    for (index, example) in counterexamples.enumerated() {
      for event in example.events.union(example.injected.suffix(1)) {
        let known = problems[event.withoutRecovery]
        problems[event.withoutRecovery] = known ?? (index, event)
      }
    }
    let rows = points.keys.sorted().map { number -> Markup in
      let step = scenario.steps.first { $0.reference.number == .step(number) }?.reference
      let words = step.map { "\($0.withLine): \($0.summary)" } ?? "the end"
      return """
        <tr><th scope="row">\(words)</th><td><div class="points">\
        \(segments(of: points[number] ?? [], problems, in: name))</div></td></tr>

        """
    }
    return """
      <table><thead><tr><th scope="col">Step</th><th scope="col">Before it, and before each of its changes</th></tr></thead>
      <tbody>\(Markup.list(rows))</tbody></table>

      """
  }

  /// The points of a step in their order: those without a problem as a count, each of the others as a
  /// link.
  private func segments(
    of events: [InjectedEvent], _ problems: [InjectedEvent: (index: Int, event: InjectedEvent)],
    in name: String
  ) -> Markup {
    let points = Set(events.map(\.withoutRecovery)).sorted {
      $0.order.lexicographicallyPrecedes($1.order)
    }
    var (markup, fine) = (Markup.empty, 0)
    func finish() {
      if fine > 0 { markup = "\(markup)<span style=\"flex-grow:\(fine)\">\(fine)</span>" }
      fine = 0
    }
    for event in points {
      guard let problem = problems[event] else {
        fine += 1
        continue
      }
      finish()
      let title = "\(problem.event.phrase) (\(scenario.id):\(problem.event))"
      markup =
        "\(markup)<a href=\"#\(name)-\(problem.index)\" title=\"\(title)\">\(event.label)</a>"
    }
    finish()
    return markup
  }
}

extension InjectedEvent {
  /// The same event, whatever the app does after it.
  fileprivate var withoutRecovery: InjectedEvent {
    guard case .within(let change, let killPoint, then: _) = point else { return self }
    return InjectedEvent(step: step, point: .within(change: change, killPoint, then: .retry))
  }

  fileprivate var label: String {
    switch point {
    case .before(let act): act.rawValue
    case .within(_, let point, then: _): point.isStorageFull ? "full" : point.kind.rawValue
    }
  }

  /// What the system does comes first, in the order of its cases; then the changes.
  fileprivate var order: [Int] {
    switch point {
    case .before(let act): [0, Scenario.ExploredAct.allCases.firstIndex(of: act) ?? 0]
    case .within(let change, let point, then: _): [change, point.isStorageFull ? 1 : 0]
    }
  }
}
