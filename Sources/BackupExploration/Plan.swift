import BackupCollections
import BackupFileTree
import BackupScenarios

/// The steps of a scenario that exploration performs, in blocks. Assertions are left out.
struct Plan: Sendable {
  /// A series of steps. Exploration injects events of iOS only between blocks, and within a block
  /// only kills and full storage.
  ///
  /// A block is one of these:
  ///
  /// * successive simulated steps of the app or of one extension
  /// * a single action of the app's own code, a start, or a step of iOS
  /// * a `kill` with all `place` steps after it, because an event between them could start the app
  struct Block: Sendable {
    fileprivate(set) var stepIndices: Range<Int>
    /// True if the app performs the block, so that exploration can kill the app in it.
    let isActivity: Bool
    /// True if the block runs the app's own code.
    let runsCode: Bool
    /// The steps that a retry may skip, because to repeat them would change nothing.
    ///
    /// The key is the index of a step. The value is the index of the next step that changes the
    /// same item or cannot be repeated; `Int.max` if there is none. The retry skips the step only
    /// if the kill came before that next step.
    var skippableUntil: [Int: Int] = [:]
  }

  @Boxed private(set) var scenario: Scenario
  let steps: [Scenario.Step]
  let blocks: [Block]
  /// The index of the first block before which exploration injects events.
  let firstBlockIndex: Int
  /// For each block index, the labels of the backups that this block or a later block restores. The
  /// last element is for the end of the plan, and empty.
  let restoredLabels: [Set<String>]

  /// True if each start runs the app's own code.
  let launchRunsCode: Bool
  /// True if the last block is a start that the plan has added to the scenario.
  let endsWithStart: Bool

  /// Creates a plan. If a start of the app does something, the plan adds a start at the end.
  ///
  /// Returns nil if the scenario was not read from a file.
  init?(_ scenario: Scenario, launchRunsCode: Bool = false) {
    guard scenario.fileValue != nil else { return nil }
    self.launchRunsCode = launchRunsCode
    self.scenario = scenario
    var steps = scenario.steps.filter { !$0.isAssertion }
    self.endsWithStart =
      (launchRunsCode || !scenario.launch.isEmpty) && scenario.hasAppAtEnd && !steps.isEmpty
    if endsWithStart, let lastStep = steps.last {
      steps += Transition.event(.relaunch, version: "").addedSteps(inPlaceOf: lastStep.reference)
        .map { $0.numbered(scenario.steps.count + 1) }
    }
    self.steps = steps
    self.blocks = Self.blocks(of: steps, in: scenario, launchRunsCode: launchRunsCode)
    let firstStepIndex =
      if let number = scenario.exploration.firstStepNumber {
        steps.firstIndex { $0.number >= number } ?? steps.count
      } else {
        // If the scenario updates the app, exploration tests only the last version of the app.
        steps.lastIndex(where: \.updatesApp).map { $0 + 1 } ?? 0
      }
    self.firstBlockIndex =
      blocks.firstIndex { $0.stepIndices.lowerBound >= firstStepIndex } ?? blocks.count
    var labels: [Set<String>] = [[]]
    for block in blocks.reversed() {
      labels.append(
        labels[labels.count - 1].union(steps[block.stepIndices].compactMap(\.neededBackupLabel)))
    }
    self.restoredLabels = labels.reversed()
  }

  /// Divides steps into blocks. `scenario` is used only to find out whether a start performs
  /// `launch` steps.
  static func blocks(
    of steps: [Scenario.Step], in scenario: Scenario, launchRunsCode: Bool
  ) -> [Block] {
    var blocks: [Block] = []
    for (index, step) in steps.enumerated() {
      if let lastBlock = blocks.last, let firstStep = steps[lastBlock.stepIndices].first,
        firstStep.isSimulated && step.isSimulated
          && firstStep.extensionIdentifier == step.extensionIdentifier
          || firstStep.keyword == .kill && step.keyword == .place
      {
        blocks[blocks.count - 1].stepIndices = lastBlock.stepIndices.lowerBound..<index + 1
        continue
      }
      let startDoesSomething = step.onlyLaunchesApp && (launchRunsCode || !scenario.launch.isEmpty)
      blocks.append(
        Block(
          stepIndices: index..<index + 1, isActivity: step.isOfApp || startDoesSomething,
          runsCode: step.runsCode || step.onlyLaunchesApp && launchRunsCode))
    }
    for index in blocks.indices { blocks[index].findSkippableRetries(among: steps) }
    return blocks
  }

