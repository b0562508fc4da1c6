import BackupDiagnostics
import BackupFileTree
import BackupRules
package import BackupScenarios

/// The system acts at every point of a scenario, and what goes wrong then is found.
///
/// A history is the scenario's story with some acts of the system's beside what it says. Histories
/// are told in the order of their acts: by how many there are, where, and which. One that comes to a state in which another was before is not told further, since what comes
/// then is known.
struct BackupExploration: Sendable {
  /// How it is done.
  private let settings: ExplorationSettings
  /// The story.
  private let teller: StoryTeller
  /// What is found where the system does nothing beside the story.
  private var ordinary: Set<Discovery.Key> = []
  /// The states in which a history was at a part, with how many acts were left.
  private var visited: [ExploredState: Int] = [:]
  /// What acts of the system lead to.
  private var forecast = ActForecast()
  /// What is found, each once for a tier.
  private(set) var discoveries: [Discovery] = []
  /// What is found, by tier.
  private var known: [ExplorationSettings.Tier: Set<Discovery.Key>] = [:]
  /// Why the story itself cannot be told; nil where it can.
  private var brokenOff: StoryEnd?
  /// Why some of it was not done: what the machine lacks, or what no history should come to.
  private(set) var trouble: StoryEnd?
  /// Whether the history that is to be replayed was followed.
  private(set) var isReplayed = false
  /// What is now at the point at which that history has another change.
  private(set) var otherPoint: PlacedAct?
  /// What was done.
  private(set) var counts = ExplorationCounts()

  /// An exploration that has yet to begin.
  init(_ teller: StoryTeller, _ settings: ExplorationSettings) {
    self.teller = teller
    self.settings = settings
  }

  /// The story.
  private var story: Story { teller.story }

  /// Explores the story.
  ///
  /// - Parameter run: A run that has yet to begin.
  /// - Throws: ``StoryEnd`` where the story itself cannot be told.
  mutating func explore(_ run: StoryRun) async throws(StoryEnd) {
    let start = try History(run).saved()
    let depth = settings.replayed?.acts.count ?? settings.depth
    for depth in stride(from: 1, through: depth, by: 1) {
      visited = [:]
      try start.run.goBack()
      await follow(start, acts: depth)
      if let brokenOff { throw brokenOff }
    }
  }

  /// Notes what is found in the story as it is.
  private mutating func noteOrdinary(_ history: History) {
    guard history.acts.isEmpty else { return }
    var run = history.run
    run.goToEnd()
    ordinary.formUnion(RuleList.findings(in: run.transcript).map(Discovery.Key.init))
  }

  /// Tells a history to its end, and then those that branch off, for which its app has to be gone.
  ///
  /// - Parameters:
  ///   - history: What has happened so far.
  ///   - acts: How often the system is still to act.
  private mutating func follow(_ history: History, acts: Int) async {
    var points: [BranchPoint] = []
    await tellToEnd(history, acts: acts, &points)
    guard brokenOff == nil else { return }
    points.reverse()
    // What is kept of a container goes with its point.
    while let point = points.popLast() { await branch(at: point, acts: acts) }
  }

  /// Tells a history to its end.
  ///
  /// - Parameters:
  ///   - history: What has happened so far.
  ///   - acts: How often the system is still to act.
  ///   - points: Where other histories branch off.
  private mutating func tellToEnd(
    _ history: History, acts: Int, _ points: inout [BranchPoint]
  ) async {
    var history = history
    defer { history.run.endApp() }
    var isConfirmed = false
    do throws(StoryEnd) {
      while true {
        if !isConfirmed, isKnown(&history, acts: acts) {
          // What comes may account for what is found so far.
          guard acts == 0, !news(of: &history, isAtEnd: false).isEmpty else { return }
          isConfirmed = true
        }
        let isPoint = history.part >= story.firstPart && acts > 0
        if isPoint { points.append(BranchPoint(history: try history.saved())) }
        guard history.part < story.parts.count else { break }
        let runsCode = story.runsCode(in: history.part)
        try await teller.tellNextPart(in: &history)
        if isPoint, runsCode { points[points.count - 1].recording = history.run.latestRecording }
      }
      noteOrdinary(history)
      try await teller.tellEnd(in: &history)
      noteOrdinary(history)
    } catch {
      if history.acts.isEmpty { brokenOff = error }
      return abandon(history, error)
    }
    judge(history, isAtEnd: true, acts: acts)
  }

