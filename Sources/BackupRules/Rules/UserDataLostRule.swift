import BackupCollections
import BackupContainer
import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupScenarios

/// The user's data, which is not there any more although the user has not deleted it.
///
/// The system ends apps when it likes, between any two changes to the file system, and takes what it may take.
/// An app then finds what it does not expect: half a save, half a migration, no index. What it leaves is compared
/// with what it would have left without the interruption, value by value, wherever a value is now.
///
/// *An activity in which the app was killed, and that is not done again*: each value that the app has both with the
/// activity and without it must be there. What the activity takes away may be gone only if all that it writes is
/// there. *One that is done again*: the end must be as if it was done once, or twice. *A start that nothing
/// interrupted*: each value that the user saved must be there. After an update it may be in another format, and an
/// app may clear up, so a start that also writes something of the user's is only in doubt.
struct UserDataLostRule: Rule {
  let name = "user-data-lost"
  let sources: [SystemProfile.Source] = [.appleAppGuide, .observed, .swiftFoundation]
  func codeToBlame(for severity: Scenario.Severity) -> CodeToBlame { .call(.removal) }
  var suspectedCalls: [ChangeCall.Kind] { [.removal] }
  var namesKill: Bool { true }
  var consequence: String? { "the user loses data in '{path}'" }
  var subject: RuleSubject { .lossByKill }

  struct Memory: Hashable {
    /// The activity in which the app was killed, until it is judged.
    fileprivate var interruption: Interruption?
    /// The changes of the killed step until the kill.
    fileprivate var changesOfKilledStep = Changes()
    /// The start that is going on, until it is judged.
    fileprivate var start: Start?
    /// What is lost, until the system acts.
    fileprivate var losses: [ContainerPath: Loss] = [:]
    /// What has happened to the app since its last start.
    fileprivate var sinceStart: Circumstances = []
    /// What may have happened since a backup was taken.
    fileprivate var sinceBackup: Circumstances = []
    /// The first contents of files that starts made: the user has not saved them.
    fileprivate var firstContents: [ContainerPath: ContentsVersion] = [:]
  }

  /// What an app may find changed when it starts.
  fileprivate struct Circumstances: OptionSet, Hashable {
    let rawValue: UInt8

    /// The app has another version, or runs under another system.
    static let update = Circumstances(rawValue: 1)
    /// The app finds what a backup had.
    static let restore = Circumstances(rawValue: 2)
    /// The device is locked.
    static let lock = Circumstances(rawValue: 4)
  }

  fileprivate struct Interruption: Hashable {
    var point: Scenario.KillPoint
    let step: Scenario.StepReference
    let activity: InterruptedActivity
    let isOfExtension: Bool
    var stage = Stage.interrupted
    /// The changes of the interrupted step. `changes` has the later ones.
    let changesOfStep: Changes
    var changes = Changes()
    /// Whether the app's own check has passed since.
    var isChecked = false

    enum Stage: Hashable {
      case interrupted
      /// The app has started since.
      case started
      /// The app does the activity again.
      case repeated
    }
  }

  /// A start of the app, or the time from which it takes locked files for missing until the system acts.
  fileprivate struct Start: Hashable {
    let before: FileTree
    var circumstances: Circumstances
    /// The files that the app has taken for missing; nil for a start.
    var taken: Set<ContainerPath>?
    var changes = Changes()
  }

  /// The app's changes of files.
  fileprivate struct Changes: Hashable {
    /// The files that were changed or removed, each with the step that did it last.
    private(set) var steps: [ContainerPath: Scenario.StepReference] = [:]
    /// The files that were removed, be there others by now or not.
    private(set) var removed: Set<ContainerPath> = []

    mutating func note(_ event: ObservedEvent) {
      for path in event.event?.touchedPaths ?? [] {
        for tree in [event.before, event.tree] {
          for found in tree.paths(from: path) { steps[found] = event.step }
        }
      }
      for case .removed(let path) in event.changes {
        removed.formUnion(event.before.paths(from: path))
      }
    }
  }

  /// Values of the user's that the app has taken away.
  fileprivate struct Loss: Hashable {
    let step: Scenario.StepReference
    let values: UserValues
    let cause: Cause
    let isInDoubt: Bool
    var isAccepted = false

    enum Cause: Hashable {
      case kill(Scenario.KillPoint)
      /// The app has taken it away after the kill, with or without a repetition.
      case afterKill(Scenario.KillPoint, isRepetition: Bool)
      case start(after: FileTree)
      /// The app has created a file again that it could not read.
      case lock(after: FileTree)

      /// The container before a start or a lock; nil for a kill.
      fileprivate var before: FileTree? {
        switch self {
        case .start(after: let tree), .lock(after: let tree): tree
        case .kill, .afterKill: nil
        }
      }
    }
  }

