import BackupScenarios

extension BackupExploration {
  /// Kills the app before each change that its simulated steps make in the next part.
  mutating func killWithin(_ history: History, acts: Int) async {
    let isOrdinary = history.acts.isEmpty
    guard isByStates(history), let state = history.state else {
      _ = await killWithin(history, in: await wholly(told: history), acts: acts)
      return
    }
    if let known = graph.kills(from: state.state, isOrdinary: isOrdinary) {
      for (kill, edge) in zip(known.moves, known.edges) where counts.isComplete {
        counts.innerPoints += 1
        await self.kill(history, kill, by: edge, told: nil, acts: acts)
      }
      return
    }
    var telling = await telling(like: history, in: state.state)
    telling.isOrdinary = isOrdinary
    let kills = await killWithin(history, in: telling, acts: acts)
    graph.note(kills, from: state.state, isOrdinary: isOrdinary)
  }

  /// Kills the app before each change of the next part.
  ///
  /// - Parameters:
  ///   - history: What has happened before.
  ///   - telling: It, or another history that was in the same state.
  ///   - acts: How often the system is still to act.
  /// - Returns: The points, where others need not be told.
  private mutating func killWithin(
    _ history: History, in telling: Telling, acts: Int
  ) async -> StoryGraph.Kills {
    var (whole, kills) = (telling, StoryGraph.Kills())
    let part = story.parts[history.part]
    for index in part.steps where counts.isComplete {
      let changes = await whole.run.changes(in: story.steps[index])
      for (number, point) in changes.enumerated() where counts.isComplete {
        // Before the first change nothing is done, as where the app is ended at rest.
        if index == part.steps.lowerBound, number == 0 { continue }
        counts.innerPoints += 1
        let kill = Move.Kill(step: index, change: number + 1, point: point)
        if isByStates(history) {
          let (edge, after) = await edge(of: kill, from: telling, in: whole, acts: acts)
          kills.moves.append(kill)
          kills.edges.append(edge)
          let told = history.untold.isEmpty ? after : nil
          await self.kill(history, kill, by: edge, told: told, acts: acts)
        } else {
          await self.kill(history, kill, in: whole, acts: acts)
        }
      }
      do throws(StoryEnd) {
        try whole.run.goBack()
        try await teller.tell(element: .step(index), in: &whole)
        whole = try whole.saved()
      } catch {
        // What a simulated step cannot do was told of where the history was followed.
        if error.cause == .machine { trouble = trouble ?? error }
        return kills
      }
    }
    return kills
  }

  /// What a kill leads to.
  ///
  /// - Parameters:
  ///   - kill: The kill.
  ///   - before: What has happened before the activity.
  ///   - whole: The same, and the steps of the activity before that of the kill.
  ///   - acts: How often the system is still to act, the kill included.
  /// - Returns: What it leads to, and what has happened then.
  private mutating func edge(
    of kill: Move.Kill, from before: Telling, in whole: Telling, acts: Int
  ) async -> (StoryGraph.Edge, Telling) {
    var after = whole
    var end: StoryEnd?
    do throws(StoryEnd) {
      try await teller.tell(kill, in: &after)
    } catch {
      end = error
    }
    let edge = graph.edge(
      of: .kill(kill), from: before, to: &after, end, updatesApp: false)
    if let next = edge.next { keep(after, at: next, acts: acts - 1) }
    return (edge, after)
  }

