import BackupCollections
import BackupDiagnostics
import BackupSourceIndex
package import BackupVerdicts

extension SavesReport {
  package static let formats: [OutputFormat<SavesReport>] = [
    OutputFormat("text") { $0.text }, .json { $0 },
    OutputFormat("github") { $0.gitHubCommands },
    OutputFormat("html", linking: { $0.page(in: $1) }),
  ]

  private var summary: String {
    guard totalPlaceCount > 0 else { return "no place uses storage" }
    let countPhrase = totalPlaceCount.counted("place")
    guard knowsRuns else { return "\(countPhrase); nothing says which of them ran" }
    let unknownCount = places.count { $0.isRun == nil }
    let scenarioPlaceCount = places.count { !$0.scenarios.isEmpty }
    let reason =
      isIndexDoubtful
      ? "the index does not fit the sources" : "this is less than \(leastPercent ?? 0) %"
    let failureReason = hasEnoughRuns ? "" : "; \(reason)"
    return "\(runCount) of \(countPhrase) ran (\(runCount * 100 / totalPlaceCount) %)"
      + (scenarioPlaceCount > 0 ? ", \(scenarioPlaceCount) in a scenario" : "")
      + (unknownCount > 0 ? "; \(unknownCount) unknown" : "") + failureReason
  }

  private var text: String {
    let fileSections = places.grouped { $0.place.file }.map { rows in
      "\(rows[0].place.file.onOneLine)\n\(rows.map { $0.lines(withRuns: knowsRuns) }.joined())\n"
    }
    let firstTemplates = templates.sorted { $0.key < $1.key }.prefix(3).map(\.value)
    let heading = "To run these functions, bind an action to each, and begin with:\n\n"
    let hiddenCount = templates.count - firstTemplates.count
    return fileSections.joined()
      + (firstTemplates.isEmpty ? "" : heading + firstTemplates.joined(separator: "\n") + "\n")
      + (hiddenCount > 0 ? "\(hiddenCount.counted("more function")): see --format html\n\n" : "")
      + "\(summary)\n"
  }

  private var gitHubCommands: String {
    let adviceNotices = places.compactMap { row in
      row.advice.map { ("warning", "likely mistake", $0, row.place) }
    }
    let unrunNotices = places.filter { $0.isRun == false }.map {
      ("notice", "no test runs this", "\($0.place.api) in \($0.place.function)", $0.place)
    }
    let notices = (adviceNotices.prefix(10) + unrunNotices.prefix(10)).map {
      word, title, message, place in
      gitHubCommand(
        word,
        [
          ("file", place.file.onOneLine), ("line", "\(place.line)"), ("col", "\(place.column)"),
          ("title", title),
        ], message: message)
    }
    let failure =
      hasEnoughRuns ? "" : gitHubCommand("error", [("title", "backup-testing")], message: summary)
    return notices.joined() + failure + "\(summary)\n"
  }

  /// Returns a page. Its tables have no column that would be empty in all rows.
  private func page(in file: TextFile?) -> String {
    let links = ProjectLinks(from: file)
    let columns: [(head: String, cell: (Row) -> Markup)] = [
      ("What it does", { "\($0.place.use.rawValue)" }),
      ("By", { .code($0.place.api) }),
      ("Function", { .code($0.place.function) }),
      ("Tests", { [knowsRuns] row in knowsRuns ? "\(row.runsPhrase)" : .empty }),
      ("Mark", { "\($0.mark ?? "")" }), ("Advice", { "\($0.advice ?? "")" }),
    ]
    let usedColumns = columns.filter { column in places.contains { !column.cell($0).html.isEmpty } }
    let headCells = usedColumns.map { column -> Markup in "<th scope=\"col\">\(column.head)</th>" }
    let tables = places.grouped { $0.place.file }.map { rows -> Markup in
      let rowsMarkup = rows.map { row -> Markup in
        let cells = usedColumns.map { column -> Markup in
          let cell = column.cell(row)
          return cell.html.isEmpty ? "<td></td>" : "<td data-label=\"\(column.head)\">\(cell)</td>"
        }
        let lineLink = links.link("\(row.place.line)", to: row.place.file, row.place.line)
        return """
          <tr><th scope="row">\(lineLink)</th>\(Markup.joined(cells))</tr>

          """
      }
      return """
        <h2 class="path">\(Markup.prose(rows[0].place.file.withoutMachineFolders))</h2>
        <table class="places"><thead><tr><th scope="col">Line</th>\(Markup.joined(headCells))</tr></thead>
        <tbody>\(Markup.joined(rowsMarkup))</tbody></table>

        """
    }
    let templatesMarkup = templates.sorted { $0.key < $1.key }.map { function, text -> Markup in
      let lines = text.split(separator: "\n").map(String.init)
      return """
        <details><summary><code>\(function)</code></summary>\(Markup.block(lines))</details>

        """
    }
    return Markup.page(
      "Where the app uses storage: \(summary)", hasEnoughRuns ? .neutral : .bad, from: .current(),
      """
      \(Markup.joined(notes.map { note -> Markup in "<p class=\"soft\">\(Markup.prose(note))</p>\n" }))\
      \(Markup.joined(tables))\(Markup.section("Functions with a place that no test runs", templatesMarkup))
      """,
      script: (code: .empty, data: "[]"))
  }
}

extension SavesReport.Row {
  fileprivate func lines(withRuns: Bool) -> String {
    "  \(place.line)".padded(to: 7) + place.use.rawValue.padded(to: 20)
      + "\(place.api) in \(place.function.isEmpty ? "no function" : place.function)\n"
      + [withRuns ? runsPhrase : nil, mark, advice].compactMap(\.self).map { "       \($0)\n" }
      .joined()
  }

  /// A phrase for the number of times that tests ran the place, and for the scenarios in which it
  /// ran.
  fileprivate var runsPhrase: String {
    guard let isRun else { return "unknown: no count of this code" }
    guard isRun else { return count == nil ? "not run by a scenario" : "never ran" }
    let timesPhrase = count.flatMap { $0 > 0 ? "ran \($0.counted("time"))" : nil } ?? "ran"
    let firstScenarios = scenarios.sorted { $0.key < $1.key }.prefix(3).map { id, outcomes in
      let words = outcomes.joined(separator: ", ")
      return words.isEmpty ? id.onOneLine : "\(id.onOneLine) (\(words))"
    }
    let morePhrase = scenarios.count > 3 ? " and \(scenarios.count - 3) more" : ""
    return firstScenarios.isEmpty
      ? timesPhrase : "\(timesPhrase) in \(firstScenarios.joined(separator: ", "))\(morePhrase)"
  }
}
