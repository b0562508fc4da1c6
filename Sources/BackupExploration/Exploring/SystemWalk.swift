public import BackupScenarios

/// The system acts many times in a row at the end of a story, without a judgement: what exploration
/// costs where it meets what it knows.
///
/// An act in a state is told once, and remembered by the numbers of the states, as exploration does.
/// It is public for the benchmarks, which are a package of their own.
@_spi(Benchmarks) public struct SystemWalk: Sendable {
  /// Tells the story.
  private let teller: StoryTeller
  /// The states, and what leads from one to another.
  private var graph: StoryGraph
  /// The number of the state in which the system acts next.
  private var state: Int
  /// How often the system has acted.
  private var actCount = 0

  /// What the system does in turn.
  private static let acts = Scenario.ExploredAct.allCases.filter {
    $0 != .kill && $0 != .updateSystem
  }

  /// A walk that begins at the end of a story.
  ///
  /// - Parameter scenario: What happens before, in simulated steps.
  /// - Throws: ``StoryEnd`` where that cannot be told, or ``RunError`` where there can be no run.
  public init?(_ scenario: Scenario) async throws {
    guard let teller = StoryTeller(Story(scenario), on: StoryStage()), !teller.story.steps.isEmpty
    else { return nil }
    var telling = Telling(try StoryRun(scenario, scenario.variants[0]))
    for _ in teller.story.parts { try await teller.tell(.part, in: &telling) }
    var graph = StoryGraph(telling.run)
    let state = graph.number(of: &telling).state
    graph.keep(telling, at: state, forLong: true)
    (self.teller, self.graph, self.state) = (teller, graph, state)
  }

  /// How many states were met so far.
  public var stateCount: Int { graph.stateCount }

  /// Has the system act.
  ///
  /// - Parameter count: How often.
  /// - Returns: How many events of the system that is: a new device is a backup and a restore.
  /// - Throws: ``StoryEnd`` where something cannot be done.
  public mutating func go(_ count: Int) async throws -> Int {
    var events = 0
    for _ in 0..<count {
      // Each in turn, and after a round another one first.
      let act = Self.acts[(actCount + actCount / Self.acts.count) % Self.acts.count]
      actCount += 1
      events += act == .newDevice ? 2 : 1
      let known = graph.edge(.act(act), from: state)?.next
      state = if let known { known } else { try await told(act) }
    }
    return events
  }

  /// The state that an act leads to, which is told.
  private mutating func told(_ act: Scenario.ExploredAct) async throws(StoryEnd) -> Int {
    guard let before = graph.telling(at: state) else { throw lostWay }
    var after = before
    try await teller.tell(.act(act, version: "2"), in: &after)
    let move = Move.act(act, version: "2")
    let edge = graph.edge(of: move, from: before, to: &after, nil, updatesApp: false)
    graph.note(edge, as: .act(act), from: state)
    guard let next = edge.next else { throw lostWay }
    graph.keep(after, at: next, forLong: true)
    return next
  }

  /// Why it does not go on where an act leads to no state: what is not told is not counted.
  private var lostWay: StoryEnd {
    StoryEnd(at: teller.story.steps[0].reference, "the walk has lost its way")
  }
}