  /// Whether what comes is known from another history; notes that it is known now.
  private mutating func isKnown(_ history: inout History, acts: Int) -> Bool {
    guard settings.mergesStates else { return false }
    let state = history.state ?? forecast.state(of: &history)
    history.state = state
    guard visited[state].map({ $0 < acts }) ?? true else { return !history.acts.isEmpty }
    visited[state] = acts
    return false
  }

  /// Has the system act at every point before the next part's end.
  private mutating func branch(at point: BranchPoint, acts: Int) async {
    let history = point.history
    // What a backup held between a kill and the activity's being done again does not last.
    if !history.owesBackup { await actAtRest(history, acts: acts) }
    guard history.part < story.parts.count, story.parts[history.part].isActivity,
      !story.scenario.exploration.without.contains(.kill)
    else { return }
    if story.runsCode(in: history.part) {
      await killWithinCode(point, acts: acts)
    } else {
      await killWithin(history, acts: acts)
    }
  }

  /// Has the system act before the next part.
  private mutating func actAtRest(_ history: History, acts: Int) async {
    counts.restPoints += 1
    for act in Scenario.ExploredAct.allCases where isPossible(act, in: history) {
      var branch = history
      let element = StoryElement.act(act, version: version(after: act, in: history))
      branch.acts.append(PlacedAct(step: step(at: history.part), point: .before(act)))
      guard isWanted(branch.acts) else { continue }
      guard takeBudget() else { return }
      if leadsToNothingNew(act, after: history, acts: acts) { continue }
      do throws(StoryEnd) {
        try branch.run.goBack()
        try await teller.tell(element, in: &branch)
      } catch {
        abandon(branch, error)
        continue
      }
      // The app is ended, which a relaunch shows too.
      if branch.run.hasPurgedNothing, !story.scenario.exploration.without.contains(.relaunch) {
        continue
      }
      if settings.mergesStates {
        branch.state = forecast.state(of: &branch)
        forecast.note(act, from: history, to: branch)
      }
      await follow(branch, acts: acts - 1)
    }
  }

  /// Whether an act leads to a state that is known, and shows nothing that is not, without its being
  /// told.
  private mutating func leadsToNothingNew(
    _ act: Scenario.ExploredAct, after history: History, acts: Int
  ) -> Bool {
    // What the app does at its start only the app knows.
    guard settings.replayed == nil, let state = history.state,
      act != .relaunch || !history.run.doesSomethingAtLaunch
    else { return false }
    let next = forecast.state(
      after: act, version: version(after: act, in: history), history, in: state)
    guard let next, let left = visited[next], left >= acts - 1 else { return false }
    let isNews = isNews(.lasting)
    return acts > 1
      || !history.followed.mayShow(isNews)
        && !forecast.suspicions(of: act, history, in: state).contains(where: isNews)
  }

  /// Whether the system can do something at the next part that a relaunch does not show.
  private func isPossible(_ act: Scenario.ExploredAct, in history: History) -> Bool {
    switch act {
    case .kill: return false
    case .relaunch:
      // Where it does not run, what comes starts it anyway.
      let isStartedAnyway = history.part < story.parts.count && story.parts[history.part].isActivity
      guard history.run.isAppRunning || !isStartedAnyway else { return false }
    case .updateSystem:
      // Others the app does not say that it runs under.
      guard let newest = story.scenario.systems.max(), history.run.system < newest else {
        return false
      }
    default: break
    }
    return !story.scenario.exploration.without.contains(act)
  }

