import BackupScenarios

/// The system acts at every point of a scenario, and what goes wrong then is found.
///
/// A history is the scenario's story with some acts of the system's beside what it says. Histories
/// are told in the order of their acts: by how many there are, where, and which. One that comes to a
/// state in which another was before is not told further, since what comes then is known.
///
/// Of simulated stories a move is told once for all histories in a state (`StoryGraph`); a history
/// itself only where rules suspect something new of it.
struct BackupExploration: Sendable {
  /// How it is done.
  let settings: ExplorationSettings
  /// The story.
  let teller: StoryTeller
  /// A run of it that has yet to begin.
  let run: StoryRun
  /// What is found where the system does nothing beside the story.
  var ordinary: Set<Discovery.Key> = []
  /// Whether that is known.
  var knowsOrdinary = false
  /// The states of the story, and what leads from one to another.
  var graph: StoryGraph
  /// Whether what moves lead to is remembered: nothing but the kit acts, and states are merged.
  let remembersMoves: Bool
  /// How often the system acts in the longest histories that are told now.
  private(set) var depth = 0
  /// How many acts were left when a history was in a state.
  private var visited: [StateNumber: Int] = [:]
  /// What is found, each once for a tier.
  var discoveries: [Discovery] = []
  /// What is found, by tier.
  var known: [ExplorationSettings.Tier: Set<Discovery.Key>] = [:]
  /// Why the story itself cannot be told; nil where it can.
  private var brokenOff: StoryEnd?
  /// Why some of it was not done: what the machine lacks, or what no history should come to.
  var trouble: StoryEnd?
  /// Whether the history that is to be replayed was followed.
  var isReplayed = false
  /// What is now at the point at which that history has another change.
  var otherPoint: PlacedAct?
  /// What was done.
  var counts = ExplorationCounts()

  /// An exploration that has yet to begin.
  ///
  /// - Parameters:
  ///   - teller: Tells the story.
  ///   - run: A run of it that has yet to begin.
  ///   - settings: How it is explored.
  init(_ teller: StoryTeller, _ run: StoryRun, _ settings: ExplorationSettings) {
    self.teller = teller
    self.run = run
    self.settings = settings
    self.graph = StoryGraph(run)
    self.remembersMoves = settings.mergesStates && run.isValue
  }

  /// The story.
  var story: Story { teller.story }

  /// Whether what is there for a moment is told from what is there until the activity is done again: a
  /// start of the app's own code takes a process, and shows nothing that lasts.
  var tellsMomentsApart: Bool {
    run.isValue || settings.tier != .lasting || settings.replayed != nil
  }

  /// What comes of exploring a story.
  ///
  /// - Parameters:
  ///   - teller: Tells the story.
  ///   - run: A run of it that has yet to begin.
  ///   - settings: How it is explored.
  /// - Returns: The exploration.
  /// - Throws: ``StoryEnd`` where the story itself cannot be told.
  static func explored(
    _ teller: StoryTeller, _ run: StoryRun, _ settings: ExplorationSettings
  ) async throws(StoryEnd) -> BackupExploration {
    var exploration = BackupExploration(teller, run, settings)
    try await exploration.explore()
    return exploration
  }

  /// Explores the story.
  ///
  /// - Throws: ``StoryEnd`` where the story itself cannot be told.
  private mutating func explore() async throws(StoryEnd) {
    let start = History(try Telling(run).saved())
    let most = settings.replayed?.acts.count ?? settings.depth
    for depth in stride(from: 1, through: most, by: 1) where counts.isComplete {
      self.depth = depth
      visited = [:]
      try start.told.run.goBack()
      await follow(start, acts: depth)
      if let brokenOff { throw brokenOff }
      knowsOrdinary = remembersMoves
    }
  }

  /// Tells a history to its end, and then those that branch off, for which its app has to be gone.
  ///
  /// - Parameters:
  ///   - history: What has happened so far.
  ///   - acts: How often the system is still to act.
  mutating func follow(_ history: History, acts: Int) async {
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
    defer { history.endApp() }
    var isConfirmed = false
    do throws(StoryEnd) {
      while true {
        if remembersMoves, history.needsWhole { history.become(await wholly(told: history)) }
        if !isConfirmed, isKnown(&history, acts: acts) {
          // What comes may account for what is found so far.
          guard acts == 0, await !news(of: history, isAtEnd: false).isEmpty else { return }
          isConfirmed = true
        }
        let isPoint = history.part >= story.firstPart && acts > 0
        if isPoint { points.append(BranchPoint(history: try history.saved())) }
        guard history.part < story.parts.count else { break }
        let runsCode = story.runsCode(in: history.part)
        try await go(.part, in: &history, acts: acts)
        if isPoint, runsCode {
          points[points.count - 1].recording = history.told.run.latestRecording
        }
      }
      await noteOrdinary(history)
      if bringsNoNews(endOf: &history) { return }
      try await goToEnd(of: &history, acts: acts)
      await noteOrdinary(history)
    } catch {
      if history.acts.isEmpty, !Task.isCancelled { brokenOff = error }
      return await abandon(history, error)
    }
    await judge(history, isAtEnd: true, acts: acts)
  }

  /// Whether what comes is known from another history; notes that it is known now.
  private mutating func isKnown(_ history: inout History, acts: Int) -> Bool {
    guard settings.mergesStates else { return false }
    let state = number(of: &history)
    guard leftActs(in: state).map({ $0 < acts }) ?? true else { return !history.acts.isEmpty }
    visited[state] = acts
    return false
  }

  /// How many acts were left when a history was in a state; nil where none was.
  func leftActs(in state: StateNumber) -> Int? { visited[state] }

  /// Takes one history off the budget.
  mutating func takeBudget() -> Bool {
    if Task.isCancelled {
      counts.shortfall = .cancellation
    } else if counts.histories >= settings.budget {
      counts.shortfall = .budget
    } else {
      counts.histories += 1
      return true
    }
    return false
  }
}
