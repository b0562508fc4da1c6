import BackupCollections
import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupScenarios

/// What the user made, gone or in pieces because the app was killed while it saved.
///
/// The system ends apps when it likes, between any two changes to the file system. A save that
/// removes the old file first, or writes over it in place, has a moment at which there is neither the
/// old file nor the new one.
///
/// A start of the app may put it right, so what the next one leaves is judged. A file whose contents
/// are elsewhere by then, as after the first of two renames, has lost nothing. What the app's step itself
/// removes was to go, unless the activity would have saved the same elsewhere. A database that was written
/// in place, or replaced by another one, is SQLite's to fix; one that was removed is not.
struct TornSaveRule: Rule {
  let name = "torn-save"
  let sources: [SystemProfile.Source] = [.appleAppGuide, .swiftFoundation]
  var consequence: String? { "the user loses '{path}'" }
  var subject: RuleSubject { .lossByKill }

  /// What the user's files held since the system last acted, and the damage of a kill.
  struct Memory: Hashable {
    /// What the steps that ran to their end left of each file that was changed or removed, the latest
    /// last.
    fileprivate var versions: [ContainerPath: Versions] = [:]
    /// What was moved or copied since then, the latest last.
    fileprivate var moves: [Move] = []
    /// The files that a kill has damaged, until the next start of the app is over.
    fileprivate var damages: [ContainerPath: Damage] = [:]
    fileprivate var recovery = Recovery.awaited
  }

  /// How far an app has come that may put right what a kill has damaged.
  fileprivate enum Recovery: Hashable {
    case awaited
    /// The app has started since.
    case begun
    /// The app's own check has passed after that start.
    case checked
  }

  /// What a file held, the latest last. A run may save a file at each step, and exploration keeps what is
  /// remembered after each: copies share their elements, and a hash takes the last one only.
  fileprivate struct Versions: Hashable {
    private(set) var all: ChunkedArray<UserFiles.Version>
    /// Whether the app has removed the file since, and not made it anew.
    var isUnlinked = false
    var latest: UserFiles.Version? { all.last }

    init(_ version: UserFiles.Version?) {
      all = ChunkedArray([version].compactMap(\.self))
    }

    mutating func add(_ version: UserFiles.Version) {
      all.insert(version, at: all.count)
      if version.information.size > 0 { isUnlinked = false }
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(all.count)
      hasher.combine(latest)
    }
  }

  fileprivate struct Move: Hashable {
    let source: ContainerPath
    let destination: ContainerPath
  }

  /// A file that was whole before the app was killed.
  fileprivate struct Damage: Hashable {
    let step: Scenario.StepReference
    let point: Scenario.KillPoint
    let versions: Versions
    let wasThere: Bool
    /// Whether the whole activity would have had the contents elsewhere.
    let wasToMove: Bool
    let intent: Intent
    var words: String
  }

  /// What the whole step would have made of a file.
  fileprivate enum Intent: Hashable {
    case unknown
    case removal
    case contents(UserFiles.Version)
  }

  package func memory(at start: RunStart) -> Memory { Memory() }

  func observe(_ event: ObservedEvent, _ memory: inout Memory, _ report: inout RuleReport) {
    guard event.scenario.files != nil else { return }
    if case .checkPassed = event.event, memory.recovery == .begun { memory.recovery = .checked }
    if memory.recovery != .awaited, !event.isOfStart || event.isEnd {
      settle(event.before, on: event.profile, &memory, &report)
    }
    switch event.event {
    case .changes: follow(event, &memory)
    case .killed(let kill):
      settle(event.tree, on: event.profile, &memory, &report)
      damage(by: kill, event, &memory)
      memory.versions = [:]
    case .launch:
      if memory.recovery == .awaited, !memory.damages.isEmpty { memory.recovery = .begun }
    case nil: settle(event.before, on: event.profile, &memory, &report)
    default: if event.checkpoint != nil { (memory.versions, memory.moves) = ([:], []) }
    }
  }

