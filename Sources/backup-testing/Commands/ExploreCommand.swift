import BackupContainer
import BackupDiagnostics
import BackupExploration
import BackupExplorationReports
import BackupReports
import BackupScenarios
import BackupVerdicts
import Foundation

extension Command {
  static let explore = Command(
    name: "explore",
    operands: "[FOLDER|FILE|ID…]",
    summary: "Injects system events into scenarios, and reports what fails.",
    discussion: """
      Between activities and within them, the app is killed, relaunched, purged, updated or moved to
      a new device. Each failure is reported as the smallest scenario file that also fails.
      Scenarios that perform the app's own code are not explored. A scenario with 'expect' is
      explored if it is the only one. New scenarios, changed ones, and those that were wrong the
      last time come first. The exit status is 1 if a scenario fails, or none was explored.

      After a kill, only problems that remain after a launch and a retry are reported.
      A trace is one run with injected events. A quiescent point lies between activities, where iOS
      can act. A crash point lies within an activity, before a change to a file, where iOS can kill
      the app.
      """,
    options: [
      .filter, .shard, depth, budget, seconds, replay, write,
      .format(ExplorationReport.formats), .output,
      .allowRun, .allowBackups, .limit,
    ],
    variables: [.shard, .temporaryFolder] + EnvironmentVariable.originVariables,
    run: exploreScenarios)

  private static let depth = Option(
    "--depth", value: "N", "inject up to N system events into a run; default is 1")
  private static let budget = Option(
    "--budget", value: "N", "run each scenario at most N times; default is 2000")
  private static let seconds = Option(
    "--seconds", value: "N", "start runs of a scenario for at most N seconds; default is 300")
  private static let replay = Option(
    "--replay", value: "TOKEN", "repeat only the run that a report names by this token")
  private static let write = Option(
    "--write", value: "FOLDER", "write each failing run as a new scenario file into this folder")

  private static func exploreScenarios(_ arguments: Arguments) async throws -> ExitStatus {
    let bounds = try bounds(arguments)
    let format = try arguments.format(of: ExplorationReport.formats)
    let allowsCodeOrBackups = arguments.has(.allowRun) || arguments.has(.allowBackups)
    let stage =
      try allowsCodeOrBackups
      ? ExplorationStage(arguments.runner()) : ExplorationStage(limits: arguments.limits())
    let (allScenarios, hasSingleScenario) = try scenarios(arguments, bounds)
    // A single scenario is explored even if it has 'expect'.
    let scenarios =
      hasSingleScenario ? allScenarios : allScenarios.filter(\.scenario.expectations.isEmpty)
    if arguments.has(.allowRun) { warnOfMissingTap(in: scenarios.map(\.scenario)) }
    let counterexampleFolder = arguments.value(of: write)?.withoutEndingSlash
    let outputFile = try ReportOutput.file(arguments)
    let printsResultsAtOnce = format.traits.contains(.beginsWithResults) && outputFile == nil
    let memory = bounds.replayToken == nil ? ExplorationMemory.ofTool : ExplorationMemory(in: nil)
    // A signal must not end the tool before it has printed the number of unexplored scenarios.
    UnfinishedWork.shared.begin()
    defer { UnfinishedWork.shared.end() }
    var results: [Int: ExploredScenario] = [:]
    var updateLossProblems: [UpdateLossProblem] = []
    var knownLosses = Set(
      allScenarios.flatMap { scenario, _ in
        scenario.exploration.partsKeptByUpdates.map {
          UpdateLossProblem.Key(bundleIdentifier: scenario.app.bundleIdentifier, loss: $0)
        }
      })
    for index in changedFirst(scenarios, memory) where !Task.isCancelled {
      let (scenario, goldenText) = scenarios[index]
      var result = await ExploredScenario.exploreOnTerminal(scenario, bounds, on: stage)
      let newUpdateLossProblems = await LongWork.during(
        "trying updates in \(scenario.id.escapedExcerpt)"
      ) {
        await UpdateLossProblem.all(in: &result, bounds, on: stage, skipping: knownLosses)
      }
      updateLossProblems += newUpdateLossProblems
      knownLosses.formUnion(newUpdateLossProblems.map(\.key))
      results[index] = result
      if printsResultsAtOnce { try Output.print(result.text) }
      if let counterexampleFolder {
        try writeCounterexamples(of: result, into: counterexampleFolder)
      }
      if !Task.isCancelled {
        memory.record(
          scenario, outcome: goldenText,
          foundNoProblem: result.isExplored && result.isCompleteWithoutProblem)
      }
    }
    guard !Task.isCancelled else {
      let count = results.values.count { $0.isExplored && $0.counts.isWithinLimits }
      Output.error(
        "stopped: \(scenarios.count - count) of \(scenarios.count.counted("scenario")) were not, or not "
          + "wholly, explored\n")
      return .failure
    }
    let report = ExplorationReport(
      scenarios.indices.compactMap { results[$0] }, updateLossProblems,
      skippedScenarioCount: allScenarios.count - scenarios.count)
    if printsResultsAtOnce {
      try Output.print(report.conclusion)
    } else {
      try Output.write(try format.text(report, for: outputFile), to: outputFile)
    }
    return report.isGreen ? .success : .failure
  }

