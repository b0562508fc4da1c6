import BackupRules
import BackupScenarios

/// The states that histories of a story come to, and what leads from one to another.
///
/// What is known of a state holds for each history that comes to it. So of all histories that go on
/// alike from there one is told, and what it led to is remembered by numbers.
struct StoryGraph: Sendable {
  /// What a move leads to from a state.
  struct Edge: Sendable {
    /// The number of the state, as of any version; nil where the history has ended.
    let next: Int?
    /// The number of the app's version; nil for the one before, or one that depends on it.
    let version: Int?
    /// Why it ended, where it could not go on.
    let end: StoryEnd?
    /// What rules suspect of the move, by numbers.
    let suspicions: [Int]
    /// Whether a rule has to see the history as a whole from now on.
    let needsWhole: Bool
    /// Whether the system has found nothing to take, and only ended the app.
    let hasPurgedNothing: Bool
  }

  /// What rules suspect.
  struct Suspicion: Hashable {
    /// What tells the mistake from others.
    let key: Discovery.Key
    /// How bad it would be.
    let severity: Scenario.Severity

    /// What a finding would be, were it confirmed.
    init(_ finding: Scenario.Finding) {
      self.key = Discovery.Key(finding)
      self.severity = finding.severity
    }
  }

  /// A move from a state, but for kills.
  enum Link {
    /// The next part, for the story as it is or for histories with acts: see ``Telling/isOrdinary``.
    case part(isOrdinary: Bool)
    /// The end, likewise.
    case end(isOrdinary: Bool)
    /// A backup.
    case backup
    /// Something that the system does.
    case act(Scenario.ExploredAct)

    /// The links that a state may have, by their places in its list.
    fileprivate var place: Int {
      switch self {
      case .part(let isOrdinary): isOrdinary ? 0 : 1
      case .end(let isOrdinary): isOrdinary ? 2 : 3
      case .backup: 4
      case .act(let act): 5 + act.place
      }
    }

    /// How many links a state has.
    fileprivate static let count = 5 + Scenario.ExploredAct.allCases.count
  }

  /// The points at which the app is killed within the part that comes after a state.
  struct Kills: Sendable {
    /// The points, in order.
    var moves: [Move.Kill] = []
    /// What each leads to.
    var edges: [Edge] = []
  }

  /// A state.
  private struct Node {
    /// What it consists of.
    let state: ExploredState
    /// What decides what the system can do.
    let device: ExploredDevice
    /// One of the histories that came to it, from which others go on; nil where none is kept.
    var kept: KeptTelling?
  }

  /// What foresees acts in places where they were told.
  var forecast: ActForecast
  /// The numbers of the states.
  private var states = Numbering<ExploredState>()
  /// The states.
  private var nodes: [Node] = []
  /// The numbers of the edges, by states and links; -1 for one that is not known.
  private var links: [Int] = []
  /// The edges.
  private var edges: [Edge] = []
  /// The kills within the parts that come after states, those of the story as it is apart.
  private var kills: [Bool: [Int: Kills]] = [:]
  /// What rules suspect.
  private var suspicions = Numbering<Suspicion>()
  /// The state that was told last, and the history that came to it.
  private var latest: (state: Int, kept: KeptTelling)?

  /// Nothing is known yet.
  ///
  /// - Parameter run: A run of the story.
  init(_ run: StoryRun) {
    self.forecast = ActForecast(run)
  }
}

extension StoryGraph {
  /// The number of a state.
  mutating func number(of state: ExploredState) -> StateNumber {
    var common = state
    common.appVersion = 0
    let number = states.number(of: common)
    if number == nodes.count {
      nodes.append(Node(state: common, device: forecast.device(in: common)))
      links.append(contentsOf: repeatElement(-1, count: Link.count))
    }
    return StateNumber(state: number, version: state.appVersion)
  }

  /// The number of the state that a told history is in.
  mutating func number(of telling: inout Telling) -> StateNumber {
    number(of: forecast.state(of: &telling))
  }

  /// How many states there are.
  var stateCount: Int { nodes.count }

  /// A state by its number.
  func state(_ number: Int) -> ExploredState { nodes[number].state }

  /// A state of a version of the app.
  func state(_ number: StateNumber) -> ExploredState {
    var state = state(number.state)
    state.appVersion = number.version
    return state
  }

  /// What decides what the system can do in a state.
  func device(_ number: Int) -> ExploredDevice { nodes[number].device }

  /// What rules suspect, by its number.
  func suspicion(_ number: Int) -> Suspicion { suspicions[number] }