  package func memory(at start: RunStart) -> Memory {
    // What was captured may be of any version.
    Memory(sinceStart: start.scenario.start == nil ? [] : .update)
  }

  func observe(_ event: ObservedEvent, _ memory: inout Memory, _ report: inout RuleReport) {
    guard event.scenario.files != nil else { return }
    if !memory.isInStart(event) || event.isEnd { judgeStart(event, &memory) }
    if !event.isCheck { judgeInterruption(event, &memory, &report) }
    if event.checkpoint != nil { self.report(event, &memory, &report) }
    follow(event, &memory)
  }

  private func follow(_ event: ObservedEvent, _ memory: inout Memory) {
    switch event.event {
    case .launch where !event.isOfKilledStep:
      memory.interruption?.start()
      memory.start = Start(before: event.tree, circumstances: memory.sinceStart)
      memory.sinceStart = []
    case .changes:
      memory.interruption?.changes.note(event)
      if memory.isInStart(event) { memory.start?.changes.note(event) }
      if event.isOfKilledStep { memory.changesOfKilledStep.note(event) }
    case .lockedTakenForMissing(let path):
      if memory.start == nil {
        memory.start = Start(before: event.tree, circumstances: .lock, taken: [])
      }
      memory.start?.circumstances = .lock
      memory.start?.taken?.insert(path)
    case .checkPassed: memory.interruption?.isChecked = true
    case .killed(let kill):
      memory.start = nil
      memory.note(kill, event)
      memory.changesOfKilledStep = Changes()
    case .system(let system, lost: _): memory.note(system)
    default: break
    }
  }

  /// Judges a start that is over and that comes after no interruption.
  private func judgeStart(_ event: ObservedEvent, _ memory: inout Memory) {
    guard let start = memory.start else { return }
    memory.start = nil
    guard !start.changes.steps.isEmpty else { return }
    let (facts, reader) = (ValueFacts(event), ValueReader())
    let saved = event.facts.files.saved
    // A start may have given a file another name since it was saved.
    let versions = Set(saved.elements.map(\.value))
    var (required, hasWritten) = (UserValues(), false)
    for path in start.changes.steps.keys.sorted()
    where start.taken?.contains(path) != false && event.promisedClass(of: path) == .critical
      && facts.lasts(path)
    {
      let file = start.before.file(at: path)
      let (former, now) = (file.map(ContentsVersion.init), event.before.version(at: path))
      if let file, let former, saved[path] != nil || versions.contains(former) {
        required.add(file, at: path, facts, reader)
      } else if former == nil, let now, saved.isEmpty {
        memory.firstContents[path] = now
      }
      if let now, now.size > 0, now != memory.firstContents[path], now != former {
        hasWritten = true
      }
    }
    guard memory.interruption == nil, !required.isEmpty else { return }
    let held = HeldValues(event.before, facts, reader)
    let missing = required.missing(in: held, orUnderOtherKeysThanIn: start.before)
    // Only a restore and a lock are certain to keep what the app has left, and its format.
    let isDisturbed = [.restore, .lock].contains(start.circumstances)
    for (path, values) in missing.byPath {
      memory.losses[path] = Loss(
        step: start.changes.steps[path] ?? event.step, values: values,
        cause: start.circumstances == .lock
          ? .lock(after: start.before) : .start(after: start.before),
        isInDoubt: hasWritten && !isDisturbed)
    }
  }

  /// Judges an activity that was interrupted: when the app has come as far as it does by itself, and when it has
  /// done the activity again.
  private func judgeInterruption(
    _ event: ObservedEvent, _ memory: inout Memory, _ report: inout RuleReport
  ) {
    guard let interruption = memory.interruption else { return }
    let isRepetition = interruption.repeats(event)
    guard isRepetition || interruption.isOver(at: event) else { return }
    if isRepetition, interruption.stage == .repeated { return }
    let missing = interruption.missing(event)
    // What an app puts right at its start, an extension does not wait for.
    let awaitsStart = interruption.stage == .interrupted && !interruption.isOfExtension
    if !missing.isEmpty, event.isOfExtension, awaitsStart { return }
    memory.interruption?.stage = .repeated
    if !missing.isEmpty || !isRepetition { memory.interruption = nil }
    for (path, values) in missing.byPath {
      let later = interruption.changes.steps[path]
      let isRepetition = interruption.stage == .repeated
      memory.losses[path] = Loss(
        step: later ?? interruption.changesOfStep.steps[path] ?? interruption.step, values: values,
        cause: later == nil && !isRepetition
          ? .kill(interruption.point)
          : .afterKill(interruption.point, isRepetition: isRepetition),
        isInDoubt: false)
    }
    if interruption.isChecked {
      for path in memory.losses.keys where event.before.contains(path) {
        memory.losses[path]?.isAccepted = true
      }
    }
    self.report(event, &memory, &report)
  }