  /// Returns the indices of the scenarios. Scenarios that are new, that have changed, or that had a
  /// problem in their last exploration come first.
  private static func changedFirst(
    _ scenarios: [(scenario: Scenario, goldenText: String)], _ memory: ExplorationMemory
  ) -> [Int] {
    let unchangedFlags = scenarios.map { memory.isUnchanged($0.scenario, outcome: $0.goldenText) }
    return scenarios.indices.filter { !unchangedFlags[$0] }
      + scenarios.indices.filter { unchangedFlags[$0] }
  }

  /// Warns if exploration cannot kill the app within `run` steps, because the library FileSystemTap
  /// is missing beside the tool. `swift run` does not build this library.
  private static func warnOfMissingTap(in scenarios: [Scenario]) {
    guard TapLibrary.isSupported, TapLibrary.find() == nil,
      scenarios.contains(where: { !$0.stepsRunningCode.isEmpty })
    else { return }
    Output.error(
      "warning: the app is not killed in the middle of 'run' steps, because the library that "
        + "records their changes is missing beside the tool; 'swift build --product "
        + "FileSystemTap' puts it there\n")
  }

  /// Returns the selected scenarios, or only the scenario of the replay. `hasSingleScenario` is
  /// true for a replay, and if the arguments select only one scenario in all shards.
  private static func scenarios(
    _ arguments: Arguments, _ bounds: Scenario.ExplorationBounds
  ) throws -> ([(scenario: Scenario, goldenText: String)], hasSingleScenario: Bool) {
    let selection = try ScenarioSelection.inShard(arguments)
    let allScenarios = try selection.readFolders().flatMap { selectedFolder in
      selectedFolder.scenarios.map {
        (scenario: $0, goldenText: (try? selectedFolder.goldens.text(of: $0.id)) ?? "")
      }
    }
    guard let token = bounds.replayToken else { return (allScenarios, selection.paths.count == 1) }
    if let shard = selection.shard {
      throw CommandError(
        "\(replay.name) repeats one run, so it cannot run in shard \(shard); remove "
          + "\(Option.shard.name), or unset \(Shard.environmentVariable)")
    }
    let matching = allScenarios.filter { $0.scenario.id == token.scenarioID }
    guard matching.isEmpty else { return (matching, true) }
    let advice = NearestWord.advice(for: token.scenarioID, in: allScenarios.map(\.scenario.id))
    throw CommandError(
      "\(replay.name): unknown scenario '\(token.scenarioID.escapedExcerpt)'; \(advice)")
  }

  /// Writes each counterexample of a scenario as a file. Throws an error if a file exists with
  /// other contents.
  private static func writeCounterexamples(
    of result: ExploredScenario, into folder: String
  ) throws {
    let name = result.scenario.id.replacing("/", with: "-")
    for (index, counterexample) in result.counterexamples.enumerated() {
      let path = "\(folder)/\(name)-\(index + 1).json5"
      let file = TextFile(path: path)
      if FileKind(at: path, followingLinks: false) == nil {
        try file.makeFolder()
        try file.writeNew(counterexample.text)
      } else {
        let text = Array(counterexample.text.utf8)
        let contents = try RegularFile.firstBytes(
          of: "file", at: path, upTo: text.count + 1, followingLinks: false)
        guard contents == text else {
          throw CommandError(
            "\(path.onOneLine): the file exists and has other contents; name another folder")
        }
      }
      Output.error("written: \(path.onOneLine)\n")
    }
  }

  private static func bounds(_ arguments: Arguments) throws -> Scenario.ExplorationBounds {
    var bounds = Scenario.ExplorationBounds()
    let maximumDepth = Scenario.ExplorationBounds.highestDepth
    bounds.depth = try arguments.number(of: depth, upTo: maximumDepth) ?? bounds.depth
    bounds.budget = try arguments.number(of: budget, upTo: 10_000_000) ?? bounds.budget
    if let number = try arguments.number(of: seconds, upTo: 10_000_000) {
      bounds.duration = .seconds(number)
    }
    if let text = arguments.value(of: replay) {
      bounds.replayToken = try CommandError.naming(replay) { try ReplayToken(text) }
    }
    return bounds
  }
}

extension ExplorationMemory {
  /// The memory in the folder of the tool. If the tool is not in a build folder, the memory is not
  /// stored, because the kit does not write into other folders.
  fileprivate static var ofTool: ExplorationMemory {
    let folder = Bundle.main.executableURL?.resolvingSymlinksInPath().deletingLastPathComponent()
    let isInBuildFolder = folder?.pathComponents.contains(".build") == true
    return ExplorationMemory(in: isInBuildFolder ? folder : nil, of: "tool")
  }
}

extension Arguments {
  func number(of option: Option, upTo maximum: Int) throws -> Int? {
    guard let text = value(of: option) else { return nil }
    guard let number = Int(text), (1...maximum).contains(number) else {
      throw CommandError(
        "\(option.name): expected a whole number from 1 to \(maximum), not '\(text)'")
    }
    return number
  }
}
