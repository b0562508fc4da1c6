import BackupCollections
import BackupContainer
import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupScenarios

/// What the user made, still there when the app ended, and then taken away by the app itself.
///
/// After a kill, a purge, an update or on a new device an app finds what it does not expect: half a
/// migration, two files that disagree, no index. One that clears up what it finds, or begins again, may
/// take the user's data for what it made itself. Contents are followed by their bytes: they may be at any
/// path that the system does not purge. What code rewrites is followed by its words, if it has any.
///
/// Two moments are looked at: the end of each start, and the end of an activity that was interrupted and
/// is done again. What is lost there, and not saved again by the time the system acts, is reported. What a
/// step of the app's removes otherwise is the user's doing. A kill knows what the whole activity would have
/// made of the user's files: when it is done again, what it was to keep of them must be there. Libraries
/// rewrite databases in place, and compact them into another file that replaces the old one; but they
/// remove none.
struct UserDataLostRule: Rule {
  let name = "user-data-lost"
  let sources: [SystemProfile.Source] = [.appleAppGuide, .observed]
  var suspectedCalls: [ChangeCall.Kind] { [.removal] }
  var consequence: String? { "the user loses '{path}'" }
  var subject: RuleSubject { .lossByKill }

  struct Memory: Hashable {
    /// What the files held that the app has changed, until that is judged.
    fileprivate var former: [ContainerPath: Former] = [:]
    /// The files of any class that a start has written, until that is judged.
    fileprivate var written: Set<ContainerPath> = []
    /// When the app has changed them.
    fileprivate var moment = Moment.step
    /// What is lost, until the system acts.
    fileprivate var losses: [ContainerPath: UnreportedLoss] = [:]
    /// The activity that was interrupted, until it was done again.
    fileprivate var interrupted: Interrupted?
    /// What has happened to the app since its last start.
    fileprivate var sinceStart: Circumstances = []
    /// What had happened to it before its last start.
    fileprivate var beforeStart: Circumstances = []
    /// What may have happened since a backup was taken.
    fileprivate var sinceBackup: Circumstances = []
  }

  /// What an app may find changed when it starts.
  fileprivate struct Circumstances: OptionSet, Hashable {
    let rawValue: UInt8

    /// The app has another version, or runs under another system.
    static let update = Circumstances(rawValue: 1)
    /// The system did something after which an app may find what it does not expect.
    static let disturbance = Circumstances(rawValue: 2)
  }

  /// When the app changes files.
  fileprivate enum Moment: Hashable {
    case start
    case step
  }

  /// A file before the app changed it.
  fileprivate struct Former: Hashable {
    let step: Scenario.StepReference
    /// What it held; nil if it was not there.
    let version: UserFiles.Version?
    /// Whether that is the user's, and not something that a start has written.
    let isOwn: Bool
    var change = Change.inPlace
  }

  /// How the app changed a file.
  fileprivate enum Change: Hashable {
    case inPlace
    /// Another file has taken its place.
    case replaced
    /// It was removed; another file may have been made at its path since.
    case removed
  }

  /// What the app has taken away.
  fileprivate struct UnreportedLoss: Hashable {
    let former: Former
    let moment: Moment
    /// What the file holds instead, in bytes; nil if it is gone.
    let size: Int64?
    /// Whether the interrupted activity was to keep in another form what is nowhere now.
    let isHalfConverted: Bool
    /// Whether the app may have kept it in another form: an error, if it has not.
    let doubt: Doubt?
    /// The kill that came before.
    let point: Scenario.KillPoint?
  }

  /// Why a start may be right that takes the user's data away.
  fileprivate enum Doubt: Hashable {
    /// At least half of the words are in what it wrote.
    case keepsWords
    /// Nothing had happened to the app, and the start wrote other files.
    case isOrdinary
    /// A database took the place of a larger one, as when it is compacted.
    case isCompacted

    var severity: Scenario.Severity { self == .keepsWords ? .advice : .warning }
  }