  private func follow(_ event: ObservedEvent, _ memory: inout Memory) {
    func note(_ path: ContainerPath) {
      guard memory.versions[path] == nil, event.promisedClass(of: path) == .critical,
        !event.facts.databases.isBeside(path),
        !SystemProfile.RemnantPattern.atomicSave.matches(path)
      else { return }
      memory.versions[path] = Versions(event.before.version(at: path))
    }
    event.tree.forEachFile(
      changedSince: event.before, in: event.event?.touchedPaths ?? []
    ) { path, _, isNow in
      if !isNow { note(path) }
    }
    // What is written over with as many bytes is no difference between trees.
    for change in event.changes {
      switch change {
      case .savedInPlace(let path) where event.before.file(at: path) != nil: note(path)
      case .moved(let source, to: let path), .copied(let source, to: let path):
        memory.moves.append(Move(source: source, destination: path))
      case .removed(let path):
        for found in event.before.paths(from: path) { memory.versions[found]?.isUnlinked = true }
      // A database that takes another's place is not empty.
      case .replaced(let path) where event.tree[path]?.size == 0:
        memory.versions[path]?.isUnlinked = true
      default: break
      }
    }
    guard !event.isOfKilledStep, !memory.versions.isEmpty else { return }
    for path in event.event?.touchedPaths ?? [] {
      event.tree[path]?.walk(at: path) { found, _ in
        if memory.versions[found] != nil, let version = event.tree.version(at: found) {
          memory.versions[found]?.add(version)
        }
        return true
      }
    }
  }

  private func damage(
    by kill: Transcript.Event.Kill, _ event: ObservedEvent, _ memory: inout Memory
  ) {
    let whole = event.facts.treeBeforeKilledStep ?? event.before
    let toCome =
      memory.versions.isEmpty ? [] : kill.versionsToCome(after: event.tree, on: event.profile)
    // Whether steps in front of the one in which the app was killed belong to the activity.
    let hasBegun: Bool =
      switch event.step.number {
      case .step(let number): kill.steps.lowerBound < number
      case .launch(let number): number > 1
      default: false
      }
    lazy var older = event.lastingVersions(before: kill.steps.lowerBound)
    for (path, versions) in memory.versions where !event.facts.remnants.contains(path) {
      guard let latest = versions.latest,
        !event.canBeRepaired(path, latest, wasUnlinked: versions.isUnlinked)
      else { continue }
      let wasThere = whole.version(at: path) != nil
      // What an earlier activity had removed, this one has not.
      guard wasThere || hasBegun else { continue }
      let intent = TornSaveRule.Intent(of: kill, at: path)
      // A file that was there before takes its place, as when a log becomes the one before it.
      if case .contents(let version) = intent, version.canBeFollowed, older.contains(version) {
        continue
      }
      var damage = Damage(
        step: event.step, point: kill.point, versions: versions,
        wasThere: wasThere,
        wasToMove: latest.canBeFollowed && toCome.contains(latest), intent: intent, words: "")
      guard let words = damage.words(in: event.tree, at: path, memory.moves, on: event.profile)
      else { continue }
      damage.words = words
      memory.damages[path] = damage
    }
  }

  private func settle(
    _ tree: FileTree, on profile: SystemProfile, _ memory: inout Memory, _ report: inout RuleReport
  ) {
    guard !memory.damages.isEmpty else { return }
    for (path, damage) in memory.damages.sorted(by: { $0.key.precedesInWalk($1.key) }) {
      let words =
        memory.recovery != .awaited
        ? damage.words(in: tree, at: path, memory.moves, on: profile) : damage.words
      guard let words else { continue }
      // The app may tell by itself what of the file is whole, as by checksums.
      let isAccepted = memory.recovery == .checked && tree.contains(path)
      report.add(
        self, severity: isAccepted ? .warning : severity, at: damage.step, on: path,
        "'\(path)' is the user's own; \(damage.point.clause), and now the file "
          + words + (isAccepted ? ", but the app's check passes" : ""),
        advice: .text(
          isAccepted
            ? "make sure that the app's check examines the contents of this file; if it does, "
              + "nothing was lost"
            : damage.wasToMove
              ? "save the contents under the new name first, and remove the old file only after "
                + "that"
              : "save it atomically, so that either the old file or the new one exists; if "
                + "saving takes several steps, work on a copy that replaces the file at the end"))
    }
    memory.damages = [:]
    memory.recovery = .awaited
  }
}

