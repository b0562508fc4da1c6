import BackupContainer
package import BackupDiagnostics
package import BackupSourceIndex
package import BackupVerdicts
import Foundation

/// The places in an app's code that use storage, and the scenarios that run them.
package struct SavesReport: Encodable, Sendable {
  package struct Row: Encodable, Sendable {
    let place: StoragePlace
    /// The number of times that tests ran the place, or nil if that is unknown.
    let count: Int?
    /// The outcomes of the items that the place changed, by the ids of the scenarios that ran the
    /// place.
    fileprivate(set) var scenarios: [String: [String]] = [:]
    /// True if a test ran the place, or nil if that is unknown.
    fileprivate(set) var isRun: Bool?
    /// A phrase that says whether the code of a save sets a mark. Nil for a place that saves
    /// nothing.
    let mark: String?
    /// Advice on a likely mistake at the place, or nil if nothing looks wrong.
    let advice: String?

    /// True if the runs of scenarios record the place. Runs record only changes of files and marks.
    fileprivate var isRecorded: Bool {
      ![.directory, .readMark, .defaults, .path].contains(place.use)
    }
  }

  private let format = 1
  package private(set) var places: [Row]
  /// For each function with a place that no test runs, a scenario that the user can begin with.
  private(set) var templates: [String: String] = [:]
  /// Sentences on what the report does not know.
  package private(set) var notes: [String] = []
  /// True if coverage or results show which places ran.
  package private(set) var knowsRuns = false
  private(set) var runCount = 0
  /// True if places may be missing or wrong (`SourceIndex.isDoubtful`).
  let isIndexDoubtful: Bool
  /// The number of calls in the sources that are missing from the index. These calls count as
  /// places that did not run.
  private let missingCallCount: Int
  /// The percentage of places that must run, or nil for no limit.
  let leastPercent: Int?

  package init(
    _ index: SourceIndex, coverage: Coverage?, results: [ScenarioReport], leastPercent: Int?
  ) throws(RunError) {
    self.leastPercent = leastPercent
    isIndexDoubtful = index.isDoubtful
    missingCallCount = index.missingCallCount
    let files = Set(index.places.map(\.file)).sorted()
    var changedFiles: [String] = []
    for file in files where try coverage?.isOlder(than: file) == true { changedFiles.append(file) }
    let storageAdvice = StorageAdvice(index)
    places = index.places.map { place in
      let coverage = changedFiles.contains(place.file) ? nil : coverage
      return Row(
        place: place,
        count: coverage?.runCount(file: place.file, line: place.line, column: place.column),
        mark: storageAdvice.markPhrase(at: place), advice: storageAdvice.advice(at: place))
    }
    let idsAndRuns = results.flatMap { scenario in (scenario.runs ?? []).map { (scenario.id, $0) } }
    for (id, run) in idsAndRuns {
      for call in run.calls ?? [] {
        let outcomes = run.outcomes(of: call)
        for index in places.indices(of: call) {
          let allOutcomes = outcomes.union(places[index].scenarios[id] ?? [])
          places[index].scenarios[id] = allOutcomes.sorted()
        }
      }
    }
    let hasScenarios = places.contains { !$0.scenarios.isEmpty }
    for index in places.indices {
      let knownCount =
        places[index].count
        ?? (coverage == nil && hasScenarios && places[index].isRecorded ? 0 : nil)
      places[index].isRun = places[index].scenarios.isEmpty ? knownCount.map { $0 > 0 } : true
    }
    knowsRuns = coverage != nil || hasScenarios
    runCount = places.count { $0.isRun == true }
    for row in places where row.isRun == false && ![.directory, .readMark].contains(row.place.use) {
      guard !row.place.function.isEmpty else { continue }
      templates[row.place.function] = templates[row.place.function] ?? row.template
    }
    notes = index.notes
    if !changedFiles.isEmpty {
      let fileList = changedFiles.joined(separator: ", ")
      notes.append(
        "changed after the tests ran, so their coverage is ignored; run them again: \(fileList)")
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

  /// The number of places in the sources, including those that are missing from the index.
  var totalPlaceCount: Int { places.count + missingCallCount }

  package var hasEnoughRuns: Bool {
    guard let leastPercent else { return true }
    return totalPlaceCount > 0 && !isIndexDoubtful
      && runCount * 100 >= leastPercent * totalPlaceCount
  }
}

extension SavesReport.Row {
  fileprivate var template: String {
    let functionNames = place.function.prefix { $0 != "(" }.split(separator: ".")
    let isPlainFunction =
      functionNames.last?.first?.isLetter == true && functionNames.last != "init"
    let actionName =
      isPlainFunction ? String(functionNames.last ?? "") : "use\(functionNames.first ?? "")"
    return """
      // \(place.function), \(place.file.onOneLine):\(place.line)
      {
        title: "\(place.function.replacing("\"", with: "'")) leaves the right files in the backup",
        steps: [
          { perform: "\(actionName)" },
          { backup: "afterwards" },
        ],
      }

      """
  }
}

extension [SavesReport.Row] {
  /// Returns the indices of the places that a recorded call may come from. These are the places
  /// nearest to the call in the same function, at most three lines away.
  fileprivate func indices(of call: RunReport.Call) -> [Int] {
    guard call.kind != .look, call.kind != .refusal else { return [] }
    let isMark = call.kind == .mark || call.kind == .unmark
    // The names of functions in the index have no accessors and no generic parameters.
    let function = call.code.function.replacing(
      #/<[^<>]*>(?=\()|\.(getter|setter|willset|didset|read|modify)$/#, with: "")
    func distance(_ index: Int) -> UInt { (self[index].place.line &- call.code.line).magnitude }
    let nearIndices = indices.filter { index in
      let place = self[index].place
      return self[index].isRecorded && place.file == call.code.file
        && (place.use == .mark) == isMark
        && distance(index) <= 3 && function.hasSuffix(place.function)
    }
    let leastDistance = nearIndices.map(distance).min()
    return nearIndices.filter { distance($0) == leastDistance }
  }
}

extension RunReport {
  /// Returns the outcomes of the item that a call changed: in backups and in other events of iOS
  /// after the call.
  fileprivate func outcomes(of call: Call) -> Set<String> {
    guard let firstIndex = events.firstIndex(where: { $0.step == call.step }),
      let item = items.first(where: { $0.path == call.path || $0.path == "\(call.path)/" })
    else { return [] }
    var outcomes: Set<String> = []
    for index in firstIndex..<events.endIndex {
      guard let state = item.states.last(where: { $0.event <= index }) else { continue }
      let isBackup = events[index].kind == .backup
      switch state.state {
      case "missing" where state.event == index && index > firstIndex:
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