  /// Kills the app before each change that its own code has made in the next part, where all of them
  /// were seen.
  mutating func killWithinCode(_ point: BranchPoint, acts: Int) async {
    let history = point.history
    let index = story.parts[history.part].steps.lowerBound
    // A kill that the story has is the only one in its step.
    guard !story.steps[index].isKilled else { return }
    let recording = point.recording.flatMap { $0.isWhole ? $0 : nil }
    do throws(StoryEnd) {
      guard let recording, try history.told.run.isFaithful(recording) else {
        counts.unseenSteps.insert(number(of: index))
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
    for (place, point) in recording.points where place > 0 && counts.isComplete {
      counts.innerPoints += 1
      let kill = Move.Kill(step: index, change: place + 1, point: point)
      await self.kill(history, kill, in: history.told, acts: acts, as: recording)
    }
  }

  /// Kills the app before a change, and goes on, where it is known what that leads to.
  private mutating func kill(
    _ history: History, _ kill: Move.Kill, by edge: StoryGraph.Edge, told: Telling?, acts: Int
  ) async {
    guard isWanted(kill, after: history, acts: acts), let state = history.state else { return }
    var killed = history
    let next = graph.next(after: .kill(kill), by: edge, from: state)
    killed.go(.kill(kill), by: edge, to: next, in: graph, told: told)
    if let end = edge.end { return await abandon(killed, end) }
    await goOn(killed, after: history, kill, acts: acts)
  }

  /// Kills the app before a change, and goes on.
  private mutating func kill(
    _ history: History, _ kill: Move.Kill, in whole: Telling, acts: Int,
    as recording: Recording? = nil
  ) async {
    guard isWanted(kill, after: history, acts: acts) else { return }
    var (killed, telling) = (history, whole)
    killed.state = nil
    do throws(StoryEnd) {
      try telling.run.goBack()
      try await teller.tell(kill, in: &telling, as: recording)
    } catch {
      killed.become(telling)
      return await abandon(killed, error)
    }
    killed.become(telling)
    killed.changes = recording?.allPoints ?? []
    await goOn(killed, after: history, kill, acts: acts)
  }

  /// Goes on after a kill in each way: a backup is taken at once, or when the app has started, or the
  /// activity is done again.
  private mutating func goOn(
    _ killed: History, after history: History, _ kill: Move.Kill, acts: Int
  ) async {
    var killed = killed
    for aftermath in aftermaths(of: kill, after: history, acts: acts) {
      guard takeBudget() else { return }
      killed.acts = history.acts + [placed(kill, then: aftermath)]
      switch aftermath {
      case .nothing: await endWithBackup(killed, startsApart(killed) ? .strict : .interrupted)
      case .started:
        do throws(StoryEnd) {
          killed = try killed.saved()
          await startAndEnd(killed)
          try killed.told.run.goBack()
        } catch {
          return await abandon(killed, error)
        }
      case .doneAgain: await follow(killed, acts: acts - 1)
      }
    }
  }

  /// Whether a history goes on by a kill in any way.
  private mutating func isWanted(_ kill: Move.Kill, after history: History, acts: Int) -> Bool {
    !aftermaths(of: kill, after: history, acts: acts).isEmpty
  }

  /// The ways in which a history goes on by a kill; what a backup holds then is looked at where that is
  /// the last act.
  private mutating func aftermaths(
    of kill: Move.Kill, after history: History, acts: Int
  ) -> [PlacedAct.Aftermath] {
    var wanted: [PlacedAct.Aftermath] = []
    for aftermath in PlacedAct.Aftermath.allCases {
      let isPossible =
        switch aftermath {
        case .nothing: acts == 1
        case .started: acts == 1 && startsApart(history) && tellsMomentsApart
        case .doneAgain: true
        }
      if isPossible, isWanted(placed(kill, then: aftermath), after: history) {
        wanted.append(aftermath)
      }
    }
    return wanted
  }

  /// Whether the app's start may heal something before the activity is done again.
  private func startsApart(_ history: History) -> Bool { history.told.run.doesSomethingAtLaunch }

  /// A kill as a report names it.
  private func placed(_ kill: Move.Kill, then aftermath: PlacedAct.Aftermath) -> PlacedAct {
    PlacedAct(
      step: number(of: kill.step),
      point: .within(change: kill.change, kill.point, then: aftermath))
  }

  /// Has the app start after a kill, and judges what a backup holds then.
  private mutating func startAndEnd(_ killed: History) async {
    var started = killed
    defer { started.endApp() }
    do throws(StoryEnd) {
      try await go(.act(.relaunch, version: ""), in: &started, acts: 0)
    } catch {
      return await abandon(started, error)
    }
    await endWithBackup(started, .interrupted)
  }

  /// Judges what a backup holds; which changes nothing.
  private mutating func endWithBackup(
    _ killed: History, _ tier: ExplorationSettings.Tier
  ) async {
    var ended = killed
    do throws(StoryEnd) {
      try await go(.backup, in: &ended, acts: 0)
    } catch {
      return await abandon(ended, error)
    }
    await judge(ended, isAtEnd: false, acts: 0, tier: tier)
  }
}
