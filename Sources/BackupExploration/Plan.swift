import BackupCollections
import BackupFileTree
import BackupScenarios

/// The steps of a scenario for exploration, in atomic blocks and without assertions.
struct Plan: Sendable {
  /// A series of steps within which exploration injects only kills and full storage.
  ///
  /// A block has successive simulated steps of the app or of one extension, or a single step: an action of the app's
  /// own code, a start, or a step of iOS. A `kill` forms a block with each `place` after it.
  struct Block: Sendable {
    fileprivate(set) var steps: Range<Int>
    /// True if the app performs the block, so that it can be killed in it.
    let isActivity: Bool
    let runsCode: Bool
    /// The steps whose retry changes nothing, each with the next step of the block that may change the same item. If
    /// the kill comes before this next step, the retry skips the step.
    var nextChange: [Int: Int] = [:]
  }

  @Boxed private(set) var scenario: Scenario
  let steps: [Scenario.Step]
  let blocks: [Block]
  /// The first block before which events are injected.
  let firstBlock: Int
  /// The labels of the backups that each block or a later one restores, and an empty set for the end.
  let restoredLabels: [Set<String>]

  let startRunsCode: Bool
  /// True if the last block is a start that the scenario does not have.
  let endsWithStart: Bool

  /// Creates the plan of a scenario; nil if the scenario was not read from a file. If the app does something at its
  /// start, the plan ends with one more start.
  init?(_ scenario: Scenario, startRunsCode: Bool = false) {
    guard scenario.source != nil else { return nil }
    self.startRunsCode = startRunsCode
    self.scenario = scenario
    var steps = scenario.steps.filter { !$0.isAssertion }
    self.endsWithStart =
      (startRunsCode || !scenario.launch.isEmpty) && scenario.hasAppAtEnd && !steps.isEmpty
    if endsWithStart, let last = steps.last {
      steps += Transition.event(.relaunch, version: "").addedSteps(as: last.reference)
        .map { $0.numbered(scenario.steps.count + 1) }
    }
    self.steps = steps
    self.blocks = Self.blocks(of: steps, in: scenario, startRunsCode: startRunsCode)
    let first =
      if let number = scenario.exploration.firstStep {
        steps.firstIndex { $0.number >= number } ?? steps.count
      } else {
        // If the scenario updates the app, events are injected only into the last version.
        steps.lastIndex(where: \.updatesApp).map { $0 + 1 } ?? 0
      }
    self.firstBlock = blocks.firstIndex { $0.steps.lowerBound >= first } ?? blocks.count
    var labels: [Set<String>] = [[]]
    for block in blocks.reversed() {
      labels.append(labels[labels.count - 1].union(steps[block.steps].compactMap(\.neededLabel)))
    }
    self.restoredLabels = labels.reversed()
  }

  /// Returns the blocks of a scenario's steps, or of other steps in their place.
  static func blocks(
    of steps: [Scenario.Step], in scenario: Scenario, startRunsCode: Bool
  ) -> [Block] {
    var blocks: [Block] = []
    for (index, step) in steps.enumerated() {
      if let last = blocks.last, let first = steps[last.steps].first,
        first.isSimulated && step.isSimulated
          && first.extensionIdentifier == step.extensionIdentifier
          || first.keyword == .kill && step.keyword == .place
      {
        blocks[blocks.count - 1].steps = last.steps.lowerBound..<index + 1
        continue
      }
      let startDoesSomething = step.isStart && (startRunsCode || !scenario.launch.isEmpty)
      blocks.append(
        Block(
          steps: index..<index + 1, isActivity: step.isOfApp || startDoesSomething,
          runsCode: step.runsCode || step.isStart && startRunsCode))
    }
    for index in blocks.indices { blocks[index].findUnchangedSteps(among: steps) }
    return blocks
  }

  /// The blocks of the scenario, without an added start at the end.
  var ownBlocks: Range<Int> { 0..<blocks.count - (endsWithStart ? 1 : 0) }

  /// Returns the index of the block with the step of a number; the number of blocks for the end.
  func block(ofStep number: Int) -> Int {
    blocks.firstIndex { steps[$0.steps.upperBound - 1].number >= number } ?? blocks.count
  }

  /// Returns true if a block of the scenario starts the app.
  func startsApp(_ block: Int) -> Bool {
    ownBlocks.contains(block)
      && steps[blocks[block].steps.lowerBound].startsApp
  }

  /// Returns the name of the action that a block performs; nil for any other block.
  func action(ofBlock block: Int) -> String? {
    block < blocks.count ? steps[blocks[block].steps.lowerBound].actionName : nil
  }

  /// Returns true if a trace can skip a block: an action of the app's own code, if more such code follows, which may
  /// depend on it.
  func canSkip(_ block: Int) -> Bool {
    blocks[block].runsCode && !steps[blocks[block].steps.lowerBound].isStart
      && blocks[ownBlocks].dropFirst(block + 1).contains(where: \.runsCode)
  }

  /// Returns the index of a block's first step; the number of steps for the end.
  func firstStep(ofBlock block: Int) -> Int {
    block < blocks.count ? blocks[block].steps.lowerBound : steps.count
  }

  /// Returns the number of a block's first step in the scenario; for the end, the number after the last step's.
  func stepNumber(ofBlock block: Int) -> Int {
    block < blocks.count ? steps[firstStep(ofBlock: block)].number : scenario.steps.count + 1
  }

  /// Returns true for a step of the app that is not required to fail.
  func isOfApp(_ reference: Scenario.StepReference) -> Bool {
    step(reference).map { $0.isOfApp && !$0.mustFail } ?? false
  }

  func runsCode(_ reference: Scenario.StepReference) -> Bool {
    step(reference)?.runsCode ?? false
  }

  private func step(_ reference: Scenario.StepReference) -> Scenario.Step? {
    steps.first { $0.reference == reference }
  }

  /// Returns the steps of a transition. The steps of an injected event have the number of the first step of the next
  /// block.
  func steps(of transition: Transition, before block: Int) -> [Scenario.Step] {
    switch transition {
    case .step(let index): return [steps[index]]
    case .killed(let index, let point): return [steps[index].killed(before: point)]
    case .event, .backup:
      let next = block < blocks.count ? steps[blocks[block].steps.lowerBound] : steps.last
      return next.map { transition.addedSteps(as: $0.reference) } ?? []
    }
  }
}

extension Scenario.Step {
  /// The step's number in the scenario, from 1.
  package var number: Int { if case .step(let number) = reference.number { number } else { 0 } }

  fileprivate var isSimulated: Bool { isOfApp && !runsCode }
}

extension Plan.Block {
  /// Finds the steps whose retry changes nothing: those that are the first to change their item, before any step that
  /// may change other items.
  fileprivate mutating func findUnchangedSteps(among all: [Scenario.Step]) {
    let repeatable = all[steps].prefix { $0.repeatablePath != nil }.indices
    let end = repeatable.upperBound < steps.upperBound ? repeatable.upperBound : Int.max
    var changes: [ContainerPath: [Int]] = [:]
    for index in repeatable where !all[index].onlyReads {
      if let path = all[index].repeatablePath { changes[path, default: []].append(index) }
    }
    for index in repeatable {
      // Rules judge an item in tmp by whether it was there before a start.
      guard let path = all[index].repeatablePath, path.location != .temporary else { continue }
      let changesOfItem = changes[path] ?? []
      guard all[index].onlyReads || changesOfItem.first == index else { continue }
      nextChange[index] = changesOfItem.first { $0 > index } ?? end
    }
  }
}
