import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupJSON5
import BackupRules
import BackupScenarios
import BackupVerdicts

extension Inspection {
  static let maximumRowCount = 500
  private static let maximumUnreadableCount = 200

  /// An HTML page that is readable without a script. The script shows a map and a table of all
  /// items from the page's data.
  var page: String {
    let heading =
      ownerIdentifier ?? context.name.split(separator: "/").last.map(String.init) ?? context.name
    let otherStates = changes.map { changes -> ComparedStates in
      let states = changes.all.map { ($0.path, $0.before) }
      return ComparedStates(
        label: "Before", filterLabel: "Only changes",
        states: Dictionary(states) { first, _ in first })
    }
    var problemList = ProblemList(in: nil)
    let findingsMarkup = findingsSection(&problemList)
    let topSections: Markup = """
      <p class="soft">A backup by \(systemName)</p>
      \(changes.map { "<p>Since \($0.earlierName.withoutMachineFolders): \($0.headline)</p>\n" } ?? .empty)\
      \(findingsMarkup)\(totalsSection)\(budgetsSection)\(containersSection)\(changesSection)\(classesSection)
      """
    return page(
      "\(heading): \(headline)", hasErrors ? .bad : .neutral, topSections, named: heading,
      otherStates, problemList.rulesSection, notes: notes)
  }

  /// The states of some items in another inspection or a backup. A page shows them beside the
  /// states of its own inspection. A state is nil if the item does not exist there.
  struct ComparedStates {
    let label: String
    let filterLabel: String
    let states: [ContainerPath: InspectedFile?]
  }

  /// Returns a page with `topSections`, the sections on all items, and `bottomSections`.
  func page(
    _ title: String, _ tone: Markup.Tone, _ topSections: Markup, named rootName: String,
    _ otherStates: ComparedStates?, _ bottomSections: Markup = .empty, notes: [String]
  ) -> String {
    let content: Markup = """
      \(topSections)\(mapSection)\(tableSection(otherStates))\(foldersSection)\(largestSection)\
      \(unreadableSection)\(Self.section("Notes", lines: notes))\(bottomSections)
      """
    return Markup.page(
      title, tone, from: .current(), content,
      script: (
        code: Markup(trusted: PackageResources.Inspection_js),
        data: pageData(title: rootName, otherStates)
      ))
  }

  var totalsSection: Markup {
    let table = Self.table(["Files"], Self.sumHeadings, ItemState.allCases) { state in
      """
      <tr data-state="\(state.word)"><td class="\(state.word)">\(state.phrase)</td>\
      \(Self.cells(tally.total[state]))</tr>

      """
    }
    return Self.section("In all", table)
  }

  private var containersSection: Markup {
    guard containers.count > 1 else { return .empty }
    let table = Self.table(["Container"], Self.stateHeadings, containers) {
      Self.row($0.identifier ?? "unknown", $0.sums)
    }
    return Self.section("Containers", table)
  }

  private var changesSection: Markup {
    guard let changes else { return .empty }
    let caption = "The largest first"
    let table = Self.table(
      ["Path", "Change", "Before", "After"], [], changes.all, caption: caption
    ) { change in
      let states = [change.before, change.after].map { $0?.state.word ?? "soft" }
      return """
        <tr data-change="\(change.kind.rawValue)"><td class="path">\(Markup.prose(change.path.description))</td>\
        <td data-label="Change">\(change.kind.words)</td>\
        <td class="\(states[0])" data-label="Before">\(change.statesInWords[0])</td>\
        <td class="\(states[1])" data-label="After">\(change.statesInWords[1])</td></tr>

        """
    }
    return Self.section("Changes", table)
  }

