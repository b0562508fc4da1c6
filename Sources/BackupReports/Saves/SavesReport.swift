import BackupContainer
package import BackupDiagnostics
package import BackupSourceIndex
package import BackupVerdicts
import Foundation

/// The places of an app's code that use storage, and which tests run them.
package struct SavesReport: Encodable, Sendable {
  package struct Row: Encodable, Sendable {
    let place: StoragePlace
    /// How often tests ran the place; nil if it is unknown.
    let count: Int?
    /// The scenarios that ran it, with what backups and the system made of the items that it changed.
    fileprivate(set) var scenarios: [String: [String]] = [:]
    /// Whether a test ran it; nil if that is unknown.
    fileprivate(set) var isRun: Bool?
    /// Whether the code of a save reaches a mark, in a sentence; nil for a place that saves nothing.
    let mark: String?
    /// What may be wrong at the place, by the look of the code; nil for nothing.
    let advice: String?

    /// Whether a scenario can show that the place ran: only changes of files do.
    fileprivate var isSeen: Bool { ![.directory, .look, .defaults, .path].contains(place.use) }
  }

  private let format = 1
  package private(set) var places: [Row]
  /// By function, a scenario to begin with, if no test runs it.
  private(set) var templates: [String: String] = [:]
  /// What the report cannot know, in sentences.
  package private(set) var notes: [String] = []
  /// Whether anything says which places ran.
  package private(set) var knowsRuns = false
  private(set) var runCount = 0
  /// Whether the index and the sources disagree.
  let isIndexDoubtful: Bool
  /// How many calls of the sources the index lacks; none of them counts as run.
  private let missingCallCount: Int
  /// The least share of places that must run, in percent; nil if any will do.
  let leastPercent: Int?

  package init(
    _ index: SourceIndex, coverage: Coverage?, results: [ScenarioReport], leastPercent: Int?
  ) throws(RunError) {
    self.leastPercent = leastPercent
    isIndexDoubtful = index.isDoubtful
    missingCallCount = index.missingCallCount
    let files = Set(index.places.map(\.file)).sorted()
    var uncovered: [String] = []
    for file in files where try coverage?.isOlder(than: file) == true { uncovered.append(file) }
    let advice = StorageAdvice(index)
    places = index.places.map { place in
      let coverage = uncovered.contains(place.file) ? nil : coverage
      return Row(
        place: place,
        count: coverage?.count(file: place.file, line: place.line, column: place.column),
        mark: advice.mark(at: place), advice: advice.advice(at: place))
    }
    let runs = results.flatMap { scenario in (scenario.runs ?? []).map { (scenario.id, $0) } }
    for (id, run) in runs {
      for call in run.calls ?? [] {
        let outcomes = run.outcomes(of: call)
        for index in places.indices(of: call) {
          let all = outcomes.union(places[index].scenarios[id] ?? [])
          places[index].scenarios[id] = all.sorted()
        }
      }
    }
    let hasScenarios = places.contains { !$0.scenarios.isEmpty }
    for index in places.indices {
      let count =
        places[index].count ?? (coverage == nil && hasScenarios && places[index].isSeen ? 0 : nil)
      places[index].isRun = places[index].scenarios.isEmpty ? count.map { $0 > 0 } : true
    }
    knowsRuns = coverage != nil || hasScenarios
    runCount = places.count { $0.isRun == true }
    for row in places where row.isRun == false && ![.directory, .look].contains(row.place.use) {
      guard !row.place.function.isEmpty else { continue }
      templates[row.place.function] = templates[row.place.function] ?? row.template
    }
    notes = index.notes
    if !uncovered.isEmpty {
      let list = uncovered.joined(separator: ", ")
      notes.append(
        "changed after the tests ran, so their coverage is ignored; run them again: \(list)")
    }
    if let coverage, !files.contains(where: coverage.has) {
      notes.append("the coverage has none of these files; it may be that of another package")
    }
    if !results.isEmpty, !hasScenarios {
      notes.append(
        "the results name no code of these files; they do if the tests ran with "
          + "'--enable-code-coverage' on Linux, and the test target depends on FileSystemTap")
    }
  }

  /// How many places the sources have, with those that the index lacks.
  var total: Int { places.count + missingCallCount }

  package var isEnough: Bool {
    guard let leastPercent else { return true }
    return total > 0 && !isIndexDoubtful && runCount * 100 >= leastPercent * total
  }
}

extension SavesReport.Row {
  fileprivate var template: String {
    let names = place.function.prefix { $0 != "(" }.split(separator: ".")
    let isUsual = names.last?.first?.isLetter == true && names.last != "init"
    let action = isUsual ? String(names.last ?? "") : "use\(names.first ?? "")"
    return """
      // \(place.function), \(place.file.onOneLine):\(place.line)
      {
        title: "\(place.function.replacing("\"", with: "'")) leaves the right files in the backup",
        steps: [
          { perform: "\(action)" },
          { backup: "afterwards" },
        ],
      }

      """
  }
}

extension [SavesReport.Row] {
  /// The places that a call on the stack is: in its function, at most three lines away.
  fileprivate func indices(of call: RunReport.Call) -> [Int] {
    guard call.kind != .look, call.kind != .refusal else { return [] }
    let isMark = call.kind == .mark || call.kind == .unmark
    // The index has no accessors and no generic parameters in names.
    let function = call.code.function.replacing(
      #/<[^<>]*>(?=\()|\.(getter|setter|willset|didset|read|modify)$/#, with: "")
    func distance(_ index: Int) -> UInt { (self[index].place.line &- call.code.line).magnitude }
    let near = indices.filter { index in
      let place = self[index].place
      return self[index].isSeen && place.file == call.code.file && (place.use == .mark) == isMark
        && distance(index) <= 3 && function.hasSuffix(place.function)
    }
    let least = near.map(distance).min()
    return near.filter { distance($0) == least }
  }
}

extension RunReport {
  /// What backups and the system made of an item after a call.
  fileprivate func outcomes(of call: Call) -> Set<String> {
    guard let first = events.firstIndex(where: { $0.step == call.step }),
      let item = items.first(where: { $0.path == call.path || $0.path == "\(call.path)/" })
    else { return [] }
    var outcomes: Set<String> = []
    for index in first..<events.endIndex {
      guard let state = item.states.last(where: { $0.event <= index }) else { continue }
      let isBackup = events[index].kind == .backup
      switch state.state {
      case "missing" where state.event == index && index > first:
        outcomes.insert(state.isPurged ? "purged" : "lost")
      case "in" where isBackup: outcomes.insert("backed up")
      case "mark" where isBackup: outcomes.insert("marked")
      case "place" where isBackup, "other" where isBackup: outcomes.insert("left out")
      default: break
      }
    }
    return outcomes
  }
}
