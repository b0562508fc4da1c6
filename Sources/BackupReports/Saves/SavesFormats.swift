import BackupCollections
import BackupDiagnostics
import BackupSourceIndex
package import BackupVerdicts

extension SavesReport {
  package static let formats: [OutputFormat<SavesReport>] = [
    OutputFormat("text") { $0.text }, .json { $0 },
    OutputFormat("github") { $0.gitHubCommands },
    OutputFormat("html") { $0.page },
  ]

  private var summary: String {
    guard total > 0 else { return "no place uses storage" }
    let count = total.counted("place")
    guard knowsRuns else { return "\(count); nothing says which of them ran" }
    let unknown = places.count { $0.isRun == nil }
    let inScenarios = places.count { !$0.scenarios.isEmpty }
    let reason =
      isIndexDoubtful
      ? "the index does not fit the sources" : "this is less than \(leastPercent ?? 0) %"
    let least = isEnough ? "" : "; \(reason)"
    return "\(runCount) of \(count) ran (\(runCount * 100 / total) %)"
      + (inScenarios > 0 ? ", \(inScenarios) in a scenario" : "")
      + (unknown > 0 ? "; \(unknown) unknown" : "") + least
  }

  private var text: String {
    let files = places.grouped { $0.place.file }.map { rows in
      "\(rows[0].place.file.onOneLine)\n\(rows.map { $0.lines(withRuns: knowsRuns) }.joined())\n"
    }
    let shown = templates.sorted { $0.key < $1.key }.prefix(3).map(\.value)
    let heading = "To run these functions, bind an action to each, and begin with:\n\n"
    let more = templates.count - shown.count
    return files.joined() + (shown.isEmpty ? "" : heading + shown.joined(separator: "\n") + "\n")
      + (more > 0 ? "\(more.counted("more function")): see --format html\n\n" : "") + "\(summary)\n"
  }

  private var gitHubCommands: String {
    let advised = places.compactMap { row in
      row.advice.map { ("warning", "likely mistake", $0, row.place) }
    }
    let unrun = places.filter { $0.isRun == false }.map {
      ("notice", "no test runs this", "\($0.place.api) in \($0.place.function)", $0.place)
    }
    let notices = (advised.prefix(10) + unrun.prefix(10)).map { word, title, message, place in
      gitHubCommand(
        word,
        [
          ("file", place.file.onOneLine), ("line", "\(place.line)"), ("col", "\(place.column)"),
          ("title", title),
        ], message: message)
    }
    let failure =
      isEnough ? "" : gitHubCommand("error", [("title", "backup-testing")], message: summary)
    return notices.joined() + failure + "\(summary)\n"
  }

  private var page: String {
    let tables = places.grouped { $0.place.file }.map { rows -> Markup in
      let lines = rows.map { row -> Markup in
        """
        <tr><th scope="row">\(row.place.line)</th><td>\(row.place.use.rawValue)</td>\
        <td><code>\(row.place.api)</code></td><td><code>\(row.place.function)</code></td>\
        <td>\(row.runs)</td><td>\(row.mark ?? "")</td><td>\(row.advice ?? "")</td></tr>

        """
      }
      return """
        <h2 class="path">\(rows[0].place.file)</h2>
        <table class="places"><thead><tr><th scope="col">Line</th><th scope="col">What it does</th>\
        <th scope="col">By</th><th scope="col">Function</th><th scope="col">Tests</th>\
        <th scope="col">Mark</th><th scope="col">Advice</th></tr></thead>
        <tbody>\(Markup.list(lines))</tbody></table>

        """
    }
    let scenarios = templates.sorted { $0.key < $1.key }.map { function, text -> Markup in
      let lines = text.split(separator: "\n").map(String.init)
      return """
        <details><summary><code>\(function)</code></summary>\(Markup.block(lines))</details>

        """
    }
    return Markup.page(
      "Where the app uses storage",
      """
      <p class="verdict \(isEnough ? "" : "error")">\(summary)</p>
      \(Markup.list(notes.map { note -> Markup in "<p class=\"soft\">\(note)</p>\n" }))\
      \(Markup.list(tables))\(Markup.section("Functions with a place that no test runs", scenarios))
      """,
      script: (code: .empty, data: "[]"))
  }
}

extension SavesReport.Row {
  fileprivate func lines(withRuns: Bool) -> String {
    "  \(place.line)".padded(to: 7) + place.use.rawValue.padded(to: 20)
      + "\(place.api) in \(place.function.isEmpty ? "no function" : place.function)\n"
      + [withRuns ? runs : nil, mark, advice].compactMap(\.self).map { "       \($0)\n" }.joined()
  }

  /// The number of times that tests ran the place, and the scenarios in which it ran, in words.
  fileprivate var runs: String {
    guard let isRun else { return "unknown: no count of this code" }
    guard isRun else { return count == nil ? "not run by a scenario" : "never ran" }
    let times = count.flatMap { $0 > 0 ? "ran \($0.counted("time"))" : nil } ?? "ran"
    let shown = scenarios.sorted { $0.key < $1.key }.prefix(3).map { id, outcomes in
      let words = outcomes.joined(separator: ", ")
      return words.isEmpty ? id.onOneLine : "\(id.onOneLine) (\(words))"
    }
    let more = scenarios.count > 3 ? " and \(scenarios.count - 3) more" : ""
    return shown.isEmpty ? times : "\(times) in \(shown.joined(separator: ", "))\(more)"
  }
}
