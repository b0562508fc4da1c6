import BackupCollections
import BackupDiagnostics
import BackupScenarios
import BackupVerdicts
import Foundation

extension SuiteReport {
  /// Returns a page. Its failures are visible even if JavaScript is off. A script draws the events
  /// of each run.
  func page(in file: TextFile?) throws(RunError) -> String {
    var problemList = ProblemList(in: file)
    func section(_ title: String, failed: Bool) -> Markup {
      let matchingEntries = scenariosAndTests.enumerated().filter { $0.element.hasFailed == failed }
      return Markup.section(
        title, matchingEntries.map { $0.element.markup(at: $0.offset, &problemList) })
    }
    let content: Markup = """
      <p class="soft">\(countsText)</p>
      \(obstacle.map { "<p><span class=\"error\">error</span> \(Markup.prose($0))</p>\n" } ?? .empty)\
      \(causesMarkup)\(orphansMarkup(problemList.links))\(searchControls)\
      \(section("Failed", failed: true))\(section("Passed or skipped", failed: false))\
      \(problemList.rulesSection)
      """
    return Markup.page(
      headline, isGreen ? .good : .bad, from: origin, content,
      script: (code: Markup(trusted: PackageResources.Report_js), data: try pageData))
  }

  /// The counts, except the number of failed tests, which is in the title.
  private var countsText: String {
    summary.split(separator: "\n").map(String.init).filter { $0 != failedTestSummary }
      .joined(separator: "; ")
  }

  /// The causes that several scenarios share, then the other causes in a folded list. Empty if no
  /// cause is shared, because each scenario shows its own cause.
  private var causesMarkup: Markup {
    let indexByFile = Dictionary(scenarios.enumerated().map { ($1.file, $0) }) { first, _ in first }
    func list(_ causes: some Sequence<Cause>) -> Markup {
      "<ul class=\"causes\">\(Markup.joined(causes.map { $0.markup(indexByFile) }))</ul>\n"
    }
    let causes = scenarios.causes
    let sharedCauses = causes.prefix { $0.scenarios.count > 1 }
    guard !sharedCauses.isEmpty else { return .empty }
    let singleCauses = causes.dropFirst(sharedCauses.count)
    let singleCausesPhrase = "\(singleCauses.count.counted("cause")) of one scenario each"
    let singleCausesMarkup: Markup = .when(
      !singleCauses.isEmpty,
      "<details><summary>\(singleCausesPhrase)</summary>\(list(singleCauses))</details>")
    return """
      <section><h2>Causes</h2>
      \(list(sharedCauses))\(singleCausesMarkup)</section>

      """
  }

  private func orphansMarkup(_ links: ProjectLinks) -> Markup {
    guard !orphans.isEmpty else { return .empty }
    let severity = orphansFail ? "error" : "warning"
    let items = orphans.map { path -> Markup in
      "<li>\(links.link(path.withoutMachineFolders, to: path, 1))</li>\n"
    }
    return """
      <section><h2>Golden files without a scenario</h2>
      <p><span class="\(severity)">\(severity)</span> \(SuiteReport.orphanMessage)</p>
      <ul>\(Markup.joined(items))</ul></section>

      """
  }

  private static let mostEntriesWithoutSearch = 5

  /// A search field and, if there are several verdicts, a menu of verdicts. Empty for few
  /// scenarios.
  private var searchControls: Markup {
    guard scenariosAndTests.count > Self.mostEntriesWithoutSearch else { return .empty }
    let verdicts = Set(scenariosAndTests.map(\.verdict.rawValue)).sorted()
    let options = verdicts.map { verdict -> Markup in "<option>\(verdict)</option>" }
    let verdictMenu: Markup = """
      <label>Show <select id="verdict"><option value="">all</option>\(Markup.joined(options))</select></label>
      """
    return """
      <section data-needs-script hidden aria-label="Find a scenario"><div class="controls"><label>Find in a scenario <input id="search" type="search" autocomplete="off"></label>
      \(Markup.when(verdicts.count > 1, verdictMenu))<span id="found" role="status" class="soft"></span></div></section>

      """
  }

  /// The runs as JSON for the page's script.
  private var pageData: Markup {
    get throws(RunError) {
      do {
        return Markup(json: try JSONEncoder().encode(scenariosAndTests.map { try $0.pageRuns() }))
      } catch {
        throw RunError(.unwritable, "the page cannot be written: \(error)")
      }
    }
  }
}

