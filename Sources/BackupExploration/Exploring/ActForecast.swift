import BackupFileTree
import BackupRules
import BackupScenarios

/// What the system does at rest leads to, known without telling it once that was told in such a place.
///
/// What the system makes of a container depends on that and the device, and not on the story's part
/// or what the app owes: what it does is told once for each place, and rules are asked once wherever
/// they look at the same.
struct ActForecast: Sendable {
  /// What the system does.
  enum Act: Hashable {
    /// Something beside the story.
    case act(Scenario.ExploredAct)
    /// A backup that the story takes, and does not restore.
    case backup
  }

  /// An act in a place.
  private struct ActAtPlace: Hashable {
    /// The act.
    let act: Act
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

  /// Where a version of the app is at the story's end.
  private struct End: Hashable {
    /// The number of the place.
    let place: Int
    /// The number of the app's version.
    let version: Int
  }

  /// What rules look at when the system acts.
  private struct Judged: Hashable {
    /// The state, as of any version and with any backups, and as of any part where that is 0.
    let state: ExploredState
    /// The act, or one at which they look at the same.
    let act: Act
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
  /// What happens at the story's end that was told.
  private var ends: [End: [Transcript.Entry]] = [:]
  /// What is remembered after acts.
  private var laterMemories: [MemoryAtAct: Int] = [:]
  /// What rules suspect of acts.
  private var suspicions: [Judged: [Scenario.Finding]] = [:]
  /// Whether the story restores the backups that exploration takes.
  private let restoresOwnBackups: Bool
  /// Whether a start of the app's does anything, which only the app knows.
  private let doesSomethingAtLaunch: Bool

  /// Nothing is known yet.
  ///
  /// - Parameter run: A run of the story.
  init(_ run: StoryRun) {
    self.restoresOwnBackups = run.restoresBackup(StoryElement.label)
    self.doesSomethingAtLaunch = run.doesSomethingAtLaunch
  }

  /// The state that a history is in.
  mutating func state(of telling: inout Telling) -> ExploredState {
    telling.follow()
    let followed = telling.followed
    let tree = telling.run.transcript.lastTree
    return ExploredState(
      part: telling.part, owesBackup: telling.owesBackup,
      place: places.number(of: telling.run.place),
      backups: backups.number(of: telling.run.backups),
      appVersion: versions.number(of: telling.run.appVersion),
      items: items.number(of: followed.owedItems(in: tree)),
      memory: memories.number(of: followed.remembered), hasAppRun: followed.hasAppRun)
  }

  /// The number of a version of the app.
  mutating func number(ofVersion version: String) -> Int { versions.number(of: version) }

  /// A version of the app.
  func version(_ number: Int) -> String { versions[number] }

  /// What decides what the system can do in a state.
  func device(in state: ExploredState) -> ExploredDevice {
    let place = places[state.place]
    return ExploredDevice(isAppRunning: place.isAppRunning, system: place.system)
  }

  /// Notes what an act has led to.
  ///
  /// - Parameters:
  ///   - act: What the system did.
  ///   - before: What had happened before.
  ///   - state: The state that this was.
  ///   - after: What has happened since.
  ///   - next: The state that this is.
  mutating func note(
    _ act: Act, from before: Telling, in state: ExploredState,
    to after: Telling, in next: ExploredState
  ) {
    // Whether a link is out of date depends on the containers before.
    guard !before.run.transcript.lastTree.holdsLink else { return }
    let count = before.run.transcript.entries.count
    outcomes[ActAtPlace(act: act, place: state.place)] = Outcome(
      place: next.place, entries: Array(after.run.transcript.entries[count...]))
  }