  private var classesSection: Markup {
    let reviewTable = Self.table(
      ["Files"], Self.sumHeadings, tally.appReviewSums, caption: "What App Review may object to"
    ) { "<tr><th scope=\"row\">\($0.words)</th>\(Self.cells($0.sum))</tr>\n" }
    let classStates = tally.classSums.flatMap { name, sums in
      sums.nonemptyStates.map { (name: name, state: $0, sum: sums[$0]) }
    }
    let classesTable = Self.table(
      ["Class", "State"], Self.sumHeadings, classStates,
      caption: "By class and what the backup does with it"
    ) { name, state, sum in
      """
      <tr><th scope="row">\(name)</th><td class="\(state.word)">\(state.phrase)</td>\
      \(Self.cells(sum))</tr>

      """
    }
    return Self.section("By class", "\(reviewTable)\(classesTable)")
  }

  private var budgetsSection: Markup {
    let bars = budgetUses.map { use -> Markup in
      let fraction = use.limit > 0 ? Double(use.used) / Double(use.limit) : use.used > 0 ? 1 : 0
      return """
        <h3>\(use.name)</h3><p>\(use.phrase)</p>
        <div class="bar\(Markup.when(use.isExceeded, " over"))" role="img" aria-label="\(use.phrase)">\
        <span style="width:\(Int(min(1, fraction) * 100))%"></span></div>

        """
    }
    return Self.section("Budget", Markup.joined(bars))
  }

  private func findingsSection(_ problemList: inout ProblemList) -> Markup {
    let sortedFindings = Scenario.Severity.allCases.flatMap { severity in
      findings.filter { $0.severity == severity }
    }
    for finding in sortedFindings { problemList.addSources(finding.sources, of: finding.rule) }
    let items = sortedFindings.map { finding -> Markup in
      let severity = finding.severity.rawValue
      let path: Markup = finding.path.map { " data-path=\"\($0.description)\"" } ?? .empty
      let note = finding.note.map { note -> Markup in
        "<p class=\"soft\">note: \(Markup.prose(note.asMessage))</p>\n"
      }
      return """
        <li\(path)><p><span class="\(severity)">\(severity)</span> \(ProblemList.link(toRule: finding.rule)): \
        \(Markup.prose(finding.message.asMessage))</p>
        \(ProblemList.fixMarkup(finding.advice.asMessage))\(note ?? .empty)</li>

        """
    }
    let findingsList: Markup =
      items.isEmpty
      ? "<p>None of the rules that could be checked is broken.</p>\n"
      : "<ul class=\"findings\">\(Markup.joined(items))</ul>"
    return Self.section("Findings", findingsList)
  }

  private var mapSection: Markup {
    let legendItems = ItemState.allCases.map { state -> Markup in
      "<li><span class=\"\(state.word)\">\(state.phrase)</span></li>"
    }
    return """
      <section data-needs-script hidden><h2>Map</h2>
      <p class="soft">Areas are bytes. Choose a folder to go into it.</p>
      <ul class="key">\(Markup.joined(legendItems))</ul>
      <nav aria-label="Folder shown in the map"><ol class="crumbs" id="crumbs"></ol></nav>
      <div class="map" id="map" role="group" aria-label="Map by size"></div>
      <h3>Why</h3><div class="why" id="why" role="status"><p class="soft">Choose an item.</p></div>
      </section>

      """
  }

  private func tableSection(_ otherStates: ComparedStates?) -> Markup {
    let stateOptions = ItemState.allCases.map { state -> Markup in
      "<option value=\"\(state.rawValue)\">\(state.phrase)</option>"
    }
    return """
      <section data-needs-script hidden><h2>All items</h2>
      <div class="controls"><label data-filter>Path contains <input id="filter" type="search" autocomplete="off"></label>
      <label data-filter>State <select id="state"><option value="">all</option>\(Markup.joined(stateOptions))</select></label>
      <label data-filter>Include folders <input id="folders" type="checkbox"></label>
      \(otherStates.map { "<label data-filter>\($0.filterLabel) <input id=\"changed\" type=\"checkbox\"></label>" } ?? .empty)</div>
      <p id="count" role="status"></p>
      <table><thead><tr><th scope="col" data-column="path">Path</th>
      <th scope="col" class="number" data-column="size">Size</th>
      <th scope="col" data-column="state">State</th><th scope="col">Why</th></tr></thead>
      <tbody id="rows"></tbody></table>
      <div class="controls" id="slices"><button id="previous" type="button">Previous</button>
      <button id="next" type="button">Next</button></div></section>

      """
  }