extension Cause {
  private static let maximumLinkCount = 3

  /// Returns the cause with links to its scenarios. `scenarioIndices` has the index of each
  /// scenario on the page.
  fileprivate func markup(_ scenarioIndices: [String: Int]) -> Markup {
    let links = scenarios.map { id, file -> Markup in
      "<a href=\"#s\(scenarioIndices[file] ?? 0)\">\(id)</a>"
    }
    let firstLinksMarkup = Markup.joined(links.prefix(Self.maximumLinkCount), separator: ", ")
    let hiddenLinks = links.dropFirst(Self.maximumLinkCount)
    let hiddenLinksMarkup: Markup = """
      <details><summary>and \(hiddenLinks.count) more</summary>\
      \(Markup.joined(hiddenLinks, separator: ", "))</details>
      """
    let fixes = shownAdvice.filter { $0.hasPrefix("do: ") }
    let otherLines = shownAdvice.filter { !$0.hasPrefix("do: ") }
    // The heading already begins with the rule's name.
    let message = example.map { String($0.trimmingPrefix("\(rule ?? ""): ")) }
    return """
      <li><p><b>\(ProblemList.sentence(sentence, of: rule))</b></p>
      \(Markup.joined(fixes.map { ProblemList.fixMarkup(String($0.dropFirst("do: ".count))) }))\
      \(message.map { "<p>For example: \(Markup.prose($0))</p>\n" } ?? .empty)\(Markup.block(otherLines))\
      <p>In \(scenarios.count.counted("scenario")): \(firstLinksMarkup)</p>\
      \(Markup.when(!hiddenLinks.isEmpty, hiddenLinksMarkup))</li>

      """
  }
}

extension ScenarioReport {
  fileprivate func markup(at index: Int, _ problemList: inout ProblemList) -> Markup {
    let problemsMarkup = Markup.joined(
      problems.errorsFirst.map { problemIndex, problem in
        """
        <div id="s\(index)-\(problemIndex)" class="problem">\(markup(problem, &problemList))</div>

        """
      })
    let pointsMarkup = exploration?.markup(in: "s\(index)") ?? .empty
    return """
      <details id="s\(index)" data-scenario="\(id)" data-verdict="\(verdict.rawValue)"\(Markup.when(hasFailed, " open"))>\
      <summary><span class="\(Self.cssClasses[verdict] ?? "error")">\(isUnreadable ? "unreadable" : verdict.rawValue)</span> \
      \(Markup.path(id))\(title.isEmpty ? "" : ": \(title)")\(labels)</summary>
      \(problemsMarkup)\(pointsMarkup)<div class="runs"></div></details>

      """
  }

  /// The CSS classes of verdicts. All other verdicts have the class `error`.
  private static let cssClasses: [ScenarioResult.Verdict: String] = [
    .passed: "passed", .skipped: "soft",
  ]

  private var labels: Markup {
    let labelTexts = tags.map { "#\($0)" } + [bug].compactMap(\.self)
    return .when(
      !labelTexts.isEmpty, " <span class=\"soft\">\(labelTexts.joined(separator: " "))</span>")
  }

  /// A table of the items that differ: the golden file's text and this run's text beside each
  /// other.
  private var goldenTable: Markup {
    let changedItems = goldenItems ?? []
    let rows = changedItems.grouped { [$0.runs, $0.step] }.map { group -> Markup in
      """
      <tr><th colspan="3" scope="rowgroup" class="soft">\(group[0].runs): \(group[0].step)</th></tr>
      \(Markup.joined(group.map(\.markup)))
      """
    }
    let omittedCount = moreGoldenItems ?? 0
    let omissionPhrase =
      "\(omittedCount.counted("more item")) \(omittedCount.wordForm("differs", plural: "differ"))"
    let caption: Markup = .when(omittedCount > 0, "<caption>\(omissionPhrase)</caption>")
    return .when(
      !changedItems.isEmpty,
      """
      <table class="golden">\(caption)
      <thead><tr><th scope="col">Item</th><th scope="col">Golden file</th><th scope="col">This run</th></tr></thead>
      <tbody>\(Markup.joined(rows))</tbody></table>

      """)
  }

  private func markup(_ problem: Scenario.Problem, _ problemList: inout ProblemList) -> Markup {
    var addition = ProblemList.Addition()
    if problem.kind == .golden, goldenChanges != nil {
      addition.table = goldenTable
      addition.command = goldenFolder.map { folder in
        let store = GoldenStore(folder: folder).leavingNewTexts(in: pendingFolder)
        return (store.command("accept", id), "If this is intended, run")
      }
    }
    return problemList.markup(of: problem, in: file, addition)
  }

