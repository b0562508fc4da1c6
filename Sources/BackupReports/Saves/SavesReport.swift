import BackupContainer
import BackupDiagnostics
package import BackupSourceIndex
package import BackupVerdicts
import Foundation

/// The places of an app's code that use storage, and which tests run them.
package struct SavesReport: Sendable {
  package struct Row: Encodable, Sendable {
    package let place: StoragePlace
    /// How often tests ran the place; nil if it is unknown.
    package let count: Int?
    /// The scenarios that ran it, with what became of the items that it changed.
    package fileprivate(set) var scenarios: [String: Set<Outcome>] = [:]

    /// What may be wrong at the place, by the look of the code; nil for nothing.
    package let advice: String?
    /// Whether a test ran it; nil if that is unknown.
    package fileprivate(set) var isRun: Bool?
  }

  /// What became of an item after the app had changed it.
  package enum Outcome: String, Codable, CaseIterable, Sendable {
    case backedUp = "backed up"
    case marked
    case leftOut = "left out"
    case purged
    case lost
  }

  package private(set) var rows: [Row]
  /// What the report cannot know, in sentences.
  package private(set) var notes: [String] = []
  /// The least share of places that are to run, in percent; nil if any will do.
  package let leastPercent: Int?

  package init(
    _ index: SourceIndex, coverage: Coverage?, results: [ScenarioReport], leastPercent: Int?
  ) {
    self.leastPercent = leastPercent
    let files = Set(index.places.map(\.file)).sorted()
    let uncovered = files.filter { coverage?.isOlder(than: $0) == true }
    let advice = StorageAdvice(index)
    rows = index.places.map { place in
      let isKnown = !uncovered.contains(place.file)
      return Row(
        place: place,
        count: isKnown
          ? coverage?.count(file: place.file, line: place.line, column: place.column) : nil,
        advice: advice.advice(at: place))
    }
    let runs = results.flatMap { scenario in (scenario.runs ?? []).map { (scenario.id, $0) } }
    let hasCalls = runs.contains { $0.1.calls != nil }
    for (id, run) in runs {
      for call in run.calls ?? [] {
        let outcomes = run.outcomes(of: call)
        for index in rows.indices(of: call) {
          rows[index].scenarios[id, default: []].formUnion(outcomes)
        }
      }
    }
    for index in rows.indices {
      let count = rows[index].count ?? (coverage == nil && hasCalls ? 0 : nil)
      rows[index].isRun = rows[index].scenarios.isEmpty ? count.map { $0 > 0 } : true
    }
    if !index.changedFiles.isEmpty {
      notes.append(
        "changed since the last build, so lines may be wrong: "
          + index.changedFiles.joined(separator: ", "))
    }
    if !uncovered.isEmpty {
      notes.append(
        "changed since the coverage was written, so it is not used there: "
          + uncovered.joined(separator: ", "))
    }
    if let coverage, !files.contains(where: coverage.has) {
      notes.append("the coverage has none of these files; it may be that of another package")
    }
    if !results.isEmpty, !hasCalls {
      notes.append(
        "the results name no code; they do if the tests ran with '--enable-code-coverage' on Linux, "
          + "and the test target depends on FileSystemTap")
    }
  }

  package var knownCount: Int { rows.count { $0.isRun != nil } }
  package var runCount: Int { rows.count { $0.isRun == true } }
  package var isEnough: Bool {
    leastPercent.map { knownCount > 0 && runCount * 100 >= $0 * knownCount } ?? true
  }
}

extension [SavesReport.Row] {
  /// The places that a call on the stack is: at its line, or at most three lines from it, because a
  /// statement may have more than one line.
  fileprivate func indices(of call: RunReport.Call) -> [Int] {
    let isMark = call.kind == .mark || call.kind == .unmark
    let near = indices.filter { index in
      let place = self[index].place
      return place.file == call.code.file && abs(place.line - call.code.line) <= 3
        && (place.use == .mark) == isMark
    }
    let distances = near.map { abs(self[$0].place.line - call.code.line) }
    return zip(near, distances).filter { $0.1 == distances.min() }.map(\.0)
  }
}

extension RunReport {
  /// What backups and the system made of an item after a call.
  fileprivate func outcomes(of call: Call) -> Set<SavesReport.Outcome> {
    guard let first = events.firstIndex(where: { $0.step == call.step }),
      let item = items.first(where: { $0.path == call.path || $0.path == "\(call.path)/" })
    else { return [] }
    var outcomes: Set<SavesReport.Outcome> = []
    for index in first..<events.endIndex {
      guard let state = item.states.last(where: { $0.event <= index }) else { continue }
      switch state.state {
      case "missing" where state.event == index && index > first:
        outcomes.insert(state.why == "purged" ? .purged : .lost)
      case "in" where events[index].kind == "backup": outcomes.insert(.backedUp)
      case "mark" where events[index].kind == "backup": outcomes.insert(.marked)
      case "place", "other":
        if events[index].kind == "backup" { outcomes.insert(.leftOut) }
      default: break
      }
    }
    return outcomes
  }
}