  private func report(_ event: ObservedEvent, _ memory: inout Memory, _ report: inout RuleReport) {
    guard !memory.losses.isEmpty else { return }
    let held = HeldValues(event.before, ValueFacts(event), ValueReader())
    for (path, loss) in memory.losses.sorted(by: { $0.key.precedesInWalk($1.key) }) {
      // A start's loss counts only if the app has not saved it again.
      if let former = loss.cause.before,
        loss.values.missing(in: held, orUnderOtherKeysThanIn: former).isEmpty
      {
        continue
      }
      let file = event.before.file(at: path)
      let severity: Scenario.Severity = loss.isInDoubt || loss.isAccepted ? .warning : .error
      report.add(
        self, severity: severity, at: loss.step, on: path, identity: .item,
        loss.message(path, file), advice: .text(loss.advice(isThere: file != nil)),
        shown: loss.shown)
    }
    memory.losses = [:]
  }
}

extension UserDataLostRule.Interruption {
  /// Whether an event belongs to the activity, done again.
  func repeats(_ event: ObservedEvent) -> Bool {
    guard !event.isOfStart, event.checkpoint == nil,
      case .step(let number)? = event.entry?.step.number
    else { return false }
    if case .launch? = event.event { return false }
    return activity.steps.contains(number)
  }

  /// Whether an event shows that the app has come as far as it does by itself.
  func isOver(at event: ObservedEvent) -> Bool {
    if event.isEnd { return true }
    // If the app is killed again meanwhile, that is what it goes on from.
    if case .killed? = event.event { return stage == .started && !event.isOfStart }
    if event.isOfStart { return false }
    if case .launch? = event.event { return stage == .repeated && !activity.isStart }
    return event.checkpoint == nil || stage != .interrupted
  }

  /// The missing values at the current stage.
  fileprivate func missing(_ event: ObservedEvent) -> UserValues {
    let facts = ValueFacts(event)
    var reader = ValueReader()
    if let other = activity.otherRun { reader.compare(activity.whole.with, other, facts) }
    // SQLite puts right what a kill leaves of a database, unless the app has removed it.
    let former = activity.whole.without
    let paths = activity.filesNotShared(with: event.before)
    let held = HeldValues(event.before, at: paths, facts, reader) { path in
      let isDatabase = former.file(at: path).map { facts.databases.contains(path, $0) } ?? false
      return isDatabase && stage != .repeated && !changesOfStep.removed.contains(path)
        && !changes.removed.contains(path)
    }
    let ordered = paths.sorted { $0.precedesInWalk($1) }
    func values(_ tree: FileTree) -> UserValues {
      UserValues(tree, at: ordered, facts, reader)
    }
    let missing: UserValues
    if stage == .repeated, !event.isAfterFailure {
      missing = values(activity.repeated.first ?? activity.whole.with)
        .missing(in: held, orElse: activity.repeated.dropFirst().map(values))
    } else {
      let pairs = stage == .interrupted ? [activity.whole] : activity.started
      let found = pairs.map {
        values($0.without).lost(in: held, whole: values($0.with))
      }
      missing = found.min { $0.counts.count < $1.counts.count } ?? UserValues()
    }
    guard !missing.isEmpty else { return missing }
    let before = values(former)
    // What the user had is named rather than what the activity would have made of it.
    let had = before.subtracting(values(activity.whole.with)).missing(in: held)
    let named = missing.named(by: before)
    let isHad = stage != .repeated && named.paths.allSatisfy(former.contains)
    return isHad || had.isEmpty ? named : had
  }

  /// Notes a kill within the repetition, or within the start before it; returns false for any other kill.
  fileprivate mutating func interruptAgain(
    at point: Scenario.KillPoint, _ event: ObservedEvent
  ) -> Bool {
    guard event.isOfStart ? stage != .interrupted : stage == .repeated && repeats(event) else {
      return false
    }
    (self.point, stage) = (point, .interrupted)
    return true
  }

