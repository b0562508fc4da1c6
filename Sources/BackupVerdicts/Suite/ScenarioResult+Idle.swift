import BackupContainer
import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupJSON5
import BackupRules
import BackupScenarios

extension ScenarioResult {
  /// The problems of steps and fields of the scenario that have no effect. A scenario may pass only
  /// because such steps and fields test nothing.
  var idleProblems: [Scenario.Problem] {
    guard runs.count == scenario.variants.count, !runs.contains(where: \.hasBrokenOff) else {
      return []
    }
    // These outcomes are problems already, because no golden file was written.
    switch goldenOutcome {
    case .noEffect, .unfinished: return []
    default: break
    }
    let hasPatterns = scenario.files != nil || scenario.budget != nil || scenario.storage != nil
    let paths = hasPatterns ? filePaths : []
    let otherProblems = [
      idleCodeProblem, idleLaunchProblem, actionAfterLaunchesAdvice, idleSystemProblem,
      missingClassProblem(paths),
    ]
    return (idleCodeProblem == nil ? idleActionProblems : []) + idlePatternProblems(paths)
      + unreadDefaultsProblems + formerRuleProblems
      + idleLimitProblems("budget", scenario.budget, paths)
      + idleLimitProblems("storage", scenario.storage, paths) + otherProblems.compactMap(\.self)
  }

  /// Advice on each name in `expect` that a rule had in an earlier version of the kit.
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

  /// The paths at which there was a file in any run.
  private var filePaths: Set<ContainerPath> {
    runs.reduce(into: []) { paths, run in run.transcript?.addFilePaths(to: &paths) }
  }

  /// Returns a problem for each pattern in the scenario's own `files` that matched no file in any
  /// run.
  private func idlePatternProblems(_ paths: Set<ContainerPath>) -> [Scenario.Problem] {
    guard let files = scenario.files else { return [] }
    let runsCode = !scenario.stepsRunningCode.isEmpty
    return idleIndices(of: files, paths).compactMap { index in
      guard case .scenario(let position) = files.declarationSites[index] else { return nil }
      return idleProblem(
        "pattern \(files.promises[index].shown) matched no file, so nothing was checked against it",
        advice: files.promises[index].pattern.adviceIfUnmatched
          + Self.adviceOnUnseenFiles(runsCode, compiledForIOS: FoundationMarks.usesAppleFoundation),
        at: position)
    }
  }

  /// Returns the indices of the patterns that should have matched a file, but matched none.
  private func idleIndices(of files: FilePromises, _ paths: Set<ContainerPath>) -> [Int] {
    // The kit does not see a file that the app's code creates and removes in the same step.
    // Temporary files are often such files.
    let runsCode = !scenario.stepsRunningCode.isEmpty
    return files.indicesMatchingNone(of: paths).filter { index in
      let dataClass = files.promises[index].dataClass
      // It is right to keep a secret in no file at all.
      return dataClass != .secret && (!runsCode || dataClass != .temporary)
    }
  }

  /// The indices of the app's shared patterns that matched no file in any run; nil if a run did not
  /// finish, or if the scenario was skipped or run only under some of its systems.
  var unusedSharedPatternIndices: Set<Int>? {
    guard let files = scenario.sharedPromises else { return [] }
    guard skipReason == nil, runs.count == scenario.variants.count,
      !runs.contains(where: \.hasBrokenOff)
    else { return nil }
    return Set(idleIndices(of: files, filePaths))
  }

  /// Returns more advice on a pattern that matched no file, if the app's own code has run;
  /// otherwise an empty text.
  static func adviceOnUnseenFiles(_ runsCode: Bool, compiledForIOS isCompiledForIOS: Bool) -> String
  {
    guard runsCode else { return "" }
    let adviceOnTemporaryFiles =
      "; or use the class 'temporary', if the app's code creates and removes the file in one "
      + "step, which the kit does not see"
    guard !isCompiledForIOS else { return adviceOnTemporaryFiles }
    return adviceOnTemporaryFiles
      + "; or run the test in the simulator, if the code that creates the file is in '#if "
      + "os(iOS)' or '#if canImport(UIKit)', which is not compiled on Linux"
  }

