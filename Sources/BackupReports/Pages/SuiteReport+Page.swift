import BackupCollections
import BackupDiagnostics
import BackupScenarios
import BackupVerdicts
import Foundation

extension SuiteReport {
  /// Returns a page that shows failures without a script. A script draws the events of each run.
  func page() throws(RunError) -> String {
    var lines = SourceLines()
    func section(_ title: String, failed: Bool) -> Markup {
      let chosen = entries.enumerated().filter { $0.element.hasFailed == failed }
      return Markup.section(title, chosen.map { $0.element.markup(at: $0.offset, &lines) })
    }
    let content: Markup = """
      <p class="verdict \(isGreen ? "passed" : "error")">\(headline)</p>
      <p class="soft">\(summary.split(separator: "\n").joined(separator: "; "))</p>
      \(Markup.when(scenarios.contains { $0.exploration != nil }, ExplorationRecord.legend))\
      \(obstacle.map { "<p><span class=\"error\">error</span> \($0)</p>\n" } ?? .empty)\
      \(causesMarkup)\(orphansMarkup)\(Self.controls)\
      \(section("Failed", failed: true))\(section("Passed or skipped", failed: false))
      """
    return Markup.page(
      "What is backed up, and why", content,
      script: (code: Markup(trusted: PackageResources.Report_js), data: try pageData))
  }

  /// The causes. Causes of only one scenario are folded if others are shared.
  private var causesMarkup: Markup {
    guard scenarios.count(where: \.hasFailed) > 1 else { return .empty }
    let indices = Dictionary(scenarios.enumerated().map { ($1.file, $0) }) { first, _ in first }
    func list(_ causes: some Sequence<Cause>) -> Markup {
      "<ul class=\"causes\">\(Markup.list(causes.map { $0.markup(indices) }))</ul>\n"
    }
    let causes = scenarios.causes
    let shared = causes.prefix { $0.scenarios.count > 1 }
    let single = causes.dropFirst(shared.count)
    let words = "\(single.count.counted("cause")) of one scenario each"
    let singles: Markup =
      shared.isEmpty || single.isEmpty
      ? list(single) : "<details><summary>\(words)</summary>\(list(single))</details>"
    return """
      <section><h2>Causes</h2>
      \(Markup.when(!shared.isEmpty, list(shared)))\(singles)</section>

      """
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

  private static let controls: Markup = """
    <section data-needs-script hidden><h2>Find a scenario</h2>
    <div class="controls"><label>Text in it <input id="search" type="search" autocomplete="off"></label>
    <label>Show <select id="verdict"><option value="">all</option><option>failed</option>\
    <option>recorded</option><option>error</option><option>passed</option><option>skipped</option></select></label></div>
    <p id="found" role="status" class="soft"></p></section>

    """

  /// The runs as JSON without white space.
  private var pageData: Markup {
    get throws(RunError) {
      do {
        return Markup(json: try JSONEncoder().encode(entries.map { try $0.pageRuns() }))
      } catch {
        throw RunError(.unwritable, "the page cannot be written: \(error)")
      }
    }
  }
}

extension Cause {
  private static let mostLinks = 3

  /// Returns the cause with links to its scenarios, which the page identifies by their indices.
  fileprivate func markup(_ indices: [String: Int]) -> Markup {
    let links = scenarios.map { id, file -> Markup in
      "<a href=\"#s\(indices[file] ?? 0)\">\(id)</a>"
    }
    let shown = Markup.list(links.prefix(Self.mostLinks), separator: ", ")
    let rest = links.dropFirst(Self.mostLinks)
    let more: Markup = """
      <details><summary>and \(rest.count) more</summary>\
      \(Markup.list(rest, separator: ", "))</details>
      """
    return """
      <li><p><b>\(sentence)</b></p>
      \(Markup.block(details))\
      <p>In \(scenarios.count.counted("scenario")): \(shown)</p>\
      \(Markup.when(!rest.isEmpty, more))</li>

      """
  }
}

extension ScenarioReport {
  fileprivate func markup(at index: Int, _ lines: inout SourceLines) -> Markup {
    let shown = Markup.list(
      problems.enumerated().map { place, problem in
        """
        <div id="s\(index)-\(place)">\(markup(problem, &lines))</div>

        """
      })
    let points = exploration?.markup(in: "s\(index)") ?? .empty
    return """
      <details id="s\(index)" data-scenario="\(id)" data-verdict="\(verdict.rawValue)"\(Markup.when(hasFailed, " open"))>\
      <summary><span class="\(Self.classes[verdict] ?? "error")">\(isUnreadable ? "unreadable" : verdict.rawValue)</span> \
      <span class="path">\(id)</span>\(title.isEmpty ? "" : ": \(title)")\(labels)</summary>
      \(shown)\(points)<div class="runs"></div></details>

      """
  }

  /// The style sheet's classes for verdicts.
  private static let classes: [ScenarioResult.Verdict: String] = [
    .passed: "passed", .skipped: "soft",
  ]

  private var labels: Markup {
    let words = tags.map { "#\($0)" } + [bug].compactMap(\.self)
    return .when(!words.isEmpty, " <span class=\"soft\">\(words.joined(separator: " "))</span>")
  }

