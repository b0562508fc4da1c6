import BackupCollections
import BackupFileTree
import BackupScenarios

/// The steps of a scenario for exploration, in atomic blocks and without assertions.
struct Plan: Sendable {
  /// A series of steps within which exploration injects only kills and full storage:
  ///
  /// * successive simulated steps of the app or of one extension
  /// * a single action of the app's own code, start, or step of iOS
  /// * a `kill` with each `place` after it, because an event between them could start the app
  struct Block: Sendable {
    fileprivate(set) var stepIndices: Range<Int>
    /// True if the app performs the block, so that it can be killed in it.
    let isActivity: Bool
    let runsCode: Bool
    /// By step index, for steps whose retry changes nothing: the index of the next step that may change the item, or
    /// `Int.max`. The retry skips the step if the kill came before that.
    var skippableUntil: [Int: Int] = [:]
  }

  @Boxed private(set) var scenario: Scenario
  let steps: [Scenario.Step]
  let blocks: [Block]
  /// The first block before which events are injected.
  let firstBlock: Int
  /// By block index: the labels that this or a later block restores. The last element, for the end, is empty.
  let restoredLabels: [Set<String>]

  let startRunsCode: Bool
  /// True if the last block is a start that the scenario does not have.
  let endsWithStart: Bool

  /// Creates a plan that ends with one more start if a start does something; nil if no file has the scenario.
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
    self.firstBlock = blocks.firstIndex { $0.stepIndices.lowerBound >= first } ?? blocks.count
    var labels: [Set<String>] = [[]]
    for block in blocks.reversed() {
      labels.append(
        labels[labels.count - 1].union(steps[block.stepIndices].compactMap(\.neededLabel)))
    }
    self.restoredLabels = labels.reversed()
  }

  /// Divides steps into blocks. Of the scenario, only its launch steps matter.
  static func blocks(
    of steps: [Scenario.Step], in scenario: Scenario, startRunsCode: Bool
  ) -> [Block] {
    var blocks: [Block] = []
    for (index, step) in steps.enumerated() {
      if let last = blocks.last, let first = steps[last.stepIndices].first,
        first.isSimulated && step.isSimulated
          && first.extensionIdentifier == step.extensionIdentifier
          || first.keyword == .kill && step.keyword == .place
      {
        blocks[blocks.count - 1].stepIndices = last.stepIndices.lowerBound..<index + 1
        continue
      }
      let startDoesSomething = step.isStart && (startRunsCode || !scenario.launch.isEmpty)
      blocks.append(
        Block(
          stepIndices: index..<index + 1, isActivity: step.isOfApp || startDoesSomething,
          runsCode: step.runsCode || step.isStart && startRunsCode))
    }
    for index in blocks.indices { blocks[index].findSkippableRetries(among: steps) }
    return blocks
  }

  /// The blocks of the scenario, without an added start at the end.
  var ownBlocks: Range<Int> { 0..<blocks.count - (endsWithStart ? 1 : 0) }

  /// Returns the index of the first block that ends at or after step `number`; `blocks.count` if there is none.
  func block(ofStep number: Int) -> Int {
    blocks.firstIndex { steps[$0.stepIndices.upperBound - 1].number >= number } ?? blocks.count
  }

  /// Returns true if a block of the scenario starts the app.
  func startsApp(_ block: Int) -> Bool {
    ownBlocks.contains(block)
      && steps[blocks[block].stepIndices.lowerBound].startsApp
  }

  /// Returns the name of the action that a block performs; nil for any other block.
  func action(ofBlock block: Int) -> String? {
    block < blocks.count ? steps[blocks[block].stepIndices.lowerBound].actionName : nil
  }

  /// Returns true if the block is an action of the app's own code, and later code might break without it.
  func canSkip(_ block: Int) -> Bool {
    blocks[block].runsCode && !steps[blocks[block].stepIndices.lowerBound].isStart
      && blocks[ownBlocks].dropFirst(block + 1).contains(where: \.runsCode)
  }

  /// Returns the index of a block's first step; the number of steps for the end.
  func firstStep(ofBlock block: Int) -> Int {
    block < blocks.count ? blocks[block].stepIndices.lowerBound : steps.count
  }

  /// Returns the number of a block's first step in the scenario; for the end, the number after the last step's.
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

  /// Returns the steps of a transition. An injected event's steps have the number of the next block's first step.
  func steps(of transition: Transition, before block: Int) -> [Scenario.Step] {
    switch transition {
    case .step(let index): return [steps[index]]
    case .killed(let index, let point): return [steps[index].killed(before: point)]
    case .event, .backup:
      let next = block < blocks.count ? steps[blocks[block].stepIndices.lowerBound] : steps.last
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
  /// Finds the steps whose retry changes nothing: reads and each item's first change, up to an unrepeatable step.
  fileprivate mutating func findSkippableRetries(among all: [Scenario.Step]) {
    let repeatable = all[stepIndices].prefix { $0.pathIfRepeatable != nil }.indices
    let end = repeatable.upperBound < stepIndices.upperBound ? repeatable.upperBound : Int.max
    var changes: [ContainerPath: [Int]] = [:]
    for index in repeatable where !all[index].onlyReads {
      if let path = all[index].pathIfRepeatable { changes[path, default: []].append(index) }
    }
    for index in repeatable {
      // A change in tmp is never skipped: rules judge an item there by whether it existed before a start.
      guard let path = all[index].pathIfRepeatable, path.location != .temporary else { continue }
      let changesOfItem = changes[path] ?? []
      guard all[index].onlyReads || changesOfItem.first == index else { continue }
      skippableUntil[index] = changesOfItem.first { $0 > index } ?? end
    }
  }
}
