import BackupCollections
import BackupDiagnostics
import BackupSourceIndex
package import BackupVerdicts

extension SavesReport {
  package static let formats: [OutputFormat<SavesReport>] = [
    OutputFormat("text") { $0.text }, .json { $0 },
    OutputFormat("github", showsProblems: true) { $0.gitHubCommands },
    OutputFormat("html") { $0.page },
  ]

  private var summary: String {
    guard !places.isEmpty else { return "no place uses storage" }
    let count = places.count.counted("place")
    guard knownCount > 0 else { return "\(count); nothing says which of them ran" }
    let least = leastPercent.map { isEnough ? "" : ", but \($0) % must run" } ?? ""
    let unknown = places.count - knownCount
    return "\(runCount) of \(knownCount.counted("place")) ran (\(runCount * 100 / knownCount) %)"
      + (unknown > 0 ? "; of \(unknown) more it is unknown" : "") + least
  }

  private static let mostTemplates = 3

  private var text: String {
    let files = places.grouped { $0.place.file }.map { rows in
      "\(rows[0].place.file)\n\(rows.map { $0.lines(withRuns: knownCount > 0) }.joined())\n"
    }
    let shown = templates.sorted { $0.key < $1.key }.prefix(Self.mostTemplates).map(\.value)
    let heading = "To run what no test runs, bind an action to the function, and begin with:\n\n"
    let more = templates.count - shown.count
    return files.joined() + (shown.isEmpty ? "" : heading + shown.joined(separator: "\n") + "\n")
      + (more > 0 ? "\(more.counted("more function")): see --format json\n\n" : "") + "\(summary)\n"
  }

  private var gitHubCommands: String {
    let notices = places.filter { $0.isRun == false }.prefix(10).map { row in
      gitHubCommand(
        "notice",
        [
          ("file", row.place.file), ("line", "\(row.place.line)"), ("col", "\(row.place.column)"),
          ("title", "no test runs this"),
        ],
        message: "\(row.place.function) \(row.place.use.rawValue) by \(row.place.api)")
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
        <td>\(row.runs)</td><td>\(row.advice ?? "")</td></tr>

        """
      }
      return """
        <h2 class="path">\(rows[0].place.file)</h2>
        <table><thead><tr><th scope="col">Line</th><th scope="col">What it does</th>\
        <th scope="col">By</th><th scope="col">Function</th><th scope="col">Tests</th>\
        <th scope="col">Advice</th></tr></thead>
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
      <p class="verdict \(isEnough ? "passed" : "error")">\(summary)</p>
      \(Markup.list(notes.map { note -> Markup in "<p class=\"soft\">\(note)</p>\n" }))\
      \(Markup.list(tables))\(Markup.section("Functions that no test runs", scenarios))
      """,
      script: (code: Markup(trusted: PackageResources.Report_js), data: "[]"))
  }
}

extension SavesReport.Row {
  fileprivate func lines(withRuns: Bool) -> String {
    "  \(place.line)".padded(to: 7) + place.use.rawValue.padded(to: 20)
      + "\(place.api) in \(place.function.isEmpty ? "no function" : place.function)\n"
      + [withRuns ? runs : nil, advice].compactMap(\.self).map { "       \($0)\n" }.joined()
  }

  /// How often tests ran the place, and in which scenarios.
  fileprivate var runs: String {
    guard let isRun else { return "unknown: no coverage of this code" }
    guard isRun else { return count == nil ? "not run by a scenario" : "never ran" }
    let times = count.map { "ran \($0.counted("time"))" } ?? "ran"
    let shown = scenarios.sorted { $0.key < $1.key }.prefix(3).map { id, outcomes in
      let words = SavesReport.Outcome.allCases.filter(outcomes.contains).map(\.rawValue)
      return words.isEmpty ? id : "\(id) (\(words.joined(separator: ", ")))"
    }
    let more = scenarios.count > 3 ? " and \(scenarios.count - 3) more" : ""
    return shown.isEmpty ? times : "\(times) in \(shown.joined(separator: ", "))\(more)"
  }
}
