import BackupJSON5
import BackupRules
import BackupScenarios

/// Does what happens in histories of a story.
struct StoryTeller: Sendable {
  /// The story.
  let story: Story
  /// The steps as the scenario's file has them, by the index in the story.
  let written: [LocatedValue]
  /// Where it is told.
  let stage: StoryStage
  /// What the system may do at every point, as the steps that this is, read once.
  private let knownSteps: [StoryElement: [Scenario.Step]]

  /// A story's teller; nil for a scenario that no file says.
  init?(_ story: Story, on stage: StoryStage) {
    guard let source = story.scenario.source else { return nil }
    self.stage = stage
    let values = source["steps"]?.elements ?? []
    self.story = story
    self.written = story.steps.compactMap { step in
      guard case .step(let number) = step.reference.number, values.indices.contains(number - 1)
      else { return nil }
      return values[number - 1]
    }
    guard written.count == story.steps.count else { return nil }
    let acts = Scenario.ExploredAct.allCases.filter { $0 != .updateApp && $0 != .updateSystem }
    let elements = acts.map { StoryElement.act($0, version: "") } + [.backup]
    self.knownSteps =
      story.reference(at: 0).map { reference in
        Dictionary(
          elements.map { ($0, $0.values([]).compactMap { Scenario.Step($0, as: reference) }) }
        ) { first, _ in first }
      } ?? [:]
  }

  /// What a scenario file says of something.
  func values(of element: StoryElement) -> [LocatedValue] { element.values(written) }

  /// The steps that something is, in the order in which they are done.
  ///
  /// - Parameters:
  ///   - element: What happens.
  ///   - part: The part of the story that comes next.
  /// - Returns: The steps, which stand for those of the scenario.
  func steps(of element: StoryElement, before part: Int) -> [Scenario.Step] {
    switch element {
    case .step(let index): return [story.steps[index]]
    case .killed(let index, let point): return [story.steps[index].killed(before: point)]
    case .act, .backup:
      guard let reference = story.reference(at: part) else { return [] }
      if let known = knownSteps[element] { return known.map { $0.standing(for: reference) } }
      return element.values(written).compactMap { Scenario.Step($0, as: reference) }
    }
  }

  /// Has a history go on.
  ///
  /// - Parameters:
  ///   - move: What happens.
  ///   - telling: What has happened before.
  /// - Throws: ``StoryEnd`` where it cannot, or marks nothing.
  func tell(_ move: Move, in telling: inout Telling) async throws(StoryEnd) {
    switch move {
    case .part: try await tellNextPart(in: &telling)
    case .end: try await tellEnd(in: &telling)
    case .backup: try await tell(element: .backup, in: &telling)
    case .act(let act, let version):
      telling.isOrdinary = false
      try await tell(element: .act(act, version: version), in: &telling)
    case .kill(let kill):
      for index in story.parts[telling.part].steps.lowerBound..<kill.step {
        try await tell(element: .step(index), in: &telling)
      }
      try await tell(kill, in: &telling)
    }
  }

  /// Has the app be killed within the next part, of which the steps before have happened.
  ///
  /// - Parameters:
  ///   - kill: Where it is.
  ///   - telling: What has happened before.
  ///   - recording: What the step changes, where that is code of its own.
  /// - Throws: ``StoryEnd`` where it cannot.
  func tell(
    _ kill: Move.Kill, in telling: inout Telling, as recording: Recording? = nil
  ) async throws(StoryEnd) {
    try await tell(element: .killed(kill.step, kill.point), in: &telling, as: recording)
    (telling.owesBackup, telling.isOrdinary) = (true, false)
  }

  /// Has a history go on, as far as it can.
  ///
  /// - Parameters:
  ///   - move: What happens.
  ///   - telling: What has happened before.
  /// - Returns: Why it cannot; nil where it can.
  func tryToTell(_ move: Move, in telling: inout Telling) async -> StoryEnd? {
    do throws(StoryEnd) {
      try await tell(move, in: &telling)
      return nil
    } catch {
      return error
    }
  }

  /// Has something happen.
  ///
  /// - Parameters:
  ///   - element: What happens.
  ///   - telling: What has happened before.
  ///   - recording: What the step changes in which the app is killed, where that is code of its own.
  /// - Throws: ``StoryEnd`` where it cannot, or marks nothing.
  func tell(
    element: StoryElement, in telling: inout Telling, as recording: Recording? = nil
  ) async throws(StoryEnd) {
    telling.elements.append(element)
    let count = telling.run.transcript.entries.count
    for step in steps(of: element, before: telling.part) {
      try await telling.run.perform(
        step, as: recording, keepingBackups: element.restoresOwnBackup)
    }
    guard !telling.isOrdinary, !element.runsCode(in: story) else { return }
    // Real code could have looked what is there.
    let blind = telling.run.transcript.entries.dropFirst(count).first { entry in
      switch entry.event {
      case .markOnMissing, .foundOwnRemnant: true
      default: false
      }
    }
    if let blind { throw StoryEnd(at: blind.step, "it could not have looked") }
  }

  /// Has the next part of the story happen, and the backup that is to show what it leaves.
  private func tellNextPart(in telling: inout Telling) async throws(StoryEnd) {
    for index in story.parts[telling.part].steps {
      try await tell(element: .step(index), in: &telling)
    }
    telling.part += 1
    guard telling.owesBackup else { return }
    telling.owesBackup = false
    try await tell(element: .backup, in: &telling)
  }

  /// Has the story end: the app starts once more, where it does something then, and a backup shows
  /// what it leaves.
  private func tellEnd(in telling: inout Telling) async throws(StoryEnd) {
    if telling.run.doesSomethingAtLaunch {
      try await tell(element: .act(.relaunch, version: ""), in: &telling)
    }
    try await tell(element: .backup, in: &telling)
    telling.run.end()
  }
}