  /// A problem for each name in the scenario's `defaults` that no step reads.
  private var unreadDefaultsProblems: [Scenario.Problem] {
    let readNames = Set((scenario.launch + scenario.steps).compactMap(\.readValueName))
    return scenario.deviceValueNames.filter { !readNames.contains($0.value) }.map { locatedName in
      idleProblem(
        "no step reads '\(locatedName.value.escapedExcerpt)' of 'defaults', so nothing was checked",
        advice: "correct the name, or add a step 'readDefault' or 'readKeychainItem'; the kit does "
          + "not see what the app's own code reads", at: locatedName.position)
    }
  }

  /// Returns a problem for each pattern of a budget that matched no file in any run.
  private func idleLimitProblems(
    _ key: String, _ budget: Scenario.Budget?, _ paths: Set<ContainerPath>
  ) -> [Scenario.Problem] {
    guard let budget, !budget.positions.isEmpty else { return [] }
    let indices = budget.indicesMatchingNone(of: paths)
    return zip(budget.entries, budget.positions).enumerated().compactMap {
      index, entryAndPosition in
      // The kit does not see a file in `tmp` that the app's code creates and removes in the same
      // step. A pattern that begins with a wildcard does not count as a pattern for `tmp`.
      guard indices.contains(index), let pattern = entryAndPosition.0.pattern,
        scenario.stepsRunningCode.isEmpty
          || (try? ContainerPath(pattern.fixedPrefix))?.location != .temporary
      else { return nil }
      return idleProblem(
        "pattern '\(pattern.description.escapedExcerpt)' of '\(key)' matched no file, so its limit was not "
          + "checked",
        advice: pattern.adviceIfUnmatched, at: entryAndPosition.1)
    }
  }

  /// The problem that the app's own code ran, but the kit saw no effect.
  ///
  /// If a step must fail, its failure is no effect.
  private var idleCodeProblem: Scenario.Problem? {
    let steps = scenario.stepsRunningCode
    let stepNumbers = Set(steps.map(\.reference.number))
    let failingSteps = Set(steps.filter(\.mustFail).map(\.reference.number))
    let entries = runs.compactMap(\.transcript).flatMap(\.entries).filter {
      stepNumbers.contains($0.step.number)
    }
    let hasEffect = entries.contains {
      failingSteps.contains($0.step.number)
        ? $0.event.isChange : $0.event.traits.contains(.hasEffect)
    }
    guard !scenario.isAdapted, !hasEffect,
      let firstStep = entries.first(where: { !failingSteps.contains($0.step.number) })?.step
    else { return nil }
    return idleProblem(
      "the app's own code ran, but changed nothing in the container",
      advice: Self.adviceOnIdleCode, at: firstStep.position)
  }

  /// Advice on each action that changed nothing, if a golden file was just recorded. This is only
  /// advice, because an action may only read files.
  private var idleActionProblems: [Scenario.Problem] {
    guard case .recorded = goldenOutcome else { return [] }
    return actionsWithoutEffect.map { step in
      Scenario.Problem(
        kind: .idle, severity: .advice, isFailure: false, position: step.position,
        message:
          "'\(step.summary)' changed nothing in the container; the new golden file records this",
        details: ["do: if it must change something, \(Self.adviceOnIdleCode)"], variants: nil)
    }
  }

  /// The actions that changed nothing in any run.
  var actionsWithoutEffect: [Scenario.StepReference] {
    let idleActions = runs.compactMap(\.transcript?.stepsWithoutEffect)
    return idleActions.first?.filter { step in idleActions.allSatisfy { $0.contains(step) } } ?? []
  }

  package static let adviceOnIdleCode =
    "make sure that the code writes into the container that it is given, waits for its work before "
    + "the action returns (a detached task may still run then), and hides no error with 'try?'"

  /// The problem that the app was never started. The steps of `launch` then did not run.
  private var idleLaunchProblem: Scenario.Problem? {
    guard let firstStep = scenario.launch.first,
      !runs.contains(where: { $0.transcript?.entries.contains(where: \.event.isLaunch) == true })
    else { return nil }
    return idleProblem(
      "the app is never started, so the steps of 'launch' never ran",
      advice: "add a step of the app, or start the app with { relaunch: {} }",
      at: firstStep.reference.position)
  }