  /// Returns the runs as the page's script reads them. Equal runs are merged.
  fileprivate func pageRuns() throws -> [JSONRow] {
    let runs = try (runs ?? []).map { run in
      let contents = JSONRow(fields: run.pageContents)
      return (run: run, contents: contents, json: try JSONEncoder().encode(contents))
    }
    return runs.grouped(by: \.json).map { group in
      let runNames = group.map { "iOS \($0.run.system), \($0.run.backups)" }.joined(separator: "; ")
      return JSONRow(fields: [runNames] + group[0].contents.fields + [group[0].run.moreItems])
    }
  }
}

extension ChangedItem {
  fileprivate var markup: Markup {
    """
    <tr><th scope="row" class="path">\(Markup.prose(path))</th>\(cell(golden, "Golden file"))\(cell(run, "This run"))</tr>

    """
  }

  private func cell(_ line: String?, _ label: String) -> Markup {
    guard let line else { return "<td class=\"missing\" data-label=\"\(label)\">not listed</td>" }
    let item = GoldenDocument.Content(line).item
    let (state, notes) = (item?.state ?? .other, item?.notes ?? [line])
    let presence =
      switch item?.presence {
      case .included: "backed up"
      case .leftOut: "excluded"
      case .there: "kept"
      case .purged: "purged"
      case .gone, nil: "missing"
      }
    let text = ([presence] + notes).joined(separator: ", ")
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

  /// The notes that the page shows in addition to the state.
  fileprivate var notes: [String] {
    [
      facts.amount?.description, facts.note?.description,
      facts.itemCount > 1 ? "×\(facts.itemCount)" : nil,
    ]
    .compactMap(\.self)
  }
}

/// The data of runs for the page's script, as arrays to save space.
private struct JSONRow: Encodable {
  let fields: [any Encodable]

  func encode(to encoder: any Encoder) throws {
    var container = encoder.unkeyedContainer()
    for field in fields { try container.encode(field) }
  }
}

extension RunReport {
  /// The states in the order of `words` and `classes` in `Report.js`.
  private static let scriptStateCodes = ["in", "mark", "place", "other", "missing"]

  /// The events, the items and the findings, as `Report.js` reads them.
  ///
  /// Items with findings come first, then the items with the most changes. Of the items without
  /// findings, those that only their place keeps out come last.
  fileprivate var pageContents: [any Encodable] {
    let findingsByPath = Dictionary(grouping: findings) { $0.path ?? "" }
    func weight(_ item: RunReport.Item) -> Int {
      let isExcludedOnlyByPlace = item.states.allSatisfy { $0.state == "place" }
      return (findingsByPath[item.path.withoutEndingSlash] == nil ? 0 : 1000) + item.states.count
        - (isExcludedOnlyByPlace ? 100 : 0)
    }
    // Of the directories, the page shows only marked ones.
    let shownItems = items.filter { item in
      !item.path.hasSuffix("/") || item.states.contains { $0.state == "mark" }
    }
    let sortedItems = shownItems.prefix(RunReport.maximumItemCount).enumerated().sorted {
      (weight($1.element), $0.offset) < (weight($0.element), $1.offset)
    }.map(\.element)
    let steps = events.map(\.step)
    let eventRows = events.map { event in
      let sizesByClass = (event.byClass ?? [:]).sorted { $0.key < $1.key }
      return JSONRow(fields: [
        event.step, event.line, event.kind, event.summary, event.files, event.bytes,
        sizesByClass.map { JSONRow(fields: [$0.key, $0.value]) },
      ])
    }
    let itemRows = sortedItems.map { item in
      let states = item.states.map { state in
        let stateCode = Self.scriptStateCodes.firstIndex(of: state.state) ?? 3
        return JSONRow(fields: [state.event, stateCode, state.size, state.why])
      }
      return JSONRow(fields: [item.path, item.dataClass, states])
    }
    let findingRows = findings.map { finding in
      JSONRow(fields: [
        steps.lastIndex(of: finding.step) ?? steps.count - 1,
        finding.expected ? "expected" : finding.severity.rawValue, finding.rule, finding.message,
        finding.path,
      ])
    }
    return [eventRows, itemRows, findingRows]
  }
}
