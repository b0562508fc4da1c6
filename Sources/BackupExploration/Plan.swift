import BackupCollections
import BackupFileTree
import BackupScenarios

/// A scenario's steps as they are explored: without those that only look, in atomic blocks.
struct Plan: Sendable {
  /// Steps between which the system does not act: several simulated steps in a row, of the app or of one of
  /// its extensions, an action of its own code, a start, or one step of the system, a `kill` with each `place` after it.
  struct Block: Sendable {
    fileprivate(set) var steps: Range<Int>
    /// Whether the app does them, and can be killed within.
    let isActivity: Bool
    let runsCode: Bool
    /// The steps that change nothing if they are done again, each with the next step of the block that
    /// may touch the same item: until then it need not be done again.
    var untouched: [Int: Int] = [:]
  }

  @Boxed private(set) var scenario: Scenario
  let steps: [Scenario.Step]
  let blocks: [Block]
  /// The first block before which events are injected.
  let firstBlock: Int
  /// The labels of the backups that are restored from each block on; one set more for the end.
  let restoredLabels: [Set<String>]

  let startRunsCode: Bool
  /// Whether the last block is a start that the scenario does not have.
  let endsWithStart: Bool

  /// The plan of a scenario; nil for one that no file says. If the app does something at its start, it starts
  /// once more at the end.
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
        // An update in the plan is what it is about: before it the former version runs.
        steps.lastIndex(where: \.updatesApp).map { $0 + 1 } ?? 0
      }
    self.firstBlock = blocks.firstIndex { $0.steps.lowerBound >= first } ?? blocks.count
    var labels: [Set<String>] = [[]]
    for block in blocks.reversed() {
      labels.append(labels[labels.count - 1].union(steps[block.steps].compactMap(\.neededLabel)))
    }
    self.restoredLabels = labels.reversed()
  }

  /// The blocks of a scenario's steps, or of some that take their place.
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
    for index in blocks.indices { blocks[index].noteUntouched(steps) }
    return blocks
  }

  /// The blocks that the scenario has itself.
  var ownBlocks: Range<Int> { 0..<blocks.count - (endsWithStart ? 1 : 0) }

  /// The block that has a step of a number; as many as there are for the end.
  func block(ofStep number: Int) -> Int {
    blocks.firstIndex { steps[$0.steps.upperBound - 1].number >= number } ?? blocks.count
  }

  /// Whether the scenario has a block here that starts the app.
  func startsApp(_ block: Int) -> Bool {
    ownBlocks.contains(block)
      && steps[blocks[block].steps.lowerBound].startsApp
  }

  /// The name of the action that a block performs; nil if it does something else.
  func action(ofBlock block: Int) -> String? {
    block < blocks.count ? steps[blocks[block].steps.lowerBound].actionName : nil
  }

  /// Whether the plan can go on without a block: it is an action of the app's code, which may read later
  /// what the action has left.
  func canSkip(_ block: Int) -> Bool {
    blocks[block].runsCode && !steps[blocks[block].steps.lowerBound].isStart
      && blocks[ownBlocks].dropFirst(block + 1).contains(where: \.runsCode)
  }

  /// The index of a block's first step; as many as there are for the end.
  func firstStep(ofBlock block: Int) -> Int {
    block < blocks.count ? blocks[block].steps.lowerBound : steps.count
  }

  /// The number of a block's first step in the scenario; one more than there are for the end.
  func stepNumber(ofBlock block: Int) -> Int {
    block < blocks.count ? steps[firstStep(ofBlock: block)].number : scenario.steps.count + 1
  }

  /// Whether a step is one of the app's that does something, and is not to fail.
  func isOfApp(_ reference: Scenario.StepReference) -> Bool {
    step(reference).map { $0.isOfApp && !$0.mustFail } ?? false
  }

  func runsCode(_ reference: Scenario.StepReference) -> Bool {
    step(reference)?.runsCode ?? false
  }

  private func step(_ reference: Scenario.StepReference) -> Scenario.Step? {
    steps.first { $0.reference == reference }
  }

  /// The steps that a transition is; what is injected bears the number of the first step of the
  /// block that comes next.
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
  /// Its number in the scenario, from 1.
  package var number: Int { if case .step(let number) = reference.number { number } else { 0 } }

  fileprivate var isSimulated: Bool { isOfApp && !runsCode }
}

extension Plan.Block {
  /// Finds the steps that need not be done again: the only ones that touch their item, before any step
  /// that may touch others.
  fileprivate mutating func noteUntouched(_ all: [Scenario.Step]) {
    let known = all[steps].prefix { $0.repeatablePath != nil }.indices
    let end = known.upperBound < steps.upperBound ? known.upperBound : Int.max
    var touches: [ContainerPath: [Int]] = [:]
    for index in known where !all[index].onlyReads {
      if let path = all[index].repeatablePath { touches[path, default: []].append(index) }
    }
    for index in known {
      // What is in tmp since before a start is another matter to the rules.
      guard let path = all[index].repeatablePath, path.location != .temporary else { continue }
      let changes = touches[path] ?? []
      guard all[index].onlyReads || changes.first == index else { continue }
      untouched[index] = changes.first { $0 > index } ?? end
    }
  }
}
