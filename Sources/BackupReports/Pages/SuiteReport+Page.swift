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

extension ScenarioResult {
  private static let mostChanges = 100

  /// The scenario on the page of a suite, with all there is to say of it; open where it failed.
  func details(_ lines: inout SourceLines) -> Markup {
    let isOpen = ![.passed, .skipped].contains(verdict)
    var shown = Markup.empty
    for problem in problems { shown = "\(shown)\(markup(problem, &lines))" }
    return """
      <details data-scenario="\(scenario.id)"\(Markup.when(isOpen, " open"))>\
      <summary><span class="\(verdictClass)">\(verdict.rawValue)</span> \
      <span class="path">\(scenario.id)</span>: \(scenario.title.asMessage)</summary>
      \(shown)\(expected)\(timelines)</details>

      """
  }

  private var verdictClass: String {
    switch verdict {
    case .passed: "passed"
    case .skipped: "soft"
    default: "error"
    }
  }

  private func markup(_ problem: Scenario.Problem, _ lines: inout SourceLines) -> Markup {
    let word = problem.isFailure ? "error" : problem.severity.rawValue
    let variants = problem.variants.map { " [\($0)]" } ?? ""
    let file = scenario.file
    let excerpt = lines.excerpt(at: problem.position, of: file, caret: false)
    return """
      <p><span class="\(word)">\(word)</span> <code>\(problem.position.place(in: file))</code>: \
      \(problem.message)\(variants)</p>
      \(Markup.block(excerpt + problem.details.map { "    \($0)" }))
      """
  }

  private var expected: Markup {
    let findings = mergedFindings.filter(\.judged.isExpected).map { merged -> Markup in
      let finding = merged.judged.finding
      return """
        <li><code>\(finding.rule)</code> at \(finding.step.description), line \
        \(finding.step.position.line): \(finding.message.asMessage)</li>

        """
    }
    guard !findings.isEmpty else { return .empty }
    return "<h3>Findings, as expected</h3>\n<ul>\(Markup.list(findings))</ul>\n"
  }

  /// The time line of each run; runs with the same share one.
  private var timelines: Markup {
    let runs = runs.compactMap { run in
      run.transcript.map { (variant: run.variant, html: timeline(Timeline(of: $0))) }
    }
    let alike = runs.grouped { $0.html.html }.map { alike -> Markup in
      """
      <h3>\(runNames(of: alike.map(\.variant)))</h3>
      \(alike.first?.html ?? .empty)
      """
    }
    return .list(alike)
  }

  private func timeline(_ timeline: Timeline) -> Markup {
    guard !timeline.moments.isEmpty else {
      return "<p class=\"soft\">The system did nothing.</p>\n"
    }
    let moments = timeline.moments.map { moment -> Markup in
      let amount: Markup = moment.amount.isEmpty ? .empty : ": \(moment.amount)"
      return """
        <li><b>\(moment.step.description)</b> (line \(moment.step.position.line)) \
        \(moment.step.summary)\(amount)\(changes(moment.changes))</li>

        """
    }
    return "<ol class=\"timeline\">\(Markup.list(moments))</ol>\n"
  }

  private func changes(_ changes: [Timeline.Change]) -> Markup {
    guard !changes.isEmpty else { return .empty }
    let items = changes.prefix(Self.mostChanges).map { change -> Markup in
      let bytes: Markup =
        change.bytes.map { " <span class=\"soft\">\($0.formattedSize)</span>" } ?? .empty
      return """
        <li><span class="\(change.kind.styleClass)">\(change.kind.rawValue)</span> \
        <span class="path">\(change.name)</span>\(bytes): \(change.why)</li>

        """
    }
    let rest = changes.count - items.count
    let more: Markup = rest > 0 ? "<li class=\"soft\">… and \(rest) more</li>" : .empty
    return "\n<ul class=\"changes\">\(Markup.list(items))\(more)</ul>"
  }
}

extension Timeline.ChangeKind {
  fileprivate var styleClass: String {
    switch self {
    case .cameIn, .resized: "in"
    case .wentOut, .lost: "mark"
    case .leftOut: "place"
    }
  }
}
