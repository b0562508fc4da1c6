import BackupContainer
import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupJSON5
import BackupRules
import BackupScenarios

extension ScenarioResult {
  /// The problems of steps and fields without an effect, because of which a scenario may pass.
  var idleProblems: [Scenario.Problem] {
    guard runs.count == scenario.variants.count, !runs.contains(where: \.hasBrokenOff) else {
      return []
    }
    // These outcomes already say that nothing was recorded.
    switch golden {
    case .vacuous, .unfinished: return []
    default: break
    }
    let hasPatterns = scenario.files != nil || scenario.budget != nil || scenario.storage != nil
    let paths = hasPatterns ? filePaths : []
    let others = [idleCode, idleLaunch, actionAfterStarts, idleSystem, unclassedSave(paths)]
    return (idleCode == nil ? idleActions : []) + idlePatterns(paths) + idleValues
      + formerRuleProblems + idleLimits("budget", scenario.budget, paths)
      + idleLimits("storage", scenario.storage, paths) + others.compactMap(\.self)
  }

  /// Advice on each former name of a rule in `expect`.
  private var formerRuleProblems: [Scenario.Problem] {
    scenario.expectations.compactMap { expectation in
      expectation.formerRule.map { name in
        idleProblem(
          "the rule '\(name)' is a part of '\(expectation.rule)' now",
          advice: "write '\(expectation.rule)' in 'expect'", at: expectation.position,
          severity: .advice)
      }
    }
  }

  /// The paths at which any run had a file.
  private var filePaths: Set<ContainerPath> {
    runs.reduce(into: []) { paths, run in run.transcript?.addFilePaths(to: &paths) }
  }

  /// Returns a problem for each pattern in the scenario's own `files` that matches no file of any run.
  private func idlePatterns(_ paths: Set<ContainerPath>) -> [Scenario.Problem] {
    guard let files = scenario.files else { return [] }
    let runsCode = !scenario.stepsOfCode.isEmpty
    return idleIndices(of: files, paths).compactMap { index in
      guard case .scenario(let position) = files.places[index] else { return nil }
      return idleProblem(
        "pattern \(files.promises[index].shown) matched no file, so nothing was checked against it",
        advice: files.promises[index].pattern.adviceIfUnmatched
          + Self.adviceOnCode(runsCode, compiledForIOS: FoundationMarks.usesAppleFoundation),
        at: position)
    }
  }

  /// Returns the indices of the patterns that should match a file, but match none.
  private func idleIndices(of files: FilePromises, _ paths: Set<ContainerPath>) -> [Int] {
    // The kit does not see files that the app's code creates and removes in one step. They are often temporary.
    let runsCode = !scenario.stepsOfCode.isEmpty
    return files.indicesMatchingNone(of: paths).filter { index in
      let dataClass = files.promises[index].dataClass
      // A secret is best kept in no file.
      return dataClass != .secret && (!runsCode || dataClass != .temporary)
    }
  }

  /// The indices of the app's shared patterns that match no file of any run; nil if a run did not finish.
  var idleSharedIndices: Set<Int>? {
    guard let files = scenario.sharedFiles else { return [] }
    guard skip == nil, runs.count == scenario.variants.count,
      !runs.contains(where: \.hasBrokenOff)
    else { return nil }
    return Set(idleIndices(of: files, filePaths))
  }

  /// Returns more advice on a pattern without files if the app's own code has run; otherwise empty.
  static func adviceOnCode(_ runsCode: Bool, compiledForIOS isCompiled: Bool) -> String {
    guard runsCode else { return "" }
    let unseen =
      "; or use the class 'temporary', if the app's code creates and removes the file in one "
      + "step, which the kit does not see"
    guard !isCompiled else { return unseen }
    return unseen
      + "; or run the test in the simulator, if the code that creates the file is in '#if "
      + "os(iOS)' or '#if canImport(UIKit)', which is not compiled on Linux"
  }

  /// A problem for each name in the scenario's `defaults` that no step reads.
  private var idleValues: [Scenario.Problem] {
    let names = Set((scenario.launch + scenario.steps).compactMap(\.readValue))
    return scenario.deviceValues.filter { !names.contains($0.value) }.map { located in
      idleProblem(
        "no step reads '\(located.value.shown)' of 'defaults', so nothing was checked",
        advice: "correct the name, or add a step 'readDefault' or 'readKeychainItem'; the kit does "
          + "not see what the app's own code reads", at: located.position)
    }
  }

