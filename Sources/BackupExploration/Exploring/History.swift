import BackupRules
import BackupScenarios

/// A history of a story: what has happened, told as far as somebody had to know.
///
/// What its latest moves led to may be known of other histories that were in the same states. Then
/// they are told only where what is wrong in this one has to be known exactly.
struct History: Sendable {
  /// A move that is not told.
  struct Untold: Sendable {
    /// The move.
    let move: Move
    /// The number of the state that it was made in.
    let state: Int
  }

  /// What was told of it.
  private var kept: KeptTelling
  /// What has happened since.
  private(set) var untold: [Untold] = []
  /// The number of the state that it is in; nil where nobody has asked.
  var state: StateNumber?
  /// What rules suspect of it, by numbers, as far as the states say it.
  private(set) var suspicions: [Int] = []
  /// Whether a rule has to see it as a whole.
  private(set) var needsWhole: Bool
  /// What the system did beside the story.
  var acts: [PlacedAct] = []
  /// What the app's own code changes in the activity in which it was killed last.
  var changes: [Scenario.KillPoint] = []
  /// The part of the story that comes next.
  private(set) var part: Int
  /// Whether a backup has to show what the next part leaves, which was interrupted before.
  private(set) var owesBackup: Bool

  /// A history that was told.
  init(_ telling: Telling) {
    self.kept = KeptTelling(telling)
    self.part = telling.part
    self.owesBackup = telling.owesBackup
    self.needsWhole = telling.followed.needsWhole
  }

  /// What was told of it.
  var told: Telling { kept.telling }

  /// Notes that all of it is told.
  mutating func become(_ telling: Telling) {
    kept = KeptTelling(telling)
    untold = []
    (part, owesBackup) = (telling.part, telling.owesBackup)
  }

  /// A copy that goes on from here whatever becomes of this history's container and app.
  ///
  /// - Throws: ``StoryEnd`` where the container cannot be kept.
  func saved() throws(StoryEnd) -> History {
    guard !told.run.isValue else { return self }
    var copy = self
    copy.become(try told.saved())
    return copy
  }

  /// Ends the app's process, if there is one.
  func endApp() {
    guard !told.run.isValue else { return }
    var run = told.run
    run.endApp()
  }

  /// Goes on by a move of which it is known what that leads to.
  ///
  /// - Parameters:
  ///   - move: The move.
  ///   - edge: What it leads to.
  ///   - next: The state to which it leads; nil where the history ends.
  ///   - graph: What knows it.
  ///   - telling: What is told of this history then; nil where the move is not.
  mutating func go(
    _ move: Move, by edge: StoryGraph.Edge, to next: StateNumber?, in graph: StoryGraph,
    told telling: Telling? = nil
  ) {
    if let telling {
      become(telling)
    } else if let state {
      untold.append(Untold(move: move, state: state.state))
    }
    if !edge.suspicions.isEmpty { suspicions += edge.suspicions }
    needsWhole = needsWhole || edge.needsWhole
    state = next
    guard let next else { return }
    (part, owesBackup) = (graph.state(next.state).part, graph.state(next.state).owesBackup)
  }
}

/// A history at a point at which the system may act, before a part of the story.
struct BranchPoint: Sendable {
  /// What has happened until then.
  let history: History
  /// What the app's own code changes in the part that comes; nil where nobody sees it, or it has none.
  var recording: Recording?
}