  /// The version that an update brings: of the app another one, of the system the newest that the
  /// scenario names.
  private func version(after act: Scenario.ExploredAct, in history: History) -> String {
    switch act {
    case .updateApp: "\(history.run.appVersion).1"
    case .updateSystem: story.scenario.systems.max().map { "\($0)" } ?? ""
    default: ""
    }
  }

  /// Kills the app before each change that its simulated steps make in the next part.
  private mutating func killWithin(_ history: History, acts: Int) async {
    let part = story.parts[history.part]
    var whole = history
    for index in part.steps {
      let step = story.steps[index]
      let changes = await whole.run.changes(in: step)
      for (number, point) in changes.enumerated() {
        // Before the first change nothing is done, as where the app is ended at rest.
        if index == part.steps.lowerBound, number == 0 { continue }
        counts.innerPoints += 1
        await kill(whole, in: index, before: point, change: number + 1, acts: acts)
      }
      do throws(StoryEnd) {
        try whole.run.goBack()
        try await teller.tell(.step(index), in: &whole)
        whole = try whole.saved()
      } catch {
        // What a simulated step cannot do was told of where the history was followed.
        if error.cause == .machine { trouble = trouble ?? error }
        return
      }
    }
  }

  /// Kills the app before each change that its own code has made in the next part, where all of them
  /// were seen.
  private mutating func killWithinCode(_ point: BranchPoint, acts: Int) async {
    let history = point.history
    let recording = point.recording.flatMap { $0.isWhole ? $0 : nil }
    do throws(StoryEnd) {
      guard let recording, try history.run.isFaithful(recording) else {
        counts.unseenActivities += 1
        return
      }
      await killWithinCode(history, acts: acts, recording)
    } catch {
      trouble = trouble ?? error
    }
  }

  /// Kills the app before each change of its own code, in order.
  private mutating func killWithinCode(_ history: History, acts: Int, _ recording: Recording) async
  {
    counts.seenActivities += 1
    let index = story.parts[history.part].steps.lowerBound
    for (place, point) in recording.points where place > 0 {
      counts.innerPoints += 1
      await kill(history, in: index, before: point, change: place + 1, acts: acts, as: recording)
    }
  }

  /// Kills the app before a change, and goes on in two ways: a backup is taken at once, or the activity
  /// is done again.
  private mutating func kill(
    _ history: History, in index: Int, before point: Scenario.KillPoint, change: Int,
    acts count: Int, as recording: Recording? = nil
  ) async {
    func acts(isDoneAgain: Bool) -> [PlacedAct] {
      let point = PlacedAct.Point.within(change: change, point, isDoneAgain: isDoneAgain)
      return history.acts + [PlacedAct(step: number(of: index), point: point)]
    }
    let (ends, goesOn) = (acts(isDoneAgain: false), acts(isDoneAgain: true))
    let isEnded = count == 1 && isWanted(ends)
    let isDoneAgain = isWanted(goesOn)
    guard isEnded || isDoneAgain else { return }
    var killed = history
    do throws(StoryEnd) {
      try killed.run.goBack()
      try await teller.tell(.killed(index, point), in: &killed, as: recording)
    } catch {
      return abandon(killed, error)
    }
    killed.changes = recording?.allPoints ?? []
    if isEnded {
      killed.acts = ends
      await endWithBackup(killed)
    }
    guard isDoneAgain, takeBudget() else { return }
    killed.acts = goesOn
    killed.owesBackup = true
    await follow(killed, acts: count - 1)
  }

  /// Judges what a backup holds that is taken right after a kill; which changes nothing.
  private mutating func endWithBackup(_ killed: History) async {
    guard takeBudget() else { return }
    var ended = killed
    do throws(StoryEnd) {
      try await teller.tell(.backup, in: &ended)
    } catch {
      return abandon(ended, error)
    }
    judge(ended, isAtEnd: false, acts: 0, tier: .interrupted)
  }

