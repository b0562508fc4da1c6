import BackupRules
import BackupScenarios

extension BackupExploration {
  /// Whether a history goes on by what is known of its state; else it is told itself.
  func isByStates(_ history: History) -> Bool { remembersMoves && !history.needsWhole }

  /// The number of the state that a history is in.
  mutating func number(of history: inout History) -> StateNumber {
    if let state = history.state { return state }
    var telling = history.told
    let state = graph.number(of: &telling)
    history.become(telling)
    history.state = state
    if isByStates(history) { graph.keep(telling, at: state.state, forLong: true) }
    return state
  }

  /// Has a history go on.
  ///
  /// - Parameters:
  ///   - move: What happens; for code of the app's own not a kill.
  ///   - history: What has happened before.
  ///   - acts: How often the system is still to act.
  /// - Throws: ``StoryEnd`` where it cannot go on.
  mutating func go(_ move: Move, in history: inout History, acts: Int) async throws(StoryEnd) {
    guard isByStates(history), let state = history.state else {
      return try await tell(move, in: &history)
    }
    let (edge, told) = await edge(of: move, from: history, in: state.state, acts: acts)
    history.go(
      move, by: edge, to: graph.next(after: move, by: edge, from: state), in: graph, told: told)
    if let end = edge.end { throw end }
  }

  /// Has a history end, and notes what the app's own code does then, which takes a process.
  ///
  /// - Throws: ``StoryEnd`` where it cannot.
  mutating func goToEnd(of history: inout History, acts: Int) async throws(StoryEnd) {
    guard !run.isValue, settings.mergesStates else {
      return try await go(.end, in: &history, acts: acts)
    }
    let (before, number) = (history.told, number(of: &history))
    try await go(.end, in: &history, acts: acts)
    graph.forecast.noteEnd(from: before, in: graph.state(number), to: history.told)
  }

  /// Has a history itself go on.
  private mutating func tell(_ move: Move, in history: inout History) async throws(StoryEnd) {
    var telling = await wholly(told: history)
    history.state = nil
    defer { history.become(telling) }
    try await teller.tell(move, in: &telling)
  }

  /// What a move leads to, which is told where nobody knows.
  ///
  /// - Parameters:
  ///   - move: The move; not a kill.
  ///   - history: What has happened before.
  ///   - state: The number of the state that this is.
  ///   - acts: How often the system is still to act.
  /// - Returns: What it leads to, and what is told then of this very history, if anything is.
  mutating func edge(
    of move: Move, from history: History, in state: Int, acts: Int
  ) async -> (StoryGraph.Edge, told: Telling?) {
    let link = move.link(isOrdinary: history.acts.isEmpty)
    if let link, let known = graph.edge(link, from: state) { return (known, nil) }
    let act = foreseeableAct(of: move, from: history)
    if let link, let act, let foreseen = graph.foreseenEdge(of: act, after: nil, in: state) {
      graph.note(foreseen, as: link, from: state)
      return (foreseen, nil)
    }
    let before = await telling(like: history, in: state)
    keep(before, at: state, acts: acts)
    if let link, let act, let foreseen = graph.foreseenEdge(of: act, after: before, in: state) {
      graph.note(foreseen, as: link, from: state)
      return (foreseen, nil)
    }
    var after = before
    after.isOrdinary = history.acts.isEmpty
    let end = await teller.tryToTell(move, in: &after)
    let found = graph.edge(
      of: move, from: before, to: &after, end, updatesApp: updatesApp(move, from: history))
    if let link { graph.note(found, as: link, from: state) }
    if let next = found.next {
      if let act {
        graph.forecast.note(
          act, from: before, in: graph.state(state), to: after, in: graph.state(next))
      }
      keep(after, at: next, acts: acts)
    }
    return (found, history.untold.isEmpty ? after : nil)
  }

  /// What a move is for those that foresee; nil for one of which the state does not say enough.
  private func foreseeableAct(of move: Move, from history: History) -> ActForecast.Act? {
    switch move {
    case .act(let act, _): return .act(act)
    case .part:
      let steps = story.parts[history.part].steps
      guard steps.count == 1, !history.owesBackup,
        story.steps[steps.lowerBound].isForAllSystems,
        let label = story.steps[steps.lowerBound].backupLabel, !run.restoresBackup(label)
      else { return nil }
      return .backup
    case .end, .backup, .kill: return nil
    }
  }

  /// Whether the story updates the app by a move.
  private func updatesApp(_ move: Move, from history: History) -> Bool {
    guard case .part = move else { return false }
    return story.parts[history.part].steps.contains { story.steps[$0].updatesApp }
  }

  /// Keeps what was told of a state, if histories may branch off there later.
  mutating func keep(_ telling: Telling, at state: Int, acts: Int) {
    graph.keep(telling, at: state, forLong: acts > 0 || depth < settings.depth)
  }

  /// A told history in the state of another one.
  ///
  /// - Parameters:
  ///   - history: What has happened.
  ///   - state: The number of the state that this is.
  /// - Returns: That history where all of it is told, or another one.
  func telling(like history: History, in state: Int) async -> Telling {
    if history.untold.isEmpty { return history.told }
    if let telling = graph.telling(at: state) { return telling }
    let latest = history.untold.lastIndex { graph.telling(at: $0.state) != nil }
    guard let latest, var telling = graph.telling(at: history.untold[latest].state) else {
      return await wholly(told: history)
    }
    // That nothing ends here is known.
    telling.isOrdinary = true
    await tell(history.untold[latest...], in: &telling)
    return telling
  }

  /// What was told of a history once it is told as a whole.
  func wholly(told history: History) async -> Telling {
    var telling = history.told
    await tell(history.untold[...], in: &telling)
    return telling
  }

  /// Has moves happen that are known to, until one at which the history ends.
  private func tell(_ moves: ArraySlice<History.Untold>, in telling: inout Telling) async {
    for untold in moves {
      defer { telling.follow() }
      if await teller.tryToTell(untold.move, in: &telling) != nil { return }
    }
  }
}
