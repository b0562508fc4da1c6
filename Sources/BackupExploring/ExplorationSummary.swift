import BackupContainer
import BackupDiagnostics
import BackupExploration
import BackupExplorationReports
import BackupScenarios
import BackupTesting
import BackupVerdicts
import Foundation

/// The explored and unexplored parts of each app, from all explorations in a test process.
struct ExplorationSummary: Sendable {
  fileprivate struct App: Sendable {
    let actions: Set<String>
    var performed: Set<String> = []
    var scenarios = 0
    var crashPoints = 0
    var traces = 0
    var problems = 0
    /// True if the app has no `check`, so that the consistency of its files was not explored.
    var lacksCheck = false
    /// The scenarios whose start was not explored, because the app has no `launch`.
    var unseenStarts: Set<String> = []
    /// The scenarios that were explored only in part or not at all. An issue of each has the reason.
    var gaps: Set<String> = []
  }

  /// The summary of this process. Tests of the kit put another in its place.
  @TaskLocal static var current = ExplorationSummary()

  private let apps = Locked<[String: App]>([:])
  private let dependences = Locked<Set<UpdateDependence.Key>>([])

  private static let registerPrinting: Void = {
    atexit { print(current.text, terminator: "") }
  }()

  /// The pairs of app and loss for which advice was already given.
  var updateDependences: Set<UpdateDependence.Key> { dependences.withLock(\.self) }

  /// Adds the dependences that an exploration found, and returns the new ones.
  func add(_ found: [UpdateDependence]) -> [UpdateDependence] {
    dependences.withLock { keys in found.filter { keys.insert($0.key).inserted } }
  }

  func add(
    _ explored: ExploredScenario, of type: any AppUnderTest.Type, hasCheck: Bool
  ) {
    let (scenario, counts) = (explored.scenario, explored.counts)
    change(type) { app in
      if explored.isExplored {
        app.performed.formUnion(scenario.actionNames)
        app.scenarios += 1
        app.crashPoints += counts.crashPoints
        app.traces += counts.traces
        app.problems += explored.counterexamples.count
        app.lacksCheck = !hasCheck
      }
      if counts.hasUnseenStart { app.unseenStarts.insert(scenario.id) }
      if explored.complaint != nil { app.gaps.insert(scenario.id) }
    }
  }

  func add(unexplored scenario: Scenario, of type: any AppUnderTest.Type) {
    change(type) { $0.gaps.insert(scenario.id) }
  }

  private func change(_ type: any AppUnderTest.Type, _ body: (inout App) -> Void) {
    Self.registerPrinting
    apps.withLock { body(&$0["\(type)", default: App(actions: Set(type.actions.names))]) }
  }

  /// A line for each app, on what was and was not explored.
  var text: String {
    // An error in the shard was reported when the scenarios were read.
    let shard = try? TestProcess.current.shard.get()
    return apps.withLock(\.self).sorted { $0.key < $1.key }.map { name, app in
      let explored = app.scenarios > 0 ? "was explored: \(app.exploredText)" : "was NOT explored"
      let gaps = app.gapTexts(in: shard)
      return "\(name) \(explored)"
        + (gaps.isEmpty ? "" : "; not explored: \(gaps.joined(separator: "; "))") + "\n"
    }.joined()
  }
}

extension ExplorationSummary.App {
  fileprivate var exploredText: String {
    [
      scenarios.counted("scenario"),
      "\(actions.intersection(performed).count) of \(actions.count.counted("action"))",
      crashPoints.counted("crash point"), traces.counted("trace"),
      problems > 0 ? problems.counted("problem") : nil,
    ].compactMap(\.self).joined(separator: ", ")
  }

  fileprivate func gapTexts(in shard: Shard?) -> [String] {
    let part = shard.map { " in shard \($0)" } ?? ""
    let actions = actions.subtracting(performed).sorted().map { "'\(EscapedText.escape($0))'" }
    return [
      actions.isEmpty
        ? nil
        : "the \(actions.count.form("action")) \(actions.joinedInWords), because no explored "
          + "scenario\(part) performs \(actions.count.form("it", plural: "them"))",
      unseenStarts.isEmpty
        ? nil : "the start of \(shown(unseenStarts)), because the app has no 'launch'",
      lacksCheck
        ? "the consistency of its files, because the app has no 'check'"
        : nil,
      gaps.isEmpty
        ? nil
        : "\(shown(gaps)), as \(gaps.count.form("its issue says", plural: "their issues say"))",
    ].compactMap(\.self)
  }

  /// Returns the names of the first three scenarios, and the number of the others.
  private func shown(_ scenarios: Set<String>) -> String {
    let more = scenarios.count > 3 ? ["\(scenarios.count - 3) more"] : []
    return (scenarios.sorted().prefix(3) + more).joinedInWords
  }
}