  /// An activity in which the app was killed.
  fileprivate struct Interrupted: Hashable {
    let point: Scenario.KillPoint
    /// The number of the last step that belongs to it, or does it again.
    var lastStep: Int
    /// What the files held before it that it changed until the kill.
    let former: [ContainerPath: UserFiles.Version]
    /// Whether it removes nothing and writes over nothing.
    let onlyAdds: Bool
    /// The next start does again what a start does.
    let moment: Moment
    /// Whether it is being done again.
    var isRepeated = false
    /// The critical files that it was to remove or to write over.
    let filesToConvert: [ContainerPath: Former]
    /// What it was to remove or to write over.
    let contentsToDelete: Set<UserFiles.Version>
    /// What it was to write.
    let contentsToWrite: Set<UserFiles.Version>
    let contentsWritten: Set<UserFiles.Version>
    /// The critical files without words that it was to make, with their sizes.
    let filesToCreate: [ContainerPath: Int64]
  }

  package func memory(at start: RunStart) -> Memory {
    // What was captured may be of any version.
    Memory(sinceStart: start.scenario.start == nil ? [] : [.update, .disturbance])
  }

  func observe(_ event: ObservedEvent, _ memory: inout Memory, _ report: inout RuleReport) {
    guard event.scenario.files != nil else { return }
    if event.checkpoint != nil || memory.moment != event.moment {
      settle(event, &memory)
    }
    if event.isAfter(memory.interrupted) {
      settle(event, &memory)
      memory.interrupted = nil
    }
    if event.checkpoint != nil {
      self.report(event, &memory, &report)
      if memory.interrupted?.isRepeated == true { memory.interrupted = nil }
      // A later launch may still retry it.
      memory.interrupted?.lastStep = 0
    }
    switch event.event {
    case .changes
    where event.isOfStart || event.isOfKilledStep || memory.interrupted != nil:
      follow(event, &memory)
    case .launch:
      (memory.beforeStart, memory.sinceStart) = (memory.sinceStart, [])
    case .killed(let kill):
      memory.sinceStart.insert(.disturbance)
      memory.interrupted = Interrupted(kill, event, memory.former)
      memory.former = [:]
      memory.sinceStart.formUnion(memory.beforeStart.intersection(.update))
    case .system(let system, lost: _)?:
      switch system {
      case .backup, .place: return
      case .appUpdate, .systemUpdate:
        memory.sinceStart.insert(.update)
        memory.sinceBackup.insert(.update)
      case .restore:
        memory.sinceStart.remove(.update)
        memory.sinceStart.formUnion(memory.sinceBackup)
        memory.interrupted = nil
      case .reinstall: memory.interrupted = nil
      case .purge, .offload: break
      }
      if event.event?.tookNothing == false { memory.sinceStart.insert(.disturbance) }
    default: break
    }
  }

  private func follow(_ event: ObservedEvent, _ memory: inout Memory) {
    memory.moment = event.moment
    if !event.isOfStart {
      memory.interrupted?.isRepeated = true
      // Steps that only add do not lose anything when they are done again.
      if memory.interrupted?.onlyAdds == true, !event.isOfCode {
        memory.interrupted = nil
        return
      }
    } else if memory.interrupted?.moment == .start, !event.isOfKilledStep {
      memory.interrupted?.isRepeated = true
    }
    func note(_ path: ContainerPath) {
      if event.isOfStart { memory.written.insert(path) }
      guard memory.former[path] == nil else { return }
      memory.former[path] = event.former(at: path, in: event.before)
    }
    let paths = event.event?.touchedPaths ?? []
    event.tree.forEachFile(changedSince: event.before, in: paths) { path, _, _ in
      note(path)
    }
    // What is written over with as many bytes is no difference between trees.
    for path in paths where event.tree.file(at: path) != nil { note(path) }
    for change in event.changes { memory.note(change, from: event.before, to: event.tree) }
  }