  /// Returns a problem for each pattern of a budget that matches no file of any run.
  private func idleLimits(
    _ key: String, _ budget: Scenario.Budget?, _ paths: Set<ContainerPath>
  ) -> [Scenario.Problem] {
    guard let budget, !budget.positions.isEmpty else { return [] }
    let indices = budget.indicesMatchingNone(of: paths)
    return zip(budget.entries, budget.positions).enumerated().compactMap { index, limit in
      // The kit does not see files in tmp that the app's code creates and removes in one step. For a pattern
      // that begins with a wildcard, the prefix is no path.
      guard indices.contains(index), let pattern = limit.0.pattern,
        scenario.stepsOfCode.isEmpty
          || (try? ContainerPath(pattern.fixedPrefix))?.location != .temporary
      else { return nil }
      return idleProblem(
        "pattern '\(pattern.description.shown)' of '\(key)' matched no file, so its limit was not "
          + "checked",
        advice: pattern.adviceIfUnmatched, at: limit.1)
    }
  }

  /// The problem that the app's own code ran and left no trace, except by failing as it must.
  private var idleCode: Scenario.Problem? {
    let steps = scenario.stepsOfCode
    let numbers = Set(steps.map(\.reference.number))
    let failing = Set(steps.filter(\.mustFail).map(\.reference.number))
    let entries = runs.compactMap(\.transcript).flatMap(\.entries).filter {
      numbers.contains($0.step.number)
    }
    let hasTrace = entries.contains {
      failing.contains($0.step.number) ? $0.event.isChange : $0.event.traits.contains(.trace)
    }
    guard !scenario.isAdapted, !hasTrace,
      let first = entries.first(where: { !failing.contains($0.step.number) })?.step
    else { return nil }
    return idleProblem(
      "the app's own code ran, but changed nothing in the container",
      advice: Self.adviceOnIdleCode, at: first.position)
  }

  /// Advice on each action that did nothing, if a golden file was recorded. An action that only reads is right.
  private var idleActions: [Scenario.Problem] {
    guard case .recorded = golden else { return [] }
    return actionsIdleInAllRuns.map { step in
      Scenario.Problem(
        kind: .idle, severity: .advice, isFailure: false, position: step.position,
        message:
          "'\(step.summary)' changed nothing in the container; the new golden file records this",
        details: ["do: if it must change something, \(Self.adviceOnIdleCode)"], variants: nil)
    }
  }

  var actionsIdleInAllRuns: [Scenario.StepReference] {
    let idle = runs.compactMap(\.transcript?.idleActions)
    return idle.first?.filter { step in idle.allSatisfy { $0.contains(step) } } ?? []
  }

  package static let adviceOnIdleCode =
    "make sure that the code writes into the container that it is given, waits for its work before "
    + "the action returns (a detached task may still run then), and hides no error with 'try?'"

  /// The problem that the app was never started, so that the steps of `launch` did not run.
  private var idleLaunch: Scenario.Problem? {
    guard let first = scenario.launch.first,
      !runs.contains(where: { $0.transcript?.entries.contains(where: \.event.isLaunch) == true })
    else { return nil }
    return idleProblem(
      "the app is never started, so the steps of 'launch' never ran",
      advice: "add a step of the app, or start the app with { relaunch: {} }",
      at: first.reference.position)
  }

  /// Advice on an action that follows each start of the app, and so may belong into `launch`.
  private var actionAfterStarts: Scenario.Problem? {
    guard scenario.launch.isEmpty else { return nil }
    let starts = runs.first?.transcript?.entries.filter(\.event.isLaunch) ?? []
    var next: [Scenario.StepReference.Number: Scenario.Step] = [:]
    var following: Scenario.Step?
    for step in scenario.steps.reversed() {
      if step.isOfApp { following = step }
      next[step.reference.number] = following
    }
    let firsts = starts.map { next[$0.step.number] }
    guard firsts.count > 1, let first = firsts[0], first.runsCode, !first.hasArguments,
      firsts.allSatisfy({ $0?.reference.summary == first.reference.summary }),
      scenario.steps.count(where: { $0.reference.summary == first.reference.summary })
        == firsts.count
    else { return nil }
    return idleProblem(
      "'\(first.reference.summary)' comes after each of the app's \(firsts.count) launches, but "
        + "is not in 'launch', so it does not run after a launch that exploration adds",
      advice: "move it to 'launch' if the app always does it at its start",
      at: first.reference.position, severity: .advice)
  }