  /// A history that came to a state, where one is kept.
  func telling(at state: Int) -> Telling? {
    nodes[state].kept?.telling ?? (latest?.state == state ? latest?.kept.telling : nil)
  }

  /// Keeps a history that came to a state.
  ///
  /// - Parameters:
  ///   - telling: The history.
  ///   - state: The number of the state.
  ///   - isForLong: Whether others may go on from there; else it is kept until the next one.
  mutating func keep(_ telling: Telling, at state: Int, forLong isForLong: Bool) {
    let kept = nodes[state].kept ?? KeptTelling(telling)
    if isForLong { nodes[state].kept = kept }
    latest = (state, kept)
  }
}

extension StoryGraph {
  /// What a move leads to; nil where that is not known.
  func edge(_ link: Link, from state: Int) -> Edge? {
    let number = links[state * Link.count + link.place]
    return number < 0 ? nil : edges[number]
  }

  /// Notes what a move leads to.
  mutating func note(_ edge: Edge, as link: Link, from state: Int) {
    links[state * Link.count + link.place] = edges.count
    edges.append(edge)
  }

  /// The state that a move leads to; nil where the history ends.
  ///
  /// - Parameters:
  ///   - move: The move.
  ///   - edge: What is known of it.
  ///   - state: The state before.
  /// - Returns: The number of the state.
  mutating func next(
    after move: Move, by edge: Edge, from state: StateNumber
  ) -> StateNumber? {
    guard let next = edge.next else { return nil }
    if case .act(.updateApp, let version) = move {
      return StateNumber(state: next, version: forecast.number(ofVersion: version))
    }
    return StateNumber(state: next, version: edge.version ?? state.version)
  }

  /// The kills within the next part; nil where they are not known.
  func kills(from state: Int, isOrdinary: Bool) -> Kills? { kills[isOrdinary]?[state] }

  /// Notes the kills within the next part.
  mutating func note(_ found: Kills, from state: Int, isOrdinary: Bool) {
    kills[isOrdinary, default: [:]][state] = found
  }

  /// What a move has led to that was told.
  ///
  /// - Parameters:
  ///   - move: The move.
  ///   - before: What had happened before.
  ///   - after: What has happened since.
  ///   - end: Why it did not go on; nil where it did.
  ///   - updatesApp: Whether the story updates the app.
  /// - Returns: What the move leads to.
  mutating func edge(
    of move: Move, from before: Telling, to after: inout Telling, _ end: StoryEnd?,
    updatesApp: Bool
  ) -> Edge {
    after.follow()
    var found = Array(after.followed.suspicions.dropFirst(before.followed.suspicions.count))
    var next: StateNumber?
    switch move {
    case _ where end != nil, .backup: break
    case .end: found += after.followed.endSuspicions(in: after.run.transcript)
    default: next = number(of: &after)
    }
    return Edge(
      next: next?.state, version: updatesApp ? next?.version : nil, end: end,
      suspicions: numbers(of: found), needsWhole: after.followed.needsWhole,
      hasPurgedNothing: after.run.hasPurgedNothing)
  }

  /// What an act leads to that was told in the same place, in whatever state; nil where it has to be
  /// told.
  ///
  /// - Parameters:
  ///   - act: What the system does.
  ///   - telling: What has happened before; nil to see whether that need not be told.
  ///   - state: The number of the state that this is.
  /// - Returns: What the act leads to.
  mutating func foreseenEdge(
    of act: ActForecast.Act, after telling: Telling?, in state: Int
  ) -> Edge? {
    let before = nodes[state].state
    guard let next = forecast.state(after: act, telling, in: before),
      let suspicions = forecast.suspicions(of: act, telling, in: before)
    else { return nil }
    return Edge(
      next: number(of: next).state, version: nil, end: nil, suspicions: numbers(of: suspicions),
      needsWhole: false, hasPurgedNothing: forecast.hasPurgedNothing(act, in: before))
  }

  /// The numbers of what rules suspect, each once.
  private mutating func numbers(of findings: [Scenario.Finding]) -> [Int] {
    var numbers: [Int] = []
    for finding in findings {
      let number = suspicions.number(of: Suspicion(finding))
      if !numbers.contains(number) { numbers.append(number) }
    }
    return numbers
  }
}

extension Scenario.ExploredAct {
  /// Its place in a list of all.
  fileprivate var place: Int {
    switch self {
    case .kill: 0
    case .relaunch: 1
    case .idle: 2
    case .lowStorage: 3
    case .criticalStorage: 4
    case .updateApp: 5
    case .updateSystem: 6
    case .newDevice: 7
    }
  }
}