  private func settle(_ event: ObservedEvent, _ memory: inout Memory) {
    defer { (memory.former, memory.written, memory.moment) = ([:], [], .step) }
    let (tree, interrupted) = (event.before, memory.interrupted)
    let filesToConvert = interrupted?.isRepeated == true ? interrupted?.filesToConvert : nil
    let databases = event.facts.databases
    var lost = memory.former.filter { $1.isMissing(in: tree, at: $0, databases, on: event.profile) }
    var halfConverted = (filesToConvert ?? [:]).filter {
      $1.isMissing(in: tree, at: $0, databases, on: event.profile)
    }
    guard !lost.isEmpty || !halfConverted.isEmpty else { return }
    let lasting = tree.lastingVersions(on: event.profile)
    let words = tree.lastingVersions(on: event.profile) { !event.facts.remnants.contains($0) }
      .reduce(into: Set<String>()) { $0.formUnion($1.words) }
    lost = lost.filter { path, former in
      guard let version = former.version, !lasting.contains(version) else { return false }
      return interrupted?.allows(version, at: path, toDeleteFrom: lasting, words) != true
    }
    halfConverted = halfConverted.filter { _, former in
      guard let version = former.version, !lasting.contains(version) else { return false }
      return interrupted?.wasToKeep(version, beside: words, in: tree) == true
    }
    let written = memory.written.filter { !event.profile.mayPurge($0) }
      .reduce(into: Set<String>()) { $0.formUnion(tree.file(at: $1)?.words ?? []) }
    memory.removeConverted(from: &lost, written, in: tree)
    for (path, former) in lost.merging(halfConverted, uniquingKeysWith: { $1 }) {
      memory.losses[path] = UnreportedLoss(
        former: former, moment: memory.moment, size: tree.file(at: path)?.size,
        isHalfConverted: halfConverted[path] != nil,
        doubt: memory.doubt(about: former, at: path, written, in: tree, databases),
        point: interrupted?.point)
    }
  }

  private func report(_ event: ObservedEvent, _ memory: inout Memory, _ report: inout RuleReport) {
    guard !memory.losses.isEmpty else { return }
    let lasting = event.before.lastingVersions(on: event.profile)
    let losses = memory.losses.filter { $1.former.version.map(lasting.contains) == false }
    // What is taken away has the same cause as what is half converted.
    let areTaken = losses.values.contains { !$0.isHalfConverted }
    for (path, loss) in losses.sorted(by: { $0.key.precedesInWalk($1.key) })
    where !(areTaken && loss.isHalfConverted) {
      let moment = loss.moment == .start ? "when it started" : "when it retried"
      let interruption =
        loss.point.map { point in
          " when "
            + (point.isStorageFull
              ? "a write failed because the storage was full" : point.clause)
        } ?? ""
      if let doubt = loss.doubt {
        report.add(
          self, severity: doubt.severity, at: loss.former.step, on: path, identity: .item,
          "'\(path)' is the user's own, and the app "
            + (loss.size.map { "shortened it to \($0.formattedSize)" } ?? "removed it")
            + " when it started, and wrote other contents: the kit cannot tell whether they keep "
            + "what the user saved",
          advice: .text(
            "check that they do; if so, name this finding in 'expect'; if not, never delete the "
              + "user's own files, and move unreadable ones aside"))
        continue
      }
      let isThere = "'\(path)' is the user's own and existed"
      let outcome = loss.size.map { "has \($0.formattedSize)" } ?? "is missing"
      report.add(
        self, at: loss.former.step, on: path, identity: .item,
        loss.isHalfConverted
          ? "\(isThere), but \(loss.point?.clause ?? "the app was killed"): now the file \(outcome), and "
            + "its contents are nowhere else (without this interruption, the app keeps them)"
          : "\(isThere)\(interruption), but the app lost it \(moment): now it \(outcome), and "
            + "its contents are nowhere else",
        advice: .text(advice(on: loss)), unless: [TornSaveRule().name])
    }
    memory.losses = [:]
  }

  private func advice(on loss: UnreportedLoss) -> String {
    if loss.isHalfConverted {
      return
        "save the new files first, each atomically, and remove the original only after that"
    }
    if loss.moment == .step || loss.point != nil {
      return
        "if it takes several steps, build the result under a temporary name, rename it at the "
        + "end, and remove the original only after that, so that an incomplete item never has "
        + "the final name"
    }
    let advice =
      "never delete the user's own files, even if other files are missing; move unreadable ones "
      + "aside"
    return loss.size != nil
      ? advice
      : advice
        + "; if the app is meant to delete it, as in a bin or an outbox, give that folder another "
        + "class in 'files', such as \"support\", and exclude it from backups, or name this "
        + "finding in 'expect'"
  }
}

extension UserDataLostRule.Former {
  /// The words of it that are in what a start wrote; one text may follow the other without a space.
  fileprivate func keptWords(in written: Set<String>) -> Set<String> {
    (version?.words ?? []).filter { word in
      written.contains(word) || written.contains { $0.contains(word) }
    }
  }