  /// The problem that iOS did nothing and nothing is asserted. In an exploration, iOS acts everywhere.
  private var idleSystem: Scenario.Problem? {
    let isIdle =
      caller != .exploringTest
      && runs.allSatisfy { $0.transcript?.systemEntries.isEmpty == true }
      && !scenario.steps.contains { $0.onlyLaunchesApp || $0.keyword == .kill }
    guard isIdle, !scenario.hasExpectations else { return nil }
    return idleProblem(
      "the scenario has no system event and no assertion, so it tests hardly anything",
      advice: "add one, such as { backup: \"at night\" }", at: start)
  }

  /// The problem that a scenario of the standard suite saved no file of the class that it is named after. A
  /// secret is best kept in no file.
  private func unclassedSave(_ paths: Set<ContainerPath>) -> Scenario.Problem? {
    guard scenario.isAdapted, let dataClass = DataClass(rawValue: scenario.id),
      dataClass != .secret,
      !paths.contains(where: { scenario.files?.dataClass(of: $0) == dataClass })
    else { return nil }
    return idleProblem(
      "'save \(dataClass.rawValue)' created no file of the class \(dataClass.rawValue), so "
        + "nothing was tested",
      advice:
        "correct the pattern in 'files', or save into the container that the action is given",
      at: start, severity: .error)
  }

  /// A problem for each step whose code may have written outside of its container.
  var doubtProblems: [Scenario.Problem] {
    var steps: Set<Scenario.StepReference.Number> = []
    return runs.compactMap(\.transcript).flatMap(\.doubts).filter { doubt in
      steps.insert(doubt.step.number).inserted
    }.map { doubt in
      Scenario.Problem(
        kind: .idle, severity: .warning,
        isFailure: Scenario.Severity.warning.fails(isStrict: isStrict),
        position: doubt.step.position, message: doubt.message, details: [], variants: nil)
    }
  }

  private func idleProblem(
    _ message: String, advice: String, at position: SourcePosition,
    severity: Scenario.Severity = .warning
  ) -> Scenario.Problem {
    Scenario.Problem(
      kind: .idle, severity: severity, isFailure: severity.fails(isStrict: isStrict),
      position: position, message: message, details: ["do: \(advice)"], variants: nil)
  }
}

extension [Transcript] {
  /// True if the containers were empty at the start, and no step did anything with an item.
  package var haveNoEffect: Bool {
    allSatisfy { transcript in
      transcript.scenario.start == nil && !transcript.scenario.steps.contains(where: \.mustFail)
        && !transcript.entries.contains { entry in
          entry.event.traits.contains(.trace) && !entry.event.isBySystem
            // A restored backup may have files from elsewhere, such as from a folder.
            || entry.event.system?.restoredBackup?.contents.fileCount ?? 0 > 0
        }
    }
  }
}

extension Transcript {
  fileprivate func addFilePaths(to paths: inout Set<ContainerPath>) {
    func add(_ path: ContainerPath, _ item: FileTree.Item) {
      if !item.isDirectory { paths.insert(path) }
    }
    firstTree.forEachItem(add)
    lastTree.forEachItem(add)
    for entry in entries {
      if let path = entry.event.system?.placedFile { paths.insert(path) }
      guard case .changes(let changes) = entry.event else { continue }
      for change in changes where change.createsOrSavesItem {
        guard let item = entry.tree[change.path], item.isDirectory else {
          paths.insert(change.path)
          continue
        }
        switch change {
        case .moved, .copied: item.forEachItem(at: change.path, add)
        default: break
        }
      }
    }
  }
}

extension Transcript.Event {
  fileprivate var isLaunch: Bool {
    if case .launch = self { true } else { false }
  }
}

extension PathPattern {
  /// The advice on a pattern that no file matches.
  var adviceIfUnmatched: String {
    let rest = "correct the pattern, remove it, or add a step that saves such a file"
    if let advice = adviceOnPlace { return "\(advice); or \(rest)" }
    if description == fixedPrefix {
      return "if this is a directory, write '\(description.shown)/**' for its contents; or \(rest)"
    }
    return description.hasSuffix("/*")
      ? "if the files are in subfolders, write '\(description.shown)*'; or \(rest)" : rest
  }
}