  /// A table of the items that differ, with the golden file's text beside the run's.
  private var goldenTable: Markup {
    let items = goldenItems ?? []
    let rows = items.grouped { [$0.runs, $0.step] }.map { alike -> Markup in
      """
      <tr><th colspan="3" scope="rowgroup" class="soft">\(alike[0].runs): \(alike[0].step)</th></tr>
      \(Markup.list(alike.map(\.markup)))
      """
    }
    let more = moreGoldenItems ?? 0
    let rest =
      more > 0 ? "; \(more.counted("more item")) \(more.form("differs", plural: "differ"))" : ""
    let command = goldenFolder.map { folder in
      Markup.command(
        GoldenStore(folder: folder).leavingNewTexts(in: pendingFolder).command("accept", id),
        after: "If this is intended, run")
    }
    return """
      \(Markup.when(!items.isEmpty, """
        <table class="golden"><caption>Difference from the golden file\(rest)</caption>
        <thead><tr><th scope="col">Item</th><th scope="col">Golden file</th><th scope="col">This run</th></tr></thead>
        <tbody>\(Markup.list(rows))</tbody></table>

        """))\(command ?? .empty)
      """
  }

  private func markup(_ problem: Scenario.Problem, _ lines: inout SourceLines) -> Markup {
    let word = problem.word
    let excerpt = lines.excerpt(
      at: problem.position, of: file, caret: problem.kind == .unreadable)
    let block = Markup.block(excerpt + problem.details.map { "    \($0)" })
    let shown: Markup =
      problem.kind == .golden && goldenChanges != nil
      ? "\(goldenTable)<details><summary>All lines, and why</summary>\(block)</details>" : block
    return """
      <p><span class="\(word)">\(word)</span> <code>\(problem.position.place(in: file))</code>: \
      \(problem.messageWithRuns)</p>
      \(shown)
      """
  }

  /// Returns the runs as the page's script reads them. Runs with equal events are one.
  fileprivate func pageRuns() throws -> [PageList] {
    let runs = try (runs ?? []).map { run in
      let contents = PageList(fields: run.pageContents)
      return (run: run, contents: contents, json: try JSONEncoder().encode(contents))
    }
    return runs.grouped(by: \.json).map { alike in
      let names = alike.map { "iOS \($0.run.system), \($0.run.backups)" }.joined(separator: "; ")
      return PageList(fields: [names] + alike[0].contents.fields + [alike[0].run.moreItems])
    }
  }
}

extension ChangedItem {
  fileprivate var markup: Markup {
    """
    <tr><th scope="row" class="path">\(path)</th>\(cell(golden, "Golden file"))\(cell(run, "This run"))</tr>

    """
  }

  private func cell(_ line: String?, _ label: String) -> Markup {
    guard let line else { return "<td class=\"missing\" data-label=\"\(label)\">not listed</td>" }
    let item = GoldenDocument.Content(line).item
    let (state, notes) = (item?.state ?? .other, item?.notes ?? [line])
    let word =
      switch item?.presence {
      case .included: "backed up"
      case .leftOut: "excluded"
      case .there: "kept"
      case .purged: "purged"
      case .gone, nil: "missing"
      }
    let text = ([word] + notes).joined(separator: ", ")
    return "<td class=\"\(state.word)\" data-label=\"\(label)\">\(text)</td>"
  }
}

extension GoldenDocument.Item {
  fileprivate var state: ItemState {
    switch (presence, facts.note) {
    case (.included, _), (.there, _): .included
    case (.leftOut, .leftOut(let state, _)), (.gone, .leftOut(let state, _)): state
    case (.leftOut, _), (.gone, _), (.purged, _): .other
    }
  }

  /// The notes that the page shows besides the state.
  fileprivate var notes: [String] {
    [facts.amount?.description, facts.note?.description, facts.count > 1 ? "×\(facts.count)" : nil]
      .compactMap(\.self)
  }
}

/// The data of runs for the page's script, as arrays to save space.
private struct PageList: Encodable {
  let fields: [any Encodable]

  func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for field in fields { try container.encode(field) }
  }
}

extension RunReport {
  private static let pageStates = ["in", "mark", "place", "other", "missing"]

  /// The events, the items and the findings, as the page's script reads them.
  ///
  /// The most important items come first: those with findings, then those that change most.
  fileprivate var pageContents: [any Encodable] {
    let found = Dictionary(grouping: findings) { $0.path ?? "" }
    func weight(_ item: RunReport.Item) -> Int {
      let place = item.states.allSatisfy { $0.state == "place" }
      return (found[item.path.withoutEndingSlash] == nil ? 0 : 1000) + item.states.count
        - (place ? 100 : 0)
    }
    // Only marked directories are of interest.
    let shown = items.filter { item in
      !item.path.hasSuffix("/") || item.states.contains { $0.state == "mark" }
    }
    let sorted = shown.prefix(RunReport.mostItems).enumerated().sorted {
      (weight($1.element), $0.offset) < (weight($0.element), $1.offset)
    }.map(\.element)
    let steps = events.map(\.step)
    let pageEvents = events.map { event in
      let classes = (event.byClass ?? [:]).sorted { $0.key < $1.key }
      return PageList(fields: [
        event.step, event.line, event.kind, event.summary, event.files, event.bytes,
        classes.map { PageList(fields: [$0.key, $0.value]) },
      ])
    }
    let lanes = sorted.map { item in
      let states = item.states.map { state in
        let place = Self.pageStates.firstIndex(of: state.state) ?? 3
        return PageList(fields: [state.event, place, state.size, state.why])
      }
      return PageList(fields: [item.path, item.dataClass, states])
    }
    let flags = findings.map { finding in
      PageList(fields: [
        steps.lastIndex(of: finding.step) ?? steps.count - 1,
        finding.expected ? "expected" : finding.severity.rawValue, finding.rule, finding.message,
        finding.path,
      ])
    }
    return [pageEvents, lanes, flags]
  }
}
