import BackupDevice
import BackupDiagnostics
import BackupRules
import BackupScenarios
import BackupVerdicts

/// Writes the problems of a page, and collects the rules that they name.
struct ProblemList {
  let links: ProjectLinks
  private var sourceLines = SourceLines()
  /// The sources of each rule that a problem names, by the rule's name.
  private var sourcesByRule: [String: Set<SystemProfile.Source>] = [:]

  init(in page: TextFile?) { links = ProjectLinks(from: page) }

  /// Parts that a page shows in addition to a problem's message and details.
  struct Addition {
    /// A command, and the words before it that say when to run it.
    var command: (text: String, words: String)?
    /// A table. The page shows the problem's other evidence in a folded part below the table.
    var table: Markup?
  }

  /// Returns a problem: the message, then advice, then the evidence.
  mutating func markup(
    of problem: Scenario.Problem, in file: String, _ addition: Addition = Addition()
  ) -> Markup {
    let details = Details(problem.details, besides: addition.command?.text)
    if let name = problem.kind.rule, let rule = RuleList.rule(named: name) {
      addSources(rule.sources + problem.sources.compactMap(SystemProfile.Source.init), of: name)
    }
    let excerpt = sourceLines.excerpt(
      at: problem.position, of: file, withCaret: problem.kind == .unreadable)
    // If the scenario is in a Swift test, show the test's line as code.
    let testPlaces = file.hasSuffix(".swift") ? [(file, problem.position.line)] : []
    let codePlaces = testPlaces + problem.code.map { ($0.file, $0.line) }
    let figures = codePlaces.prefix(Self.maximumFigureCount).map { figure(of: $0, at: $1) }
    let fixes = details.fixes.map(Self.fixMarkup)
    let command = addition.command.map { Markup.command($0.text, after: $0.words) }
    // If a table shows the differences, the command that accepts them comes before other advice.
    let fixesAndCommand =
      addition.table == nil ? fixes + [command ?? .empty] : [command ?? .empty] + fixes
    let evidenceBlock = Markup.block(details.evidenceLines)
    let evidence: Markup =
      addition.table.map { table in
        let foldedBlock = Markup.block(excerpt + details.evidenceLines)
        return "\(table)<details><summary>All lines, and why</summary>\(foldedBlock)</details>"
      } ?? "\(Markup.block(excerpt))\(Markup.joined(figures))\(evidenceBlock)"
    return """
      <p><span class="\(problem.severityWord)">\(problem.severityWord)</span> \
      \(links.placeLink(of: problem.position, in: file)): \
      \(Self.sentence(problem.messageWithRuns, of: problem.kind.rule))</p>
      \(Markup.joined(fixesAndCommand))\(Markup.joined(details.notes.map(Self.noteMarkup)))\(evidence)\
      \(Markup.joined(details.replayRemarks.map(Self.noteMarkup)))
      """
  }

  private static let maximumFigureCount = 3

  /// The lines of a problem's details, by purpose.
  private struct Details {
    var fixes: [String] = []
    var notes: [String] = []
    var evidenceLines: [String] = []
    /// The remarks after a replay command.
    var replayRemarks: [String] = []

    /// Sorts the lines of a problem's details. Leaves out lines that only name the command.
    init(_ lines: [String], besides command: String?) {
      for line in lines {
        if line.hasPrefix("do: ") {
          if command.map({ line.hasSuffix(": \($0)") }) != true {
            fixes.append(String(line.dropFirst("do: ".count)))
          }
        } else if line.hasPrefix("note: ") || line.hasPrefix("code: ") {
          notes.append(line)
        } else if let command, line.hasPrefix("replay: \(command); ") {
          replayRemarks.append(String(line.dropFirst("replay: \(command); ".count)))
        } else {
          evidenceLines.append(line)
        }
      }
    }
  }

  static func fixMarkup(_ text: String) -> Markup {
    "<p class=\"fix\"><b>Do:</b> \(Markup.prose(text))</p>\n"
  }

  private static func noteMarkup(_ text: String) -> Markup {
    "<p class=\"soft\">\(Markup.prose(text))</p>\n"
  }

  /// Returns a sentence. If it begins with the name of a rule, the name is a link to the rule.
  static func sentence(_ text: String, of rule: String?) -> Markup {
    guard let rule, RuleList.rule(named: rule) != nil,
      text.hasPrefix("\(rule): ") || text.hasPrefix("\(rule) ")
    else { return Markup.prose(text) }
    return "\(link(toRule: rule))\(Markup.prose(String(text.dropFirst(rule.count))))"
  }

  static func link(toRule rule: String) -> Markup {
    "<a href=\"#rule-\(rule)\"><code>\(rule)</code></a>"
  }

  mutating func addSources(_ newSources: [SystemProfile.Source], of rule: String) {
    sourcesByRule[rule, default: []].formUnion(newSources)
  }

  /// The rules that problems of the page name, each with its sources.
  var rulesSection: Markup {
    let items = sourcesByRule.sorted { $0.key < $1.key }.map { rule, sources -> Markup in
      let sourceItems = SystemProfile.Source.allCases.filter(sources.contains).map {
        source -> Markup in
        let title = source.address.map { address -> Markup in
          "<a href=\"\(address)\" rel=\"noreferrer\">\(source.title)</a>"
        }
        return "<li>\(title ?? "\(source.title)")</li>\n"
      }
      return """
        <dt id="rule-\(rule)"><code>\(rule)</code></dt><dd><ul>\(Markup.joined(sourceItems))</ul></dd>

        """
    }
    let introduction: Markup = """
      <p class="soft">The kit's article “When a test fails” explains each rule. These are its sources.</p>
      """
    return .when(
      !items.isEmpty,
      "<section><h2>Rules</h2>\n\(introduction)\n<dl>\(Markup.joined(items))</dl></section>\n")
  }

  /// Returns a line of code with the lines around it, as they are in the file now.
  private mutating func figure(of file: String, at line: Int) -> Markup {
    let excerpt = sourceLines.lines(around: line, of: file)
    guard !excerpt.isEmpty else { return .empty }
    let rows = excerpt.map { number, text -> Markup in
      let row: Markup = "\(String(number).paddedInFront(to: 5))  \(text)"
      return number == line ? "<mark>\(row)</mark>\n" : "\(row)\n"
    }
    return """
      <figure><figcaption>\(links.placeLink(of: line, in: file))</figcaption>
      <pre tabindex="0">\(Markup.joined(rows))</pre></figure>

      """
  }
}

extension [Scenario.Problem] {
  /// The problems with their indices: failures first, then other errors, warnings and advice.
  var errorsFirst: [(index: Int, problem: Scenario.Problem)] {
    func rank(_ problem: Scenario.Problem) -> Int {
      switch problem.severity {
      case _ where problem.isFailure: 0
      case .error: 1
      case .warning: 2
      case .advice: 3
      }
    }
    return enumerated().map { (index: $0.offset, problem: $0.element) }
      .sorted { (rank($0.problem), $0.index) < (rank($1.problem), $1.index) }
  }
}
