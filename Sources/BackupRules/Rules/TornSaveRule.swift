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
/// A start of the app may put it right, so what the next one leaves is judged. What the app's step
/// itself removes, or moves, was to go. A database is SQLite's to mend.
struct TornSaveRule: Rule {
  let name = "torn-save"
  let severity = Scenario.Severity.error
  let summary = "a critical file that is gone or in pieces after the app was killed"
  let subjects: [SystemProfile.Subject] = [.ending]
  let sources: [SystemProfile.Source] = [.appleAppGuide, .swiftFoundation]

  /// What the user's files held since the system last acted, and the damage of a kill.
  struct Memory: Hashable {
    /// What the steps that ran to their end left of each file that was changed or removed, the latest
    /// last.
    fileprivate var versions: [ContainerPath: [UserFiles.Version]] = [:]
    /// The files that a kill has damaged, until the next start of the app is over.
    fileprivate var damages: [ContainerPath: Damage] = [:]
    /// Whether the app has started since, and may put them right.
    fileprivate var isStarted = false
  }

  /// A file that was whole before the app was killed.
  fileprivate struct Damage: Hashable {
    let step: Scenario.StepReference
    let point: Scenario.KillPoint
    let versions: [UserFiles.Version]
    let wasThere: Bool
    /// What the whole step would have made of it; nil where that is not known.
    let wanted: Wanted?
    /// What became of it.
    var words: String
  }

  /// What a whole step makes of a file.
  fileprivate enum Wanted: Hashable {
    case file(UserFiles.Version)
    case nothing
  }

  package func memory(at start: RunStart) -> Memory { Memory() }

  func observe(_ event: ObservedEvent, _ memory: inout Memory, _ report: inout Report) {
    guard event.scenario.files != nil else { return }
    if memory.isStarted, !event.isOfStart || event.isEnd { settle(event.before, &memory, &report) }
    switch event.event {
    case .changes: follow(event, &memory)
    case .killed(let kill):
      settle(event.tree, &memory, &report)
      damage(by: kill, event, &memory)
      memory.versions = [:]
    case .launch: memory.isStarted = !memory.damages.isEmpty
    case nil: settle(event.before, &memory, &report)
    default: if event.checkpoint != nil { memory.versions = [:] }
    }
  }

  /// Notes what the files held that the app has changed.
  private func follow(_ event: ObservedEvent, _ memory: inout Memory) {
    event.tree.forEachFile(
      changedSince: event.before, in: (event.event?.touchedPaths ?? []).topmost
    ) { path, _, isNow in
      guard !isNow, !path.name.isDatabaseSibling, event.promisedClass(of: path) == .critical,
        memory.versions[path] == nil
      else { return }
      memory.versions[path] = [event.before.version(at: path)].compactMap(\.self)
    }
    guard !event.isOfKilledStep, !memory.versions.isEmpty else { return }
    for path in event.event?.touchedPaths ?? [] {
      event.tree[path]?.walk(at: path) { found, _ in
        if memory.versions[found] != nil, let version = event.tree.version(at: found) {
          memory.versions[found]?.append(version)
        }
        return true
      }
    }
  }

  /// Notes what a kill has made of the files that were changed before it.
  private func damage(
    by kill: Transcript.Event.Kill, _ event: ObservedEvent, _ memory: inout Memory
  ) {
    let whole = event.facts.treeBeforeKilledStep ?? event.before
    for (path, versions) in memory.versions where !event.facts.remnants.contains(path) {
      guard versions.last?.information.isDatabase == false else { continue }
      var damage = Damage(
        step: event.step, point: kill.point, versions: versions,
        wasThere: whole.version(at: path) != nil, wanted: wanted(of: kill, at: path), words: "")
      guard let words = damage.words(in: event.tree, at: path) else { continue }
      damage.words = words
      memory.damages[path] = damage
    }
  }

  private func wanted(of kill: Transcript.Event.Kill, at path: ContainerPath) -> Wanted? {
    guard let whole = kill.whole else { return nil }
    guard let version = whole.version(at: path) else { return .nothing }
    return .file(version)
  }

  /// Reports what the app's start has not put right.
  private func settle(_ tree: FileTree, _ memory: inout Memory, _ report: inout Report) {
    guard !memory.damages.isEmpty else { return }
    for (path, damage) in memory.damages.sorted(by: { $0.key.precedesInWalk($1.key) }) {
      let words = memory.isStarted ? damage.words(in: tree, at: path) : damage.words
      guard let words else { continue }
      report.add(
        self, at: damage.step, on: path,
        "'\(path)' is the user's own, and the app was killed before it \(damage.point.inPast): now it "
          + words,
        advice: .text(
          "save it atomically, which leaves either the old file or the new one; what takes "
            + "several steps, in a copy that takes its place in the end"))
    }
    memory.damages = [:]
    memory.isStarted = false
  }
}

extension TornSaveRule.Damage {
  /// What became of the file, as the end of a sentence; nil if it is as before, or as it was to be.
  fileprivate func words(in now: FileTree, at path: ContainerPath) -> String? {
    guard let latest = versions.last?.information else { return nil }
    var target: FileTree.FileInformation?
    if case .file(let version) = wanted { target = version.information }
    guard let found = now.file(at: path) else {
      let wasToGo = wanted == nil ? !wasThere : wanted == .nothing
      return wasToGo ? nil : "is gone"
    }
    let known = versions.map(\.information) + [target].compactMap(\.self)
    let isBetween = target.map { latest.size <= found.size && found.size <= $0.size } ?? false
    guard !known.contains(where: found.mayHoldTheSame), !isBetween else { return nil }
    return "holds \(Int(found.size).counted("byte")), neither what it held nor what it was to hold"
  }
}

extension FileTree {
  /// What a file holds; nil if there is none.
  fileprivate func version(at path: ContainerPath) -> UserFiles.Version? {
    file(at: path).map(UserFiles.Version.init)
  }
}
