import BackupCollections
import BackupDiagnostics
import BackupSourceIndex
package import BackupVerdicts

extension SavesReport {
  package static let formats: [OutputFormat<SavesReport>] = [
    OutputFormat("text") { $0.text },
    .json { $0 },
    OutputFormat("github", showsProblems: true) { $0.gitHubCommands },
    OutputFormat("html") { $0.page },
  ]

  package var summary: String {
    guard !rows.isEmpty else { return "no place uses storage\n" }
    let places = rows.count.counted("place")
    guard knownCount > 0 else { return "\(places); nothing says which of them ran\n" }
    let least = leastPercent.map { isEnough ? "" : ", but \($0) % must run" } ?? ""
    let unknown = rows.count - knownCount
    return "\(runCount) of \(knownCount.counted("place")) ran (\(runCount * 100 / knownCount) %)"
      + (unknown > 0 ? "; of \(unknown) more it is unknown" : "") + "\(least)\n"
  }

  private var text: String {
    let lines = rows.grouped { $0.place.file }.map { rows in
      let lines = rows.map { row in
        let place = row.place
        return "  \(place.line)".padded(to: 7) + place.use.rawValue.padded(to: 20)
          + "\(place.api) in \(place.function.isEmpty ? "no function" : place.function)\n"
          + (knownCount > 0 ? "       \(row.runs)\n" : "")
          + (row.advice.map { "       \($0)\n" } ?? "")
      }
      return "\(rows[0].place.file)\n\(lines.joined())"
    }
    let templates = templates
    let shown = templates.prefix(Self.mostTemplates).map(\.text).joined(separator: "\n")
    let more = templates.count - Self.mostTemplates
    let heading = "\nTo run what no test runs, bind an action to the function, and begin with:\n\n"
    return lines.joined(separator: "\n") + (shown.isEmpty ? "" : heading + shown)
      + (more > 0 ? "\n\(more.counted("more function")): see --format json\n" : "") + "\n"
      + summary
  }

  private static let mostTemplates = 3

  /// A scenario for each function that no test runs.
  var templates: [(function: String, text: String)] {
    guard knownCount > 0 else { return [] }
    let functions = rows.filter { row in
      row.isRun == false && !row.place.function.isEmpty
        && ![.directory, .look].contains(row.place.use)
    }
    .grouped { $0.place.function }
    return functions.map { rows in
      let function = rows[0].place.function
      let names = function.prefix { $0 != "(" }.split(separator: ".")
      let isUsual = names.last?.first?.isLetter == true && names.last != "init"
      let action = isUsual ? String(names.last ?? "") : "use\(names.first ?? "")"
      return (
        function,
        """
        // \(function), \(rows[0].place.file):\(rows[0].place.line)
        {
          title: "\(function) leaves the right files in the backup",
          steps: [
            { perform: "\(action)" },
            { backup: "afterwards" },
          ],
        }

        """
      )
    }
  }

  private var gitHubCommands: String {
    let unrun = knownCount > 0 ? rows.filter { $0.isRun == false } : []
    let notices = unrun.prefix(10).map { row in
      gitHubCommand(
        "notice",
        [
          ("file", row.place.file), ("line", "\(row.place.line)"), ("col", "\(row.place.column)"),
          ("title", "no test runs this"),
        ],
        message: "\(row.place.function) \(row.place.use.rawValue) by \(row.place.api)")
    }
    let failure =
      isEnough
      ? ""
      : gitHubCommand("error", [("title", "backup-testing")], message: String(summary.dropLast()))
    return notices.joined() + failure + summary
  }

  private var page: String {
    let tables = rows.grouped { $0.place.file }.map { rows -> Markup in
      let lines = rows.map { row -> Markup in
        """
        <tr><th scope="row">\(row.place.line)</th><td>\(row.place.use.rawValue)</td>\
        <td><code>\(row.place.api)</code></td><td><code>\(row.place.function)</code></td>\
        <td>\(knownCount > 0 ? row.runs : "unknown")</td><td>\(row.advice ?? "")</td></tr>

        """
      }
      return """
        <h3 class="path">\(rows[0].place.file)</h3>
        <table><thead><tr><th scope="col">Line</th><th scope="col">What it does</th>\
        <th scope="col">By</th><th scope="col">Function</th><th scope="col">Tests</th><th scope="col">Advice</th></tr></thead>
        <tbody>\(Markup.list(lines))</tbody></table>

        """
    }
    let templates = templates.map { template -> Markup in
      "<details><summary><code>\(template.function)</code></summary>\(Markup.block(template.text.split(separator: "\n").map(String.init)))</details>\n"
    }
    return Markup.page(
      "Where the app uses storage",
      """
      <p class="verdict \(isEnough ? "passed" : "error")">\(String(summary.dropLast()))</p>
      \(Markup.list(notes.map { note -> Markup in "<p class=\"soft\">\(note)</p>\n" }))\
      \(Markup.list(tables))\(Markup.section("Functions that no test runs", templates))
      """,
      script: (code: Markup(trusted: PackageResources.Report_js), data: "[]"))
  }
}

extension SavesReport.Row {
  /// How often tests ran the place, and in which scenarios.
  fileprivate var runs: String {
    guard let isRun else { return "unknown: the coverage does not have this code" }
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

extension SavesReport: Encodable {
  private enum CodingKeys: String, CodingKey { case format, places, run, notes, templates }

  package func encode(to encoder: any Encoder) throws {
    var members = encoder.container(keyedBy: CodingKeys.self)
    try members.encode(1, forKey: .format)
    try members.encode(rows, forKey: .places)
    if knownCount > 0 { try members.encode(runCount, forKey: .run) }
    try members.encode(notes, forKey: .notes)
    let texts = Dictionary(templates.map { ($0.function, $0.text) }) { first, _ in first }
    try members.encode(texts, forKey: .templates)
  }
}