  /// Advice to move an action into `launch`, if it follows each launch of the app.
  private var actionAfterLaunchesAdvice: Scenario.Problem? {
    guard scenario.launch.isEmpty else { return nil }
    let launches = runs.first?.transcript?.entries.filter(\.event.isLaunch) ?? []
    var nextAppSteps: [Scenario.StepReference.Number: Scenario.Step] = [:]
    var nextAppStep: Scenario.Step?
    for step in scenario.steps.reversed() {
      if step.isOfApp { nextAppStep = step }
      nextAppSteps[step.reference.number] = nextAppStep
    }
    let firstSteps = launches.map { nextAppSteps[$0.step.number] }
    guard firstSteps.count > 1, let first = firstSteps[0], first.runsCode, !first.hasArguments,
      firstSteps.allSatisfy({ $0?.reference.summary == first.reference.summary }),
      scenario.steps.count(where: { $0.reference.summary == first.reference.summary })
        == firstSteps.count
    else { return nil }
    return idleProblem(
      "'\(first.reference.summary)' comes after each of the app's \(firstSteps.count) launches, but "
        + "is not in 'launch', so it does not run after a launch that exploration adds",
      advice: "move it to 'launch' if the app always does it at its start",
      at: first.reference.position, severity: .advice)
  }

  /// The problem that the scenario has no system event and no assertion.
  ///
  /// A test that explores has no such problem, because exploration adds system events everywhere.
  private var idleSystemProblem: Scenario.Problem? {
    let isIdle =
      caller != .exploringTest
      && runs.allSatisfy { $0.transcript?.systemEntries.isEmpty == true }
      && !scenario.steps.contains { $0.onlyLaunchesApp || $0.keyword == .kill }
    guard isIdle, !scenario.hasExpectations else { return nil }
    return idleProblem(
      "the scenario has no system event and no assertion, so it tests hardly anything",
      advice: "add one, such as { backup: \"at night\" }", at: startPosition)
  }

  /// The problem that a scenario of the standard suite saved no file of the class in its name.
  ///
  /// A scenario for secrets has no such problem, because it is right to keep a secret in no file.
  private func missingClassProblem(_ paths: Set<ContainerPath>) -> Scenario.Problem? {
    guard scenario.isAdapted, let dataClass = DataClass(rawValue: scenario.id),
      dataClass != .secret,
      !paths.contains(where: { scenario.files?.dataClass(of: $0) == dataClass })
    else { return nil }
    return idleProblem(
      "'save \(dataClass.rawValue)' created no file of the class \(dataClass.rawValue), so "
        + "nothing was tested",
      advice:
        "correct the pattern in 'files', or save into the container that the action is given",
      at: startPosition, severity: .error)
  }

  /// A problem for each step whose code may have written outside of its container.
  var outsideWriteProblems: [Scenario.Problem] {
    var reportedSteps: Set<Scenario.StepReference.Number> = []
    return runs.compactMap(\.transcript).flatMap(\.doubts).filter { doubt in
      reportedSteps.insert(doubt.step.number).inserted
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
  /// True if the containers were empty at the start, no step had to fail, and neither the app nor a
  /// restored backup did anything to an item.
  package var haveNoEffect: Bool {
    allSatisfy { transcript in
      transcript.scenario.start == nil && !transcript.scenario.steps.contains(where: \.mustFail)
        && !transcript.entries.contains { entry in
          entry.event.traits.contains(.hasEffect) && !entry.event.isBySystem
            // A restored backup may come from a folder, and have files that no step created.
            || entry.event.systemEvent?.restoredBackup?.contents.fileCount ?? 0 > 0
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
      if let path = entry.event.systemEvent?.placedFile { paths.insert(path) }
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
  /// The advice on a pattern that matched no file.
  var adviceIfUnmatched: String {
    let generalAdvice = "correct the pattern, remove it, or add a step that saves such a file"
    if let advice = adviceOnPlace { return "\(advice); or \(generalAdvice)" }
    if description == fixedPrefix {
      return
        "if this is a directory, write '\(description.escapedExcerpt)/**' for its contents; or \(generalAdvice)"
    }
    return description.hasSuffix("/*")
      ? "if the files are in subfolders, write '\(description.escapedExcerpt)*'; or \(generalAdvice)"
      : generalAdvice
  }
}