  /// Whether at least half of its words are in what a start wrote; false if it has none.
  fileprivate func keepsHalf(in written: Set<String>) -> Bool {
    guard let words = version?.words, !words.isEmpty else { return false }
    return keptWords(in: written).count * 2 >= words.count
  }

  /// Whether a file that can be followed is gone, or holds less.
  fileprivate func isMissing(
    in tree: FileTree, at path: ContainerPath, _ databases: Databases,
    on profile: SystemProfile
  ) -> Bool {
    guard isOwn, let version, version.canBeFollowed, !profile.mayPurge(path),
      !databases.isBeside(path)
    else { return false }
    guard let now = tree.file(at: path) else { return true }
    return now.size < version.information.size
      && (change != .inPlace || !databases.contains(path, version.information))
  }
}

extension UserDataLostRule.Memory {
  /// Notes how files were changed that are followed.
  fileprivate mutating func note(
    _ change: FileTree.Change, from before: FileTree, to after: FileTree
  ) {
    switch change {
    case .removed(let path):
      for found in before.paths(from: path) { former[found]?.change = .removed }
    case .replaced(let path), .moved(_, to: let path):
      if former[path]?.change == .inPlace { former[path]?.change = .replaced }
    case .created, .savedInPlace, .copied, .marked, .cleared: break
    }
  }

  /// Why a start may be right that takes a file away; nil if it is not.
  fileprivate func doubt(
    about file: UserDataLostRule.Former, at path: ContainerPath, _ written: Set<String>,
    in tree: FileTree, _ databases: Databases
  ) -> UserDataLostRule.Doubt? {
    if file.change == .replaced, let version = file.version,
      databases.contains(path, version.information), let now = tree.file(at: path), now.size > 0
    {
      return .isCompacted
    }
    guard moment == .start, interrupted == nil else { return nil }
    let wasDisturbed = beforeStart.contains(.disturbance)
    if !wasDisturbed, file.keepsHalf(in: written) { return .keepsWords }
    let hasWritten = former.contains { path, file in
      tree.version(at: path).map { $0.information.size > 0 && $0 != file.version } ?? false
    }
    return hasWritten && !wasDisturbed ? .isOrdinary : nil
  }

  /// Leaves out what a start has put into the files that it wrote: all its words are there; after an update,
  /// at least half.
  ///
  /// What has no words may be in files without words, if they have grown by a tenth of that at least, since a
  /// new format may take less. In the first start of a version files that it wrote over count too.
  fileprivate func removeConverted(
    from lost: inout [ContainerPath: UserDataLostRule.Former], _ written: Set<String>,
    in tree: FileTree
  ) {
    guard moment == .start, !lost.isEmpty else { return }
    let isUpdating = beforeStart.contains(.update)
    lost = lost.filter { _, former in
      let words = former.version?.words ?? []
      return isUpdating
        ? !former.keepsHalf(in: written)
        : words.isEmpty || former.keptWords(in: written) != words
    }
    func size(_ file: FileTree.FileInformation?) -> Double { Double(file?.size ?? 0) }
    let gone = lost.values.reduce(0) { $0 + size($1.version?.information) }
    let haveWords = lost.values.contains { $0.version?.words.isEmpty == false }
    let grown = former.reduce(0) { sum, file in
      let now = tree.file(at: file.key)
      if haveWords, now?.words?.isEmpty == false { return sum }
      return sum
        + (isUpdating ? size(now) : max(0, size(now) - size(file.value.version?.information)))
    }
    if grown > 0, grown * 10 >= gone { lost = [:] }
  }
}