  /// The state that an act leads to; nil where it has to be told.
  ///
  /// - Parameters:
  ///   - act: What the system does.
  ///   - telling: What has happened before; nil to see whether that need not be told.
  ///   - state: The state that this is in.
  /// - Returns: The state that the history will be in, but for the app's version.
  mutating func state(
    after act: Act, _ telling: Telling?, in state: ExploredState
  ) -> ExploredState? {
    let placed = ActAtPlace(act: act, place: state.place)
    guard act != .act(.relaunch) || !doesSomethingAtLaunch, let outcome = outcomes[placed],
      let last = outcome.entries.last,
      let memory = memory(after: placed, outcome, telling, in: state)
    else { return nil }
    var next = state
    next.place = outcome.place
    next.hasAppRun = last.hasAppRun
    next.memory = memory
    if case .backup = act { next.part += 1 }
    if act == .act(.newDevice), restoresOwnBackups {
      var all = backups[state.backups]
      all[StoryElement.label] = places[state.place].container
      next.backups = backups.number(of: all)
    }
    return next
  }

  /// Whether an act whose outcome is known finds nothing to take, and only ends the app.
  func hasPurgedNothing(_ act: Act, in state: ExploredState) -> Bool {
    let outcome = outcomes[ActAtPlace(act: act, place: state.place)]
    return outcome?.entries.last?.event.hasPurgedNothing == true
  }

  /// What is remembered after an act; nil where that takes a telling.
  private mutating func memory(
    after act: ActAtPlace, _ outcome: Outcome, _ telling: Telling?, in state: ExploredState
  ) -> Int? {
    let key = MemoryAtAct(act: act, memory: state.memory)
    if let known = laterMemories[key] { return known }
    guard let telling else { return nil }
    let number = memories.number(of: telling.followed.remembered(after: outcome.entries))
    laterMemories[key] = number
    return number
  }

  /// What rules suspect of an act whose outcome is known; nil where that takes a telling.
  mutating func suspicions(
    of act: Act, _ telling: Telling?, in state: ExploredState
  ) -> [Scenario.Finding]? {
    guard let outcome = outcomes[ActAtPlace(act: act, place: state.place)] else { return nil }
    let anywhere = judged(act.likeness, at: 0, in: state)
    let here = judged(act, at: state.part, in: state)
    if let known = suspicions[anywhere] ?? suspicions[here] { return known }
    guard let telling else { return nil }
    let found = telling.followed.suspicions(after: outcome.entries, in: telling.run.transcript)
    // What is about no item is told from others by its step.
    let isOfStep = found.contains { $0.path == nil }
    if isOfStep, act == .backup { return nil }
    suspicions[isOfStep ? here : anywhere] = found
    return found
  }

  /// Notes what has happened at the story's end.
  ///
  /// - Parameters:
  ///   - before: What had happened before.
  ///   - state: The state that this was.
  ///   - after: What has happened since.
  mutating func noteEnd(from before: Telling, in state: ExploredState, to after: Telling) {
    guard !before.run.transcript.lastTree.holdsLink else { return }
    let count = before.run.transcript.entries.count
    ends[End(place: state.place, version: state.appVersion)] = Array(
      after.run.transcript.entries[count...])
  }

  /// What rules suspect of a history that ends; nil where the end has to be told.
  func endSuspicions(of telling: Telling, in state: ExploredState) -> [Scenario.Finding]? {
    ends[End(place: state.place, version: state.appVersion)].map { entries in
      telling.followed.suspicions(endingBy: entries, in: telling.run.transcript)
    }
  }

  /// What rules look at when the system acts.
  private func judged(_ act: Act, at part: Int, in state: ExploredState) -> Judged {
    Judged(
      state: ExploredState(
        part: part, owesBackup: false, place: state.place, backups: 0, appVersion: 0,
        items: state.items, memory: state.memory, hasAppRun: state.hasAppRun), act: act)
  }
}

extension ActForecast.Act {
  /// One of the acts at which rules look at the same.
  fileprivate var likeness: Self {
    switch self {
    case .backup, .act(.relaunch), .act(.newDevice): self
    case .act: .act(.idle)
    }
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