  private var foldersSection: Markup {
    let table = Self.table(
      ["Folder"], Self.stateHeadings, tally.foldersBySize,
      caption: "To a depth of \(InspectionTally.maximumFolderDepth), the largest first"
    ) { Self.row($0.path.map { "\($0)/" } ?? ".", $0.sums) }
    return Self.section("Folders", table)
  }

  private var largestSection: Markup {
    let files = tally.largestFiles
    guard !files.isEmpty else { return .empty }
    let rows = files.map { decision -> Markup in
      let state = ItemState(decision.verdict)
      return """
        <tr><td class="path">\(Markup.prose(decision.path.description))</td>\
        <td class="number">\((decision.size ?? 0).formattedSize)</td>\
        <td class="\(state.word)">\(state.phrase)</td><td>\(cause(of: decision))</td></tr>

        """
    }
    return """
      <section data-without-script><h2>Largest files</h2>
      <table><caption>The largest first\
      \(Self.unlistedPhrase(tally.total.fileCount - files.count)); with scripts on, the page shows all
      items</caption>
      <thead><tr><th scope="col">Path</th><th scope="col" class="number">Size</th>
      <th scope="col">State</th><th scope="col">Why</th></tr></thead>
      <tbody>\(Markup.joined(rows))</tbody></table></section>

      """
  }

  private var unreadableSection: Markup {
    let items = tally.unreadableItems
    guard !items.isEmpty else { return .empty }
    let itemRows = items.prefix(Self.maximumUnreadableCount).map { item -> Markup in
      "<li>\(Markup.path(item.path.description)): \(item.reason?.description ?? "")</li>\n"
    }
    let countPhrase =
      items.count.counted("item") + Self.unlistedPhrase(items.count - itemRows.count)
    return Self.section(
      "Could not be read", "<p>\(countPhrase)</p>\n<ul>\(Markup.joined(itemRows))</ul>")
  }

  static func section(_ title: String, lines: [String]) -> Markup {
    let items = lines.map { line -> Markup in "<li>\(Markup.prose(line))</li>\n" }
    return section(title, .when(!items.isEmpty, "<ul>\(Markup.joined(items))</ul>"))
  }

  static func section(_ title: String, _ content: Markup) -> Markup {
    .when(!content.html.isEmpty, "<section><h2>\(title)</h2>\n\(content)</section>\n")
  }

  /// Returns a table of the first items, or nothing without items. The columns of `textHeadings`
  /// contain text, those of `numberHeadings` numbers.
  static func table<Item>(
    _ textHeadings: [String], _ numberHeadings: [String], _ items: [Item], caption: String = "",
    _ row: (Item) -> Markup
  ) -> Markup {
    let textHeadingCells = textHeadings.map { heading -> Markup in
      "<th scope=\"col\">\(heading)</th>"
    }
    let numberHeadingCells = numberHeadings.map { heading -> Markup in
      "<th scope=\"col\" class=\"number\">\(heading)</th>"
    }
    let caption = caption + unlistedPhrase(items.count - maximumRowCount)
    return .when(
      !items.isEmpty,
      """
      <table>\(Markup.when(!caption.isEmpty, "<caption>\(caption)</caption>"))
      <thead><tr>\(Markup.joined(textHeadingCells + numberHeadingCells))</tr></thead>
      <tbody>\(Markup.joined(items.prefix(maximumRowCount).map(row)))</tbody></table>
      """)
  }

  /// The headings of the columns that ``cells(_:)`` returns.
  private static let sumHeadings = ["Number", "Bytes", "Size"]
  /// The headings of the columns after the name that ``row(_:_:)`` returns.
  private static let stateHeadings = ["Files"] + ItemState.allCases.map(\.phrase)