extension TornSaveRule.Intent {
  fileprivate init(of kill: Transcript.Event.Kill, at path: ContainerPath) {
    self =
      if let whole = kill.whole {
        whole.version(at: path).map(Self.contents) ?? .removal
      } else {
        .unknown
      }
  }
}

extension TornSaveRule.Damage {
  /// What became of the file, as the end of a sentence; nil if it is as before, or as it was to be, or if
  /// what it held is elsewhere.
  fileprivate func words(
    in now: FileTree, at path: ContainerPath, _ moves: [TornSaveRule.Move],
    on profile: SystemProfile
  ) -> String? {
    guard let latest = versions.latest else { return nil }
    let words: String
    if let found = now.file(at: path) {
      // That it was empty once is no version to go back to.
      var known = versions.all.filter { $0 == latest || $0.information.size > 0 }
        .map(\.information)
      var isBetween = false
      if case .contents(let target) = intent {
        known.append(target.information)
        // What varies between runs, such as a date or the order of keys, may differ, but not by much.
        if found.words?.isEmpty == false, found.words == target.information.words,
          abs(found.size - target.information.size) <= 32
        {
          return nil
        }
        let sizes = latest.information.size...max(latest.information.size, target.information.size)
        isBetween = sizes.contains(found.size)
      }
      // It may have been cut short while it grew.
      let isKnown = found.contents.isKnown && latest.contents.isKnown
      guard !known.contains(where: found.mayHoldTheSame),
        !(isBetween && (found.isGrown || !isKnown))
      else { return nil }
      words =
        "has \(found.size.formattedSize), neither its old contents nor its new ones"
    } else {
      let wasToStay = intent == .unknown ? wasThere : intent != .removal
      guard wasToStay || wasToMove else { return nil }
      if latest.canBeFollowed, now.lastingVersions(on: profile).contains(latest) { return nil }
      words = "is missing"
    }
    let place = moves.reduce(path) { $0.moved(from: $1.source, to: $1.destination) ?? $0 }
    let isElsewhere =
      place != path && !profile.mayPurge(place) && now.version(at: place) == latest
    return isElsewhere ? nil : words
  }
}

extension Transcript.Event.Kill {
  /// What the rest of the activity would have written, moved or copied.
  func versionsToCome(
    after tree: FileTree, on profile: SystemProfile
  ) -> Set<UserFiles.Version> {
    var versions: Set<UserFiles.Version> = []
    activity?.forEachFile(changedSince: tree) { path, _, isNow in
      // What an earlier kill has left of a save is not written by this activity.
      if isNow, !profile.mayPurge(path),
        !SystemProfile.RemnantPattern.atomicSave.matches(path),
        let version = activity?.version(at: path)
      {
        versions.insert(version)
      }
    }
    return versions
  }
}

extension ObservedEvent {
  /// Whether a library repairs a file that a kill has left: a database that the app wrote in place, or
  /// that another one replaced.
  fileprivate func canBeRepaired(
    _ path: ContainerPath, _ version: UserFiles.Version, wasUnlinked: Bool
  ) -> Bool {
    tree.file(at: path) != nil && !wasUnlinked
      && facts.databases.holds(path, version.information)
  }

  /// What the files hold that the system does not purge, and that were where they are before a step.
  fileprivate func lastingVersions(before number: Int) -> Set<UserFiles.Version> {
    tree.lastingVersions(on: profile) { path in
      if facts.remnants.contains(path) { return false }
      guard case .step(let origin)? = facts.ledger.origin(of: path)?.number else { return true }
      return origin < number
    }
  }
}
