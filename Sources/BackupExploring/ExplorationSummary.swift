import BackupContainer
import BackupDiagnostics
import BackupExploration
import BackupExplorationReports
import BackupScenarios
import BackupTesting
import BackupVerdicts
import Foundation

/// A summary of all explorations in a test process: for each app, the explored and the unexplored
/// parts.
struct ExplorationSummary: Sendable {
  fileprivate struct App: Sendable {
    let actionNames: Set<String>
    /// The actions that explored scenarios perform.
    var performedActionNames: Set<String> = []
    var scenarioCount = 0
    var crashPointCount = 0
    var traceCount = 0
    var problemCount = 0
    /// True if the app has no `check`, so that exploration did not check whether its files are
    /// consistent.
    var lacksCheck = false
    /// The ids of the scenarios in which exploration did not test the app's launch, because the app
    /// has no `launch`.
    var scenarioIDsWithUnseenStart: Set<String> = []
    /// The ids of the scenarios that were explored only in part or not at all. For each of them, an
    /// issue says why.
    var incompleteScenarioIDs: Set<String> = []
  }

  /// The summary of this process. Tests of the kit replace it.
  @TaskLocal static var current = ExplorationSummary()

  /// The apps, by the names of their types.
  private let apps = Locked<[String: App]>([:])
  private let advisedDependencyKeys = Locked<Set<UpdateLossProblem.Key>>([])

  /// Makes the process print the summary when it exits. Swift runs this code only at the first use.
  private static let printAtExit: Void = {
    atexit { print(current.text, terminator: "") }
  }()

  /// The keys of the dependencies on updates for which the kit has given advice.
  var updateDependencyKeys: Set<UpdateLossProblem.Key> { advisedDependencyKeys.withLock(\.self) }

  /// Adds dependencies that an exploration found, and returns those that no earlier exploration has
  /// found.
  func add(_ foundDependencies: [UpdateLossProblem]) -> [UpdateLossProblem] {
    advisedDependencyKeys.withLock { keys in
      foundDependencies.filter { keys.insert($0.key).inserted }
    }
  }

  func add(
    _ exploration: ExploredScenario, of type: any AppUnderTest.Type, hasCheck: Bool
  ) {
    let (scenario, counts) = (exploration.scenario, exploration.counts)
    change(type) { app in
      if exploration.isExplored {
        app.performedActionNames.formUnion(scenario.actionNames)
        app.scenarioCount += 1
        app.crashPointCount += counts.crashPoints
        app.traceCount += counts.traces
        app.problemCount += exploration.counterexamples.count
        app.lacksCheck = !hasCheck
      }
      if counts.hasUnseenStart { app.scenarioIDsWithUnseenStart.insert(scenario.id) }
      if exploration.complaint != nil { app.incompleteScenarioIDs.insert(scenario.id) }
    }
  }

  func add(unexplored scenario: Scenario, of type: any AppUnderTest.Type) {
    change(type) { $0.incompleteScenarioIDs.insert(scenario.id) }
  }

  private func change(_ type: any AppUnderTest.Type, _ body: (inout App) -> Void) {
    Self.printAtExit
    apps.withLock { body(&$0["\(type)", default: App(actionNames: Set(type.actions.names))]) }
  }

  /// A line for each app, with its explored and its unexplored parts.
  var text: String {
    // If the shard's variables are invalid, an issue of an earlier exploration says so.
    let shard = try? TestProcess.current.shard.get()
    return apps.withLock(\.self).sorted { $0.key < $1.key }.map { name, app in
      let exploredClause =
        app.scenarioCount > 0 ? "was explored: \(app.exploredText)" : "was NOT explored"
      let unexploredParts = app.unexploredParts(in: shard)
      return "\(name) \(exploredClause)"
        + (unexploredParts.isEmpty
          ? "" : "; not explored: \(unexploredParts.joined(separator: "; "))") + "\n"
    }.joined()
  }
}

extension ExplorationSummary.App {
  fileprivate var exploredText: String {
    [
      scenarioCount.counted("scenario"),
      "\(actionNames.intersection(performedActionNames).count) of \(actionNames.count.counted("action"))",
      crashPointCount.counted("crash point"), traceCount.counted("trace"),
      problemCount > 0 ? problemCount.counted("problem") : nil,
    ].compactMap(\.self).joined(separator: ", ")
  }

  fileprivate func unexploredParts(in shard: Shard?) -> [String] {
    let shardClause = shard.map { " in shard \($0)" } ?? ""
    let issuesClause = incompleteScenarioIDs.count.wordForm(
      "its issue says", plural: "their issues say")
    let unexploredActions = actionNames.subtracting(performedActionNames).sorted()
      .map { "'\(EscapedText.escape($0))'" }
    return [
      unexploredActions.isEmpty
        ? nil
        : "the \(unexploredActions.count.wordForm("action")) \(unexploredActions.joinedInWords), because no explored "
          + "scenario\(shardClause) performs \(unexploredActions.count.wordForm("it", plural: "them"))",
      scenarioIDsWithUnseenStart.isEmpty
        ? nil
        : "the start of \(shortenedList(of: scenarioIDsWithUnseenStart)), because the app has no 'launch'",
      lacksCheck
        ? "the consistency of its files, because the app has no 'check'"
        : nil,
      incompleteScenarioIDs.isEmpty
        ? nil
        : "\(shortenedList(of: incompleteScenarioIDs)), as \(issuesClause)",
    ].compactMap(\.self)
  }

  /// Returns the ids of the first three scenarios and the number of the others, such as
  /// `a, b, c and 2 more`.
  private func shortenedList(of scenarioIDs: Set<String>) -> String {
    let remainder = scenarioIDs.count > 3 ? ["\(scenarioIDs.count - 3) more"] : []
    return (scenarioIDs.sorted().prefix(3) + remainder).joinedInWords
  }
}
