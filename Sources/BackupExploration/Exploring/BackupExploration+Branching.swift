import BackupScenarios

extension BackupExploration {
  /// Has the system act at every point before the next part's end, unless nothing is to be followed
  /// any more.
  mutating func branch(at point: BranchPoint, acts: Int) async {
    guard counts.isComplete else { return }
    let history = point.history
    // What a backup held between a kill and the activity's being done again does not last.
    if !history.owesBackup { await actAtRest(history, acts: acts) }
    guard counts.isComplete, history.part < story.parts.count, story.parts[history.part].isActivity,
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
    let device = device(of: history)
    for act in Scenario.ExploredAct.allCases where isPossible(act, in: history, device) {
      let placed = PlacedAct(step: step(at: history.part), point: .before(act))
      guard isWanted(placed, after: history) else { continue }
      guard takeBudget() else { return }
      let move = Move.act(act, version: version(after: act, history))
      if isByStates(history), let state = history.state {
        await follow(move, placed, after: history, in: state, acts: acts)
      } else if !leadsToNothingNew(act, move, after: history, acts: acts) {
        await tell(move, placed, after: history, acts: acts)
      }
    }
  }

  /// Follows an act, unless it leads to a state that is known and shows nothing that is not.
  private mutating func follow(
    _ move: Move, _ placed: PlacedAct, after history: History, in state: StateNumber, acts: Int
  ) async {
    let (edge, told): (StoryGraph.Edge, Telling?)
    // The most are known, and known ones wait for nothing.
    if let link = move.link(isOrdinary: false), let known = graph.edge(link, from: state.state) {
      (edge, told) = (known, nil)
    } else {
      (edge, told) = await self.edge(of: move, from: history, in: state.state, acts: acts - 1)
    }
    let next = graph.next(after: move, by: edge, from: state)
    if let next {
      guard !showsOnlyRelaunch(edge.hasPurgedNothing),
        !leadsToNothingNew(edge, to: next, history, acts: acts)
      else { return }
    }
    var branch = history
    branch.acts.append(placed)
    branch.go(move, by: edge, to: next, in: graph, told: told)
    if let end = edge.end { return await abandon(branch, end) }
    await follow(branch, acts: acts - 1)
  }

  /// Whether an act leads to a state that is known, and shows nothing that is not.
  private func leadsToNothingNew(
    _ edge: StoryGraph.Edge, to next: StateNumber, _ history: History, acts: Int
  ) -> Bool {
    guard settings.replayed == nil, let left = leftActs(in: next), left >= acts - 1 else {
      return false
    }
    return acts > 1 || !mayShow(history, .lasting) && !areNews(edge.suspicions, .lasting)
  }

  /// Tells an act, and what comes then.
  private mutating func tell(
    _ move: Move, _ placed: PlacedAct, after history: History, acts: Int
  ) async {
    var branch = history
    branch.acts.append(placed)
    do throws(StoryEnd) {
      try branch.told.run.goBack()
      try await go(move, in: &branch, acts: acts - 1)
    } catch {
      return await abandon(branch, error)
    }
    guard !showsOnlyRelaunch(branch.told.run.hasPurgedNothing) else { return branch.endApp() }
    if let state = history.state, case .act(let act, _) = move {
      let next = number(of: &branch)
      graph.forecast.note(
        .act(act), from: history.told, in: graph.state(state.state), to: branch.told,
        in: graph.state(next.state))
    }
    await follow(branch, acts: acts - 1)
  }

  /// Whether what a purge has done a relaunch shows too: the app is ended.
  private func showsOnlyRelaunch(_ hasPurgedNothing: Bool) -> Bool {
    hasPurgedNothing && !story.scenario.exploration.without.contains(.relaunch)
  }

  /// Whether an act leads to a state that is known, and shows nothing that is not, as far as that can
  /// be foreseen.
  private mutating func leadsToNothingNew(
    _ act: Scenario.ExploredAct, _ move: Move, after history: History, acts: Int
  ) -> Bool {
    guard let state = history.state,
      let edge = graph.foreseenEdge(of: .act(act), after: history.told, in: state.state),
      let next = graph.next(after: move, by: edge, from: state)
    else { return false }
    return leadsToNothingNew(edge, to: next, history, acts: acts)
  }

  /// What decides what the system can do after a history.
  private func device(of history: History) -> ExploredDevice {
    if let state = history.state { return graph.device(state.state) }
    let run = history.told.run
    return ExploredDevice(isAppRunning: run.isAppRunning, system: run.system)
  }

  /// Whether the system can do something at the next part that a relaunch does not show.
  private func isPossible(
    _ act: Scenario.ExploredAct, in history: History, _ device: ExploredDevice
  ) -> Bool {
    switch act {
    case .kill: return false
    case .relaunch:
      // Where it does not run, what comes starts it anyway.
      let isStartedAnyway = history.part < story.parts.count && story.parts[history.part].isActivity
      guard device.isAppRunning || !isStartedAnyway else { return false }
    case .updateSystem:
      // Others the app does not say that it runs under.
      guard let newest = story.scenario.systems.max(), device.system < newest else { return false }
    default: break
    }
    return !story.scenario.exploration.without.contains(act)
  }

  /// The version that an update brings: of the app another one, of the system the newest that the
  /// scenario names.
  private func version(after act: Scenario.ExploredAct, _ history: History) -> String {
    switch act {
    case .updateApp:
      "\(history.state.map { graph.forecast.version($0.version) } ?? history.told.run.appVersion).1"
    case .updateSystem: story.scenario.systems.max().map { "\($0)" } ?? ""
    default: ""
    }
  }

  /// Whether a history goes on by an act: each does, unless one is to be replayed.
  mutating func isWanted(_ act: PlacedAct, after history: History) -> Bool {
    guard let token = settings.replayed else { return true }
    let index = history.acts.count
    guard token.acts.indices.contains(index) else { return false }
    let isMeant = act.isMeant(by: token.acts[index])
    if isMeant == nil { otherPoint = act }
    if isMeant == true, index == token.acts.count - 1 { isReplayed = true }
    return isMeant == true
  }

  /// The number of the step that begins a part.
  private func step(at part: Int) -> Int {
    part < story.parts.count
      ? number(of: story.parts[part].steps.lowerBound) : story.scenario.steps.count + 1
  }

  /// The number of a step in the scenario.
  func number(of index: Int) -> Int {
    if case .step(let number) = story.steps[index].reference.number { number } else { 0 }
  }
}
