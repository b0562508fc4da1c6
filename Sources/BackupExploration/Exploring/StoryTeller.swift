import BackupJSON5
import BackupRules
package import BackupScenarios

/// A history that is being told: the run so far, and what there is still to come.
struct History: Sendable {
  /// The run.
  var run: StoryRun
  /// What the rules know of it as far as it was followed.
  private(set) var followed: FollowedRun
  /// The state that it is in; nil where nobody has asked since it went on.
  var state: ExploredState?
  /// What happened so far.
  var elements: [StoryElement] = []
  /// What of it the system did beside the story.
  var acts: [PlacedAct] = []
  /// What the app's own code changes in the activity in which it was killed last.
  var changes: [Scenario.KillPoint] = []
  /// The part of the story that comes next.
  var part = 0
  /// Whether a backup has to show what the next part leaves, which was interrupted before.
  var owesBackup = false

  /// A history that has yet to begin.
  init(_ run: StoryRun) {
    self.run = run
    self.followed = FollowedRun(run.transcript)
  }

  /// What is wrong so far.
  ///
  /// - Parameters:
  ///   - isAtEnd: Whether the story is at its end.
  ///   - isNews: Whether a finding is wanted.
  /// - Returns: The findings of all rules that are wanted.
  mutating func findings(
    isAtEnd: Bool, where isNews: (Scenario.Finding) -> Bool
  ) -> [Scenario.Finding] {
    followed.follow(run.transcript)
    return followed.findings(in: run.transcript, isAtEnd: isAtEnd, where: isNews)
  }

  /// What the rules know of all that has happened.
  mutating func follow() -> FollowedRun {
    followed.follow(run.transcript)
    return followed
  }

  /// A copy that goes on from here whatever becomes of this history's container and app.
  ///
  /// - Throws: ``StoryEnd`` where the container cannot be kept.
  func saved() throws(StoryEnd) -> History {
    var copy = self
    copy.run = try run.saved()
    return copy
  }
}

/// A history at a point at which the system may act, before a part of the story.
struct BranchPoint: Sendable {
  /// What has happened until then.
  let history: History
  /// What the app's own code changes in the part that comes; nil where nobody sees it, or it has none.
  var recording: Recording?
}

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

  /// Has something happen.
  ///
  /// - Parameters:
  ///   - element: What happens.
  ///   - history: What has happened before.
  ///   - recording: What the step changes in which the app is killed, where that is code of its own.
  /// - Throws: ``StoryEnd`` where it cannot, or marks nothing.
  func tell(
    _ element: StoryElement, in history: inout History, as recording: Recording? = nil
  ) async throws(StoryEnd) {
    history.elements.append(element)
    history.state = nil
    let count = history.run.transcript.entries.count
    for step in steps(of: element, before: history.part) {
      try await history.run.perform(step, as: recording)
    }
    guard !history.acts.isEmpty, !element.runsCode(in: story) else { return }
    // Real code could have looked what is there.
    let blind = history.run.transcript.entries.dropFirst(count).first { entry in
      switch entry.event {
      case .markOnMissing, .foundOwnRemnant: true
      default: false
      }
    }
    if let blind { throw StoryEnd(at: blind.step, "it could not have looked") }
  }

  /// Has the next part of the story happen, and the backup that is to show what it leaves.
  func tellNextPart(in history: inout History) async throws(StoryEnd) {
    for index in story.parts[history.part].steps { try await tell(.step(index), in: &history) }
    history.part += 1
    guard history.owesBackup else { return }
    history.owesBackup = false
    try await tell(.backup, in: &history)
  }

  /// Has the story end: the app starts once more, where it does something then, and a backup shows
  /// what it leaves.
  func tellEnd(in history: inout History) async throws(StoryEnd) {
    if history.run.doesSomethingAtLaunch {
      try await tell(.act(.relaunch, version: ""), in: &history)
    }
    try await tell(.backup, in: &history)
    history.run.end()
  }
}