  mutating func start() {
    if stage == .interrupted { stage = activity.isStart ? .repeated : .started }
  }
}

extension UserDataLostRule.Memory {
  /// Whether an event belongs to the start that is going on, or to the time that is judged as one.
  func isInStart(_ event: ObservedEvent) -> Bool {
    if event.isOfStart { return true }
    if case .launch? = event.event { return false }
    return start?.taken != nil && event.entry != nil && event.event?.system == nil
  }

  fileprivate mutating func note(_ kill: Transcript.Event.Kill, _ event: ObservedEvent) {
    // If a repetition is cut short, what it repeats is still to be done.
    if interruption?.interruptAgain(at: kill.point, event) == true { return }
    interruption = kill.activity.map { activity in
      UserDataLostRule.Interruption(
        point: kill.point, step: event.step, activity: activity,
        isOfExtension: event.isOfExtension, changesOfStep: changesOfKilledStep)
    }
  }

  fileprivate mutating func note(_ system: Transcript.SystemEvent) {
    switch system {
    case .backup, .place: return
    case .appUpdate, .systemUpdate:
      sinceStart.insert(.update)
      sinceBackup.insert(.update)
    case .restore:
      sinceStart = sinceBackup.union(.restore)
      interruption = nil
    case .reinstall: interruption = nil
    case .purge, .offload, .lock: break
    }
  }
}

extension UserDataLostRule.Loss {
  fileprivate var shown: Scenario.Finding.Shown {
    switch cause {
    case .start, .lock: .byStart
    case .kill, .afterKill: .byRun
    }
  }

  fileprivate func message(_ path: ContainerPath, _ file: FileTree.FileInformation?) -> String {
    let state =
      switch file?.size {
      case nil: "is missing"
      case 0?: "is empty"
      case let size?: "has \(size.formattedSize), without this data"
      }
    if isInDoubt {
      return "'\(path)' is the user's own, and the app "
        + (file == nil ? "removed it" : "wrote over it")
        + " at its start and wrote other data; the kit cannot tell whether the user's data is in it"
    }
    if case .lock = cause {
      return
        "while the device was locked, the app took '\(path)' for missing and created it again: no file "
        + "contains the data that the user saved in it, and the file \(state)"
    }
    let event =
      switch cause {
      case .kill(let point): point.clause
      case .afterKill(let point, isRepetition: true): "\(point.clause), and then repeated the step"
      case .afterKill(let point, isRepetition: false): "\(point.clause), and then started again"
      case .start, .lock: "the app started"
      }
    return
      "after \(event), no file contains the data that the user saved in '\(path)': the file \(state)"
      + (isAccepted ? ", but the app's check passes" : "")
  }

  fileprivate func advice(isThere: Bool) -> String {
    if isAccepted {
      return
        "make sure that the app's check examines the contents of this file; if it does, nothing was lost"
    }
    if isInDoubt {
      return
        "if the new data contains the user's data, name this finding in 'expect'; if not, never delete the user's own "
        + "files, and move unreadable ones aside"
    }
    switch cause {
    case .kill(let point) where point.isStorageFull:
      return
        "remove or replace the user's data only after the new contents are written without an error: a write may "
        + "fail because the storage is full"
    case .kill:
      return
        "save it atomically, so that either the old file or the new one exists; if saving takes several steps, "
        + "write the new files first, and remove the old ones only after that"
    case .afterKill:
      return
        "if the work takes several steps, create the result under a temporary name, rename it at the end, and remove the "
        + "original only after that; at its next start, the app must complete an interrupted attempt"
    case .lock:
      return
        "create the file only if it does not exist; if the app cannot read it, wait until "
        + "'isProtectedDataAvailable' is true"
    case .start:
      let advice =
        "never delete the user's own files, even if other files are missing; move unreadable ones aside"
      return isThere
        ? "\(advice), and check whether a file exists before the app writes its first one"
        : advice
          + "; if the app is meant to delete it, as in a bin or an outbox, give that folder another class in 'files', "
          + "such as \"support\", and exclude it from backups, or name this finding in 'expect'"
    }
  }
}

extension ObservedEvent {
  /// Whether the app's own check has run, which comes after a start.
  fileprivate var isCheck: Bool {
    switch event {
    case .checkPassed, .checkFailed: true
    default: false
    }
  }
}