  private static func row(_ name: String, _ sums: Sums) -> Markup {
    let stateCells = ItemState.allCases.map { state -> Markup in
      let bytes = sums[state].byteCount
      return
        "<td class=\"number\" data-label=\"\(state.phrase)\" title=\"\(bytes.withCommas) bytes\">\(bytes.formattedSize)</td>"
    }
    return """
      <tr><td class="path">\(Markup.prose(name))</td>\
      <td class="number" data-label="Files">\(sums.fileCount.withCommas)</td>\(Markup.joined(stateCells))</tr>

      """
  }

  private static func cells(_ sum: FileTotal) -> Markup {
    """
    <td class="number" data-label="Number">\(sum.fileCount.withCommas)</td>\
    <td class="number" data-label="Bytes">\(sum.byteCount.withCommas)</td>\
    <td class="number" data-label="Size">\(sum.byteCount.formattedSize)</td>
    """
  }

  /// Returns a phrase for the number of items that a table does not list.
  static func unlistedPhrase(_ count: Int) -> String {
    count > 0 ? "; \(count.withCommas) more are not listed" : ""
  }

  /// Returns all items as JSON for the page's script, `Inspection.js`.
  ///
  /// An item is `[parent, name, kind, size, state, reason]`. `parent` is the index of the item's
  /// directory, or -1 at the top. `kind` is `d`, `f`, `l` or `o`. `state` and `reason` are indices.
  /// If `otherStates` has the item, `[size, state]` of its other state follows, or `[]` if this
  /// state is nil.
  func pageData(title: String, _ otherStates: ComparedStates?) -> Markup {
    var itemsJSON = ""
    itemsJSON.reserveCapacity(64 * backupSet.decisions.count)
    // The index of each reason in the list of reasons.
    var reasonIndices: [String: Int] = [:]
    // The directories that contain the current item, each with its index.
    var openDirectories: [(path: ContainerPath, index: Int)] = []
    for (index, decision) in backupSet.decisions.enumerated() {
      while let innermost = openDirectories.last, !innermost.path.isAncestor(of: decision.path) {
        openDirectories.removeLast()
      }
      if index > 0 { itemsJSON += ",\n" }
      let cause = cause(of: decision)
      let reasonIndex = reasonIndices[cause] ?? reasonIndices.count
      reasonIndices[cause] = reasonIndex
      let otherStateJSON = otherStates?.states[decision.path].map { file in
        ",[\(file.map { "\($0.size),\($0.state.rawValue)" } ?? "")]"
      }
      let stateIndex = ItemState(decision.verdict).rawValue
      let nameJSON = LocatedValue.string(decision.path.name.description).singleLineText
      itemsJSON +=
        "[\(openDirectories.last?.index ?? -1),\(nameJSON),\"\(decision.kind.letter)\",\(decision.size ?? 0),\(stateIndex),\(reasonIndex)\(otherStateJSON ?? "")]"
      if case .directory = decision.kind { openDirectories.append((decision.path, index)) }
    }
    let headerMembers: [(key: String, value: LocatedValue)] = [
      ("title", .string(title)), ("beside", .string(otherStates?.label ?? "")),
      ("states", .array(ItemState.allCases.map { .string($0.phrase) })),
      ("reasons", .array(reasonIndices.sorted { $0.value < $1.value }.map { .string($0.key) })),
    ]
    let headerJSON = headerMembers.map { "\"\($0.key)\":\($0.value.singleLineText),\n" }.joined()
    return Markup(json: "{\(headerJSON)\"items\":[\(itemsJSON)]}".utf8)
  }
}

extension BackupSet.Decision.ItemKind {
  fileprivate var letter: String {
    switch self {
    case .file: "f"
    case .directory: "d"
    case .link: "l"
    default: "o"
    }
  }
}