  /// Whether a history with these acts is followed: each, unless one is to be replayed.
  private mutating func isWanted(_ acts: [PlacedAct]) -> Bool {
    guard let token = settings.replayed, let act = acts.last else { return true }
    let index = acts.count - 1
    guard token.acts.indices.contains(index) else { return false }
    let isMeant = act.isMeant(by: token.acts[index])
    if isMeant == nil { otherPoint = act }
    if isMeant == true, index == token.acts.count - 1 { isReplayed = true }
    return isMeant == true
  }

  /// Takes one history off the budget.
  private mutating func takeBudget() -> Bool {
    guard counts.histories < settings.budget, !Task.isCancelled else {
      counts.isComplete = false
      return false
    }
    counts.histories += 1
    return true
  }

  /// Ends a history in which the app cannot do what the story says: simulated steps could not have
  /// looked, but code of its own could; and that it was killed amid a save is found all the same.
  private mutating func abandon(_ history: History, _ end: StoryEnd) {
    counts.abandoned += 1
    switch end.cause {
    case .code where !history.acts.isEmpty:
      var history = history
      let reported = history.findings(isAtEnd: false) {
        end.isReportedByRule && $0.step == end.step && $0.severity == .error
      }
      for finding in reported.isEmpty ? [.stepFailed(end)] : reported {
        discover(finding, in: history, .lasting)
      }
    case .code, .machine: trouble = trouble ?? end
    case .step: break
    }
    var history = history
    // The step that fails has started the app before.
    history.elements.removeLast()
    if history.run.doesSomethingAtLaunch { history.elements.append(.act(.relaunch, version: "")) }
    for finding in history.findings(isAtEnd: false, where: { $0.rule == RuleList.tornSave }) {
      discover(finding, in: history, .lasting)
    }
  }

  /// Finds what is wrong in a history.
  private mutating func judge(
    _ history: History, isAtEnd: Bool, acts: Int, tier: ExplorationSettings.Tier = .lasting
  ) {
    // One with fewer acts was judged before.
    guard acts == 0, !history.acts.isEmpty else { return }
    var history = history
    for finding in news(of: &history, isAtEnd: isAtEnd, tier) {
      discover(finding, in: history, tier)
    }
  }

  /// What is wrong in a history that was not found before.
  private func news(
    of history: inout History, isAtEnd: Bool, _ tier: ExplorationSettings.Tier = .lasting
  ) -> [Scenario.Finding] {
    history.findings(isAtEnd: isAtEnd, where: isNews(tier))
  }

  /// Tells whether somebody wants to know of a finding that was not found before.
  private func isNews(_ tier: ExplorationSettings.Tier) -> (Scenario.Finding) -> Bool {
    let mildest = tier == .lasting ? Scenario.Severity.warning : .error
    return { finding in finding.severity <= mildest && isNews(Discovery.Key(finding), tier) }
  }

  /// Whether a mistake is neither the story's own nor found before.
  private func isNews(_ key: Discovery.Key, _ tier: ExplorationSettings.Tier) -> Bool {
    !ordinary.contains(key) && known[tier]?.contains(key) != true
  }

  /// Notes what was found, unless the story shows it by itself.
  private mutating func discover(
    _ finding: Scenario.Finding, in history: History, _ tier: ExplorationSettings.Tier
  ) {
    let key = Discovery.Key(finding)
    guard isNews(key, tier) else { return }
    known[tier, default: []].insert(key)
    discoveries.append(
      Discovery(
        key: key, finding: finding, tier: tier, acts: history.acts, elements: history.elements,
        changes: history.changes))
  }

  /// The number of the step that begins a part.
  private func step(at part: Int) -> Int {
    part < story.parts.count
      ? number(of: story.parts[part].steps.lowerBound) : story.scenario.steps.count + 1
  }

  /// The number of a step in the scenario.
  private func number(of index: Int) -> Int {
    if case .step(let number) = story.steps[index].reference.number { number } else { 0 }
  }
}