  /// The indices of all blocks except for an added start at the end.
  var scenarioBlockIndices: Range<Int> { 0..<blocks.count - (endsWithStart ? 1 : 0) }

  /// Returns the index of the block with the step `number`. If the plan has left out this step,
  /// returns the index of the next block; `blocks.count` if no block follows.
  func block(ofStep number: Int) -> Int {
    blocks.firstIndex { steps[$0.stepIndices.upperBound - 1].number >= number } ?? blocks.count
  }

  /// Returns true if a block starts the app and is not an added start at the end.
  func launchesApp(_ block: Int) -> Bool {
    scenarioBlockIndices.contains(block)
      && steps[blocks[block].stepIndices.lowerBound].launchesApp
  }

  /// Returns the name of the action that a block performs; nil if it performs no action.
  func action(ofBlock block: Int) -> String? {
    block < blocks.count ? steps[blocks[block].stepIndices.lowerBound].actionName : nil
  }

  /// Returns true if exploration may leave out a block. The block must run code and be no start. A
  /// later block must also run code, because that code may fail without this block.
  func canSkip(_ block: Int) -> Bool {
    blocks[block].runsCode && !steps[blocks[block].stepIndices.lowerBound].onlyLaunchesApp
      && blocks[scenarioBlockIndices].dropFirst(block + 1).contains(where: \.runsCode)
  }

  /// Returns the index of a block's first step; `steps.count` for the end of the plan.
  func firstStep(ofBlock block: Int) -> Int {
    block < blocks.count ? blocks[block].stepIndices.lowerBound : steps.count
  }

  /// Returns the number of a block's first step in the scenario. For the end of the plan, returns
  /// the number of the last step plus one.
  func stepNumber(ofBlock block: Int) -> Int {
    block < blocks.count ? steps[firstStep(ofBlock: block)].number : scenario.steps.count + 1
  }

  /// Returns true for a step of the app that is not required to fail.
  func isAppStepThatMaySucceed(_ reference: Scenario.StepReference) -> Bool {
    step(reference).map { $0.isOfApp && !$0.mustFail } ?? false
  }

  func runsCode(_ reference: Scenario.StepReference) -> Bool {
    step(reference)?.runsCode ?? false
  }

  private func step(_ reference: Scenario.StepReference) -> Scenario.Step? {
    steps.first { $0.reference == reference }
  }

  /// Returns the steps of a transition. The steps of an injected event have the same number as the
  /// next step of the plan. At the end of the plan, they have the number of the last step.
  func steps(of transition: Transition, before block: Int) -> [Scenario.Step] {
    switch transition {
    case .step(let index): return [steps[index]]
    case .killed(let index, let point): return [steps[index].killed(before: point)]
    case .event, .backup:
      let nextStep = block < blocks.count ? steps[blocks[block].stepIndices.lowerBound] : steps.last
      return nextStep.map { transition.addedSteps(inPlaceOf: $0.reference) } ?? []
    }
  }
}

extension Scenario.Step {
  /// The step's number in the scenario, from 1.
  package var number: Int { if case .step(let number) = reference.number { number } else { 0 } }

  fileprivate var isSimulated: Bool { isOfApp && !runsCode }
}

extension Plan.Block {
  /// Finds the steps that a retry may skip: reads, and the first change of each item. Stops at a
  /// step that cannot be repeated.
  fileprivate mutating func findSkippableRetries(among steps: [Scenario.Step]) {
    let repeatableIndices = steps[stepIndices].prefix { $0.pathIfRepeatable != nil }.indices
    let endIndex =
      repeatableIndices.upperBound < stepIndices.upperBound
      ? repeatableIndices.upperBound : Int.max
    var changeIndices: [ContainerPath: [Int]] = [:]
    for index in repeatableIndices where !steps[index].onlyReads {
      if let path = steps[index].pathIfRepeatable { changeIndices[path, default: []].append(index) }
    }
    for index in repeatableIndices {
      // Steps in tmp are never skipped, because rules judge whether an item in tmp is older than
      // the latest start.
      guard let path = steps[index].pathIfRepeatable, path.location != .temporary else { continue }
      let changeIndicesOfItem = changeIndices[path] ?? []
      guard steps[index].onlyReads || changeIndicesOfItem.first == index else { continue }
      skippableUntil[index] = changeIndicesOfItem.first { $0 > index } ?? endIndex
    }
  }
}
