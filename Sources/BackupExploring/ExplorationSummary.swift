import BackupContainer
import BackupDiagnostics
import BackupExploration
import BackupExplorationReports
import BackupScenarios
import BackupTesting
import BackupVerdicts
import Foundation

/// What the explorations of a process of tests have tried, and what they have not, for each app.
struct ExplorationSummary: Sendable {
  fileprivate struct App: Sendable {
    let actions: Set<String>
    var performed: Set<String> = []
    var scenarios = 0
    var crashPoints = 0
    var traces = 0
    var problems = 0
    /// The reasons why something was not explored, each with the scenarios.
    var gaps: [String: [String]] = [:]
  }

  /// The summary of this process; tests put another in its place.
  @TaskLocal static var current = ExplorationSummary()

  private let apps = Locked<[String: App]>([:])
  private let dependences = Locked<[UpdateDependence]>([])

  private static let printedAtExit: Void = {
    atexit { print(current.text, terminator: "") }
  }()

  /// What depends on what an update may lose, once for each app and loss.
  var updateDependences: [UpdateDependence] { dependences.withLock(\.self) }

  /// Adds what an exploration found, and returns what is new.
  func note(_ found: [UpdateDependence]) -> [UpdateDependence] {
    dependences.withLock { known in
      let new = found.filter { one in
        !known.contains { $0.app == one.app && $0.loss == one.loss }
      }
      known += new
      return new
    }
  }

  func note(_ explored: ExploredScenario, of type: any AppUnderTest.Type) {
    let (scenario, counts) = (explored.scenario, explored.counts)
    change(type) { app in
      if explored.isExplored {
        app.performed.formUnion(scenario.actionNames)
        app.scenarios += 1
        app.crashPoints += counts.crashPoints
        app.traces += counts.traces
        app.problems += explored.mistakes[.permanent] ?? 0
      }
      let start =
        counts.hasUnseenStart
        ? "the start was not explored, because the app has no 'launch'" : nil
      for gap in [start, explored.complaint].compactMap(\.self) {
        app.gaps[gap, default: []].append(scenario.id)
      }
    }
  }

  func note(_ scenario: Scenario, notExplored reason: String, of type: any AppUnderTest.Type) {
    change(type) { $0.gaps["not explored: \(reason)", default: []].append(scenario.id) }
  }

  private func change(_ type: any AppUnderTest.Type, _ body: (inout App) -> Void) {
    Self.printedAtExit
    apps.withLock { body(&$0["\(type)", default: App(actions: Set(type.actions.names))]) }
  }

  /// For each app a line on what was tried, and a line on each thing that was not.
  var text: String {
    let shard = try? TestProcess.current.shard.get()
    return apps.withLock(\.self).sorted { $0.key < $1.key }.map { name, app in
      (app.scenarios > 0 ? "\(name) was explored: \(app.tried)\n" : "\(name) was NOT explored\n")
        + app.missed(in: shard).map { "  \($0)\n" }.joined()
    }.joined()
  }
}

extension ExplorationSummary.App {
  fileprivate var tried: String {
    [
      scenarios.counted("scenario"),
      "\(actions.intersection(performed).count) of \(actions.count.counted("action"))",
      crashPoints.counted("crash point"), traces.counted("trace"),
      problems > 0 ? problems.counted("permanent problem") : nil,
    ].compactMap(\.self).joined(separator: ", ")
  }

  fileprivate func missed(in shard: Shard?) -> [String] {
    let part = shard.map { " in shard \($0)" } ?? ""
    let actions = actions.subtracting(performed).sorted().map { "'\(EscapedText.escape($0))'" }
    let unperformed =
      actions.isEmpty
      ? []
      : [
        "not explored: the \(actions.count.form("action")) \(actions.joinedInWords), because no "
          + "explored scenario\(part) performs \(actions.count.form("it", plural: "them"))"
      ]
    return unperformed
      + gaps.sorted { $0.key < $1.key }.map { reason, scenarios in
        let more = scenarios.count > 3 ? ["\(scenarios.count - 3) more"] : []
        return "\((scenarios.sorted().prefix(3) + more).joinedInWords): \(reason)"
      }
  }
}
