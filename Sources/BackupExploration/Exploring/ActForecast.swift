import BackupFileTree
import BackupRules
import BackupScenarios

/// What acts of the system at rest lead to, known without telling them once each was told in such a
/// place.
///
/// What the system makes of a container depends on that and the device, and not on the story's part
/// or what the app owes: an act is told once for each place, and rules are asked once for all acts
/// at which they look at the same.
struct ActForecast: Sendable {
  /// An act in a place.
  private struct ActAtPlace: Hashable {
    /// The act.
    let act: Scenario.ExploredAct
    /// The number of the place.
    let place: Int
  }

  /// What an act leads to.
  private struct Outcome {
    /// The number of the place.
    let place: Int
    /// What happens.
    let entries: [Transcript.Entry]
  }

  /// What is remembered before an act.
  private struct MemoryAtAct: Hashable {
    /// The act.
    let act: ActAtPlace
    /// The number of what is remembered.
    let memory: Int
  }

  /// What rules look at when the system acts.
  private struct Judged: Hashable {
    /// The state, as of any part and version and with any backups.
    let state: ExploredState
    /// Whether a backup is taken; nil where the system takes nothing and gives nothing.
    let takesBackup: Bool?
  }

  /// The places.
  private var places = Numbering<StoryRun.Place>()
  /// The backups.
  private var backups = Numbering<[String: ContainerState]>()
  /// The app's versions.
  private var versions = Numbering<String>()
  /// What the app may owe.
  private var items = Numbering<RunHistory.OwedItems>()
  /// What may be remembered.
  private var memories = Numbering<RunHistory.Remembered>()
  /// What acts lead to that were told.
  private var outcomes: [ActAtPlace: Outcome] = [:]
  /// What is remembered after acts.
  private var laterMemories: [MemoryAtAct: Int] = [:]
  /// What rules suspect of acts.
  private var suspicions: [Judged: [Scenario.Finding]] = [:]

  /// The state that a history is in.
  mutating func state(of history: inout History) -> ExploredState {
    let followed = history.follow()
    let tree = history.run.transcript.lastTree
    return ExploredState(
      part: history.part, owesBackup: history.owesBackup,
      place: places.number(of: history.run.place),
      backups: backups.number(of: history.run.backups),
      appVersion: versions.number(of: history.run.appVersion),
      items: items.number(of: followed.owedItems(in: tree)),
      memory: memories.number(of: followed.remembered), hasAppRun: followed.hasAppRun)
  }

  /// Notes what an act has led to.
  ///
  /// - Parameters:
  ///   - act: What the system did.
  ///   - before: What had happened before.
  ///   - after: What has happened since.
  mutating func note(_ act: Scenario.ExploredAct, from before: History, to after: History) {
    // Whether a link is out of date depends on the containers before.
    guard let state = before.state, let next = after.state,
      !before.run.transcript.lastTree.holdsLink
    else { return }
    let count = before.run.transcript.entries.count
    outcomes[ActAtPlace(act: act, place: state.place)] = Outcome(
      place: next.place, entries: Array(after.run.transcript.entries[count...]))
  }

  /// The state that an act leads to; nil where it has to be told.
  ///
  /// - Parameters:
  ///   - act: What the system does.
  ///   - version: The version that an update brings.
  ///   - history: What has happened before.
  ///   - state: The state that this is in.
  /// - Returns: The state that the history will be in.
  mutating func state(
    after act: Scenario.ExploredAct, version: String, _ history: History, in state: ExploredState
  ) -> ExploredState? {
    let placed = ActAtPlace(act: act, place: state.place)
    guard let outcome = outcomes[placed], let last = outcome.entries.last else { return nil }
    var next = state
    next.place = outcome.place
    next.hasAppRun = last.hasAppRun
    next.memory = memory(after: placed, outcome, history, in: state)
    if act == .updateApp { next.appVersion = versions.number(of: version) }
    if act == .newDevice, history.run.restoresBackup(StoryElement.label) {
      var all = backups[state.backups]
      all[StoryElement.label] = ContainerState(history.run.transcript.lastTree)
      next.backups = backups.number(of: all)
    }
    return next
  }

  /// What is remembered after an act.
  private mutating func memory(
    after act: ActAtPlace, _ outcome: Outcome, _ history: History, in state: ExploredState
  ) -> Int {
    let key = MemoryAtAct(act: act, memory: state.memory)
    if let known = laterMemories[key] { return known }
    let number = memories.number(of: history.followed.remembered(after: outcome.entries))
    laterMemories[key] = number
    return number
  }

  /// What rules suspect of an act whose outcome is known.
  mutating func suspicions(
    of act: Scenario.ExploredAct, _ history: History, in state: ExploredState
  ) -> [Scenario.Finding] {
    guard let outcome = outcomes[ActAtPlace(act: act, place: state.place)] else { return [] }
    let key = Judged(
      state: ExploredState(
        part: 0, owesBackup: false, place: state.place, backups: 0, appVersion: 0,
        items: state.items, memory: state.memory, hasAppRun: state.hasAppRun),
      takesBackup: act == .relaunch ? nil : act == .newDevice)
    if let known = suspicions[key] { return known }
    let found = history.followed.suspicions(after: outcome.entries, in: history.run.transcript)
    suspicions[key] = found
    return found
  }
}

extension FileTree {
  /// Whether there is a symbolic link in it.
  fileprivate var holdsLink: Bool {
    var holdsLink = false
    visit { item in
      if case .link = item.kind { true } else { false }
    } _: { _, _ in
      holdsLink = true
    }
    return holdsLink
  }
}