extension UserDataLostRule.Interrupted {
  /// `changed` is what the files held that were changed before the kill.
  fileprivate init(
    _ kill: Transcript.Event.Kill, _ event: ObservedEvent,
    _ changed: [ContainerPath: UserDataLostRule.Former]
  ) {
    let before = event.facts.treeBeforeKilledStep ?? event.before
    var (contentsToDelete, contentsToWrite, contentsWritten):
      (Set<UserFiles.Version>, Set<UserFiles.Version>, Set<UserFiles.Version>)
    (contentsToDelete, contentsToWrite, contentsWritten) = ([], [], [])
    // What it was to leave, databases included, which are not compared otherwise.
    var contentsToKeep: Set<UserFiles.Version> = []
    var filesToConvert: [ContainerPath: UserDataLostRule.Former] = [:]
    var filesToCreate: [ContainerPath: Int64] = [:]
    if let activity = kill.activity {
      activity.forEachFile(changedSince: before) { path, _, isNow in
        guard let version = (isNow ? activity : before).version(at: path) else { return }
        if !isNow {
          contentsToDelete.insert(version)
          filesToConvert[path] = changed[path] ?? event.former(at: path, in: before)
        } else if !event.profile.mayPurge(path) {
          contentsToKeep.insert(version)
          guard !event.facts.databases.holds(path, version.information) else { return }
          contentsToWrite.insert(version)
          if before.version(at: path) == nil, version.words.isEmpty,
            event.promisedClass(of: path) == .critical,
            // Done again, it may have another random name.
            NameForm.withoutRandomParts("\(path)") == "\(path)"
          {
            filesToCreate[path] = version.information.size
          }
        }
      }
    }
    var former: [ContainerPath: UserFiles.Version] = [:]
    event.tree.forEachFile(changedSince: before) { path, _, isNow in
      if isNow, let version = event.tree.version(at: path) {
        contentsWritten.insert(version)
        former[path] = before.version(at: path)
      }
    }
    self.onlyAdds = kill.activity != nil && contentsToDelete.isEmpty
    self.moment = event.moment
    self.point = kill.point
    self.lastStep = kill.steps.upperBound
    self.former = former
    self.filesToConvert = filesToConvert.filter { $1.version?.words.isEmpty == false }
    self.contentsToDelete = contentsToDelete.subtracting(contentsToKeep)
    self.contentsToWrite = contentsToWrite.subtracting(contentsToDelete)
    self.contentsWritten = contentsWritten.subtracting(contentsToDelete)
    self.filesToCreate = filesToCreate
  }

  /// Whether contents may be gone: the activity was to take them away and has come to its end, or
  /// had just made them; then what it made them of must still be there, unless that may be gone
  /// too. A text may differ in what varies between runs, such as its date or the order of its keys.
  fileprivate func allows(
    _ version: UserFiles.Version, at path: ContainerPath,
    toDeleteFrom lasting: Set<UserFiles.Version>, _ words: Set<String>
  ) -> Bool {
    func isThere(_ version: UserFiles.Version) -> Bool {
      lasting.contains(version) || !version.words.isEmpty && version.words.isSubset(of: words)
    }
    func mayGo(_ version: UserFiles.Version) -> Bool {
      contentsToDelete.contains(version) && contentsToWrite.allSatisfy(isThere)
    }
    guard contentsWritten.contains(version) else { return mayGo(version) }
    guard let former = former[path], former.canBeFollowed else { return true }
    return isThere(former) || mayGo(former)
  }

  /// Whether the activity was to keep some contents that are not there: words of them, or all in a form
  /// without words.
  fileprivate func wasToKeep(
    _ version: UserFiles.Version, beside words: Set<String>, in tree: FileTree
  ) -> Bool {
    let missing = version.words.subtracting(words)
    let keepsWords = contentsToWrite.contains { !$0.words.isDisjoint(with: version.words) }
    return keepsWords
      ? contentsToWrite.contains { !$0.words.isDisjoint(with: missing) }
      : !filesToCreate.isEmpty
        && filesToCreate.allSatisfy { path, size in
          tree.file(at: path).map { $0.size < size / 2 } ?? true
        }
  }
}

extension ObservedEvent {
  fileprivate var moment: UserDataLostRule.Moment { isOfStart ? .start : .step }

  /// A critical file as it was; nil for any other.
  fileprivate func former(at path: ContainerPath, in tree: FileTree) -> UserDataLostRule.Former? {
    guard promisedClass(of: path) == .critical else { return nil }
    let version = tree.version(at: path)
    // A step of the user's has saved what it holds, or it was there from the beginning.
    let isOwn = version.map { version in
      facts.files.saved[path] == version || start.tree.version(at: path) == version
        || facts.files.saved.elements.contains { $0.value == version }
    }
    return UserDataLostRule.Former(step: step, version: version, isOwn: isOwn ?? false)
  }

  /// Whether it comes after an interrupted activity, and what does that again.
  fileprivate func isAfter(_ interrupted: UserDataLostRule.Interrupted?) -> Bool {
    guard let interrupted, case .changes = event, !isOfStart, case .step(let number) = step.number
    else { return false }
    return number > interrupted.lastStep
  }
}
