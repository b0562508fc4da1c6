import BackupCollections
import BackupContainer
import BackupDevice
import BackupDiagnostics
import BackupFileTree
import BackupScenarios

/// Reports data that the app lost, although the user did not delete it.
///
/// The system may kill an app between any two changes to the file system, and may purge caches. The
/// app then finds half a save, half a migration or no index. The rule compares the container with
/// the container that the app would have left without the interruption. It compares values
/// (`UserValues`), which may be in any file.
///
/// The rule judges three cases:
///
/// * *An interrupted activity that the app does not repeat*: The container must have each value
///   that exists both with and without the activity. A value that the activity replaces may be
///   missing only if the container has all values that replace it.
/// * *A repeated activity*: The container must have the values that it has after one or two
///   uninterrupted runs of the activity.
/// * *A start without an interruption*: The container must have each value that the user saved. The
///   finding is only a warning if the start also writes user data, because the app may have changed
///   the format. After only a restore or a lock, the app need not change the format, so the finding
///   is an error.
struct UserDataLostRule: Rule {
  let name = "user-data-lost"
  let sources: [SystemProfile.Source] = [.appleAppGuide, .observed, .swiftFoundation]
  func codeToBlame(for severity: Scenario.Severity) -> CodeToBlame { .call(.removal) }
  var suspectedCalls: [ChangeCall.Kind] { [.removal] }
  var namesKill: Bool { true }
  var consequence: String? { "the user loses data in '{path}'" }
  var subject: RuleSubject { .lossByKill }

  struct Memory: Hashable {
    /// The last interruption, until the rule has judged it.
    fileprivate var interruption: Interruption?
    /// The changes of the current step before its kill.
    fileprivate var changesOfKilledStep = Changes()
    /// The current start, until the rule has judged it.
    fileprivate var start: Start?
    /// The lost values of each file, until the rule reports them.
    fileprivate var losses: [ContainerPath: Loss] = [:]
    /// The first contents of files that starts created. These contents are not the user's.
    fileprivate var firstContents: [ContainerPath: ContentsVersion] = [:]
  }

  /// An interruption of an activity by a kill or by full storage.
  fileprivate struct Interruption: Hashable {
    var interruptionPoint: Scenario.InterruptionPoint
    let step: Scenario.StepReference
    let activity: InterruptedActivity
    let isOfExtension: Bool
    var stage = Stage.interrupted
    let changesBeforeKill: Changes
    var changesAfterKill = Changes()
    /// True if the app's own check has passed since the interruption.
    var appCheckHasPassed = false

    enum Stage: Hashable {
      case interrupted
      /// The app has started since the interruption.
      case started
      /// The app repeats the activity.
      case repeated
    }
  }

  /// A start of the app. A time in which the app takes locked files for missing also counts as a
  /// start, until the system acts.
  fileprivate struct Start: Hashable {
    let treeBefore: FileTree
    var circumstances: RunFacts.StartCircumstances
    /// The locked files that the app takes for missing; nil for a start.
    var filesTakenForMissing: Set<ContainerPath>?
    var changes = Changes()
  }

  /// The app's changes of files.
  fileprivate struct Changes: Hashable {
    /// For each changed or removed file, the step of the last change.
    private(set) var stepsByPath = SortedMap<ContainerPath, Scenario.StepReference>()
    /// The removed files, even if the app has created them again.
    private(set) var removedPaths = SortedMap<ContainerPath, Bool>()

    mutating func record(_ event: ObservedEvent) {
      for path in event.event?.touchedPaths ?? [] {
        for tree in [event.treeBefore, event.tree] {
          for changedPath in tree.paths(from: path) { stepsByPath[changedPath] = event.step }
        }
      }
      for case .removed(let path) in event.changes {
        for removedPath in event.treeBefore.paths(from: path) { removedPaths[removedPath] = true }
      }
    }
  }

  /// The user's values that the app has lost.
  fileprivate struct Loss: Hashable {
    let step: Scenario.StepReference
    let values: UserValues
    let cause: Cause
    /// True if the app may only have changed the format of the values.
    let mayBeFormatChange: Bool
    /// True if the app's own check passes in spite of the loss.
    var appCheckPasses = false

    enum Cause: Hashable {
      case kill(Scenario.InterruptionPoint)
      /// The app removed the values after the kill, at a start or when it repeated the activity.
      case afterKill(Scenario.InterruptionPoint, isRepetition: Bool)
      case start(before: FileTree)
      /// The app created a file again that it could not read on the locked device.
      case lock(before: FileTree)

      /// The container before a start or a lock; nil for a kill.
      fileprivate var treeBefore: FileTree? {
        switch self {
        case .start(before: let tree), .lock(before: let tree): tree
        case .kill, .afterKill: nil
        }
      }
    }
  }

  package func memory(at start: RunStart) -> Memory { Memory() }

  func observe(_ event: ObservedEvent, _ memory: inout Memory, _ report: inout RuleReport) {
    guard event.scenario.files != nil else { return }
    if !memory.isInStart(event) || event.isEnd { judgeStart(event, &memory) }
    if !event.isCausedByKit { judgeInterruption(event, &memory, &report) }
    if event.checkpoint != nil { self.report(event, &memory, &report) }
    record(event, &memory)
  }

  private func record(_ event: ObservedEvent, _ memory: inout Memory) {
    switch event.event {
    case .launch where !event.isOfKilledStep:
      memory.interruption?.recordStart()
      memory.start =
        event.runStart.startsMayChangeFiles
        ? Start(treeBefore: event.tree, circumstances: event.facts.nextStartCircumstances) : nil
    case .changes:
      memory.interruption?.changesAfterKill.record(event)
      if memory.interruption?.hasCaughtUp(at: event) == true { memory.interruption = nil }
      if memory.isInStart(event) { memory.start?.changes.record(event) }
      if event.isOfKilledStep { memory.changesOfKilledStep.record(event) }
    case .lockedTakenForMissing(let path):
      if memory.start == nil {
        memory.start = Start(
          treeBefore: event.tree, circumstances: .lock, filesTakenForMissing: [])
      }
      memory.start?.circumstances = .lock
      memory.start?.filesTakenForMissing?.insert(path)
    case .checkPassed: memory.interruption?.appCheckHasPassed = true
    case .killed(let kill):
      memory.start = nil
      memory.record(kill, event)
      memory.changesOfKilledStep = Changes()
    case .system(.restore, lost: _), .system(.reinstall, lost: _): memory.interruption = nil
    default: break
    }
  }

  /// Judges a finished start, unless the rule must still judge an interruption.
  private func judgeStart(_ event: ObservedEvent, _ memory: inout Memory) {
    guard let start = memory.start else { return }
    memory.start = nil
    guard !start.changes.stepsByPath.isEmpty else { return }
    let (facts, reader) = (UserFileFacts(event), ValueReader())
    let savedVersions = event.facts.userFiles.savedVersions
    // A start may have renamed a file since the app saved it.
    let versionsAtAnyPath = Set(savedVersions.elements.map(\.value))
    var (requiredValues, writesUserData) = (UserValues(), false)
    for (path, _) in start.changes.stepsByPath.elements
    where start.filesTakenForMissing?.contains(path) != false
      && event.promisedClass(of: path) == .critical && facts.isLasting(path)
    {
      let file = start.treeBefore.fileInformation(at: path)
      let (formerVersion, currentVersion) = (
        file.map(ContentsVersion.init), event.treeBefore.version(at: path)
      )
      if let file, let formerVersion,
        savedVersions[path] != nil || versionsAtAnyPath.contains(formerVersion)
      {
        requiredValues.add(file, at: path, facts, reader)
      } else if formerVersion == nil, let currentVersion, savedVersions.isEmpty {
        memory.firstContents[path] = currentVersion
      }
      if let currentVersion, currentVersion.size > 0,
        currentVersion != memory.firstContents[path], currentVersion != formerVersion
      {
        writesUserData = true
      }
    }
    guard memory.interruption == nil, !requiredValues.isEmpty else { return }
    let containerValues = ContainerValues(event.treeBefore, facts, reader)
    let missingValues = requiredValues.missing(
      in: containerValues, allowingOtherKeysThanIn: start.treeBefore)
    // The kit is sure only after a restore or a lock that the app need not change the format.
    let keepsFormat = [.restore, .lock].contains(start.circumstances)
    for (path, values) in missingValues.byPath {
      memory.losses[path] = Loss(
        step: start.changes.stepsByPath[path] ?? event.step, values: values,
        cause: start.circumstances == .lock
          ? .lock(before: start.treeBefore) : .start(before: start.treeBefore),
        mayBeFormatChange: writesUserData && !keepsFormat)
    }
  }

  /// Judges an interrupted activity twice: after the app's own recovery, and after the app has
  /// repeated the activity.
  private func judgeInterruption(
    _ event: ObservedEvent, _ memory: inout Memory, _ report: inout RuleReport
  ) {
    guard let interruption = memory.interruption else { return }
    let isPartOfRepetition = interruption.isPartOfRepetition(event)
    guard isPartOfRepetition || interruption.isRecoveryOver(at: event) else { return }
    if isPartOfRepetition, interruption.stage == .repeated { return }
    let missingValues = interruption.missingValues(at: event)
    // The app may repair its files at its next start, and an extension may act before that.
    let awaitsStart = interruption.stage == .interrupted && !interruption.isOfExtension
    if !missingValues.isEmpty, event.isOfExtension, awaitsStart { return }
    memory.interruption?.stage = .repeated
    if !missingValues.isEmpty || !isPartOfRepetition { memory.interruption = nil }
    for (path, values) in missingValues.byPath {
      let laterStep = interruption.changesAfterKill.stepsByPath[path]
      let isRepetition = interruption.stage == .repeated
      memory.losses[path] = Loss(
        step: laterStep ?? interruption.changesBeforeKill.stepsByPath[path] ?? interruption.step,
        values: values,
        cause: laterStep == nil && !isRepetition
          ? .kill(interruption.interruptionPoint)
          : .afterKill(interruption.interruptionPoint, isRepetition: isRepetition),
        mayBeFormatChange: false)
    }
    if interruption.appCheckHasPassed {
      for path in memory.losses.keys where event.treeBefore.contains(path) {
        memory.losses[path]?.appCheckPasses = true
      }
    }
    self.report(event, &memory, &report)
  }

  private func report(_ event: ObservedEvent, _ memory: inout Memory, _ report: inout RuleReport) {
    guard !memory.losses.isEmpty else { return }
    let containerValues = ContainerValues(event.treeBefore, UserFileFacts(event), ValueReader())
    for (path, loss) in memory.losses.sorted(by: { $0.key.precedesInWalk($1.key) }) {
      // A loss at a start counts only if the app has not saved the values again.
      if let treeBefore = loss.cause.treeBefore,
        loss.values.missing(in: containerValues, allowingOtherKeysThanIn: treeBefore).isEmpty
      {
        continue
      }
      let file = event.treeBefore.fileInformation(at: path)
      let severity: Scenario.Severity =
        loss.mayBeFormatChange || loss.appCheckPasses ? .warning : .error
      report.add(
        self, severity: severity, at: loss.step, on: path, groupedBy: .item,
        loss.message(path, file), advice: .text(loss.advice(fileExists: file != nil)),
        detectedBy: loss.detection)
    }
    memory.losses = [:]
  }
}

extension UserDataLostRule.Interruption {
  /// Returns true if an event belongs to a repetition of the activity.
  func isPartOfRepetition(_ event: ObservedEvent) -> Bool {
    guard !event.isOfStart, event.checkpoint == nil,
      case .step(let number)? = event.entry?.step.number
    else { return false }
    if case .launch? = event.event { return false }
    return activity.stepNumbers.contains(number)
  }

  /// Returns true if the repetition has left the same container as the uninterrupted activity after
  /// the same step. The remaining steps then have the same effects on the container.
  fileprivate func hasCaughtUp(at event: ObservedEvent) -> Bool {
    guard stage == .repeated, case .step(let number)? = event.entry?.step.number,
      let expectedTree = activity.treesAfterSteps[number]
    else { return false }
    return ContainerState(tree: event.tree.removing(event.facts.remnants))
      == ContainerState(tree: expectedTree)
  }

  /// Returns true if an event shows that the app has finished its own recovery.
  func isRecoveryOver(at event: ObservedEvent) -> Bool {
    if event.isEnd { return true }
    // After a kill at a start, the app recovers at a later start.
    if case .killed? = event.event { return stage == .started && !event.isOfStart }
    if event.isOfStart { return false }
    if case .launch? = event.event { return stage == .repeated && !activity.onlyLaunchesApp }
    return event.checkpoint == nil || stage != .interrupted
  }

  /// Returns the values that the container lacks at the current stage.
  fileprivate func missingValues(at event: ObservedEvent) -> UserValues {
    let isRepeated = stage == .repeated && !event.isAfterFailure
    let treePairs = stage == .interrupted ? [activity.treesAtEnd] : activity.treesAfterLaunch
    let expectedTrees =
      isRepeated
      ? [activity.treesAfterRepetition.first ?? activity.treesAtEnd.withActivity]
      : treePairs.map(\.withoutActivity)
    if expectedTrees.contains(where: event.treeBefore.containsAllFiles) { return UserValues() }
    let facts = UserFileFacts(event)
    var reader = ValueReader()
    if let otherTree = activity.treeAfterOtherRun {
      reader.addVaryingValues(in: activity.treesAtEnd.withActivity, otherTree, facts)
    }
    let treeWithoutActivity = activity.treesAtEnd.withoutActivity
    let paths = activity.unsharedFilePaths(with: event.treeBefore)
    // SQLite repairs a database after a kill, unless the app has removed the database.
    let containerValues = ContainerValues(event.treeBefore, at: paths, facts, reader) { path in
      let file = treeWithoutActivity.fileInformation(at: path)
      let isDatabase = file.map { facts.databases.contains(path, $0) } ?? false
      return isDatabase && stage != .repeated && changesBeforeKill.removedPaths[path] == nil
        && changesAfterKill.removedPaths[path] == nil
    }
    let sortedPaths = paths.sorted { $0.precedesInWalk($1) }
    func values(_ tree: FileTree) -> UserValues {
      UserValues(tree, at: sortedPaths, facts, reader)
    }
    let missingValues: UserValues
    if isRepeated {
      missingValues = values(expectedTrees[0])
        .missing(
          in: containerValues,
          unlessReplacedBy: activity.treesAfterRepetition.dropFirst().map(values))
    } else {
      let lostValues = treePairs.map {
        values($0.withoutActivity).lost(
          in: containerValues, completed: values($0.withActivity))
      }
      missingValues = lostValues.min { $0.counts.count < $1.counts.count } ?? UserValues()
    }
    guard !missingValues.isEmpty else { return missingValues }
    let formerValues = values(treeWithoutActivity)
    // The message names the user's files, and not the files that the activity would have created
    // from them.
    let missingRemovedValues = formerValues.subtracting(values(activity.treesAtEnd.withActivity))
      .missing(in: containerValues)
    let missingWithFormerFiles = missingValues.withOriginalFiles(from: formerValues)
    let allFilesExisted =
      stage != .repeated
      && missingWithFormerFiles.paths.allSatisfy(treeWithoutActivity.contains)
    return allFilesExisted || missingRemovedValues.isEmpty
      ? missingWithFormerFiles : missingRemovedValues
  }

  /// Records a kill within the repetition, or within the start before it; returns false for any
  /// other kill.
  fileprivate mutating func interruptAgain(
    at point: Scenario.InterruptionPoint, _ event: ObservedEvent
  ) -> Bool {
    let continuesInterruption =
      event.isOfStart ? stage != .interrupted : stage == .repeated && isPartOfRepetition(event)
    guard continuesInterruption else { return false }
    (self.interruptionPoint, stage) = (point, .interrupted)
    return true
  }

  mutating func recordStart() {
    if stage == .interrupted { stage = activity.onlyLaunchesApp ? .repeated : .started }
  }
}

extension UserDataLostRule.Memory {
  /// Returns true if an event belongs to the current start, or to the time in which the app takes
  /// locked files for missing.
  func isInStart(_ event: ObservedEvent) -> Bool {
    if event.isOfStart { return true }
    if case .launch? = event.event { return false }
    return start?.filesTakenForMissing != nil && event.entry != nil
      && event.event?.systemEvent == nil
  }

  fileprivate mutating func record(_ kill: Transcript.Event.Kill, _ event: ObservedEvent) {
    // If the kill interrupts a repetition, the app must still complete the first activity.
    if interruption?.interruptAgain(at: kill.point, event) == true { return }
    interruption = kill.activity.map { activity in
      UserDataLostRule.Interruption(
        interruptionPoint: kill.point, step: event.step, activity: activity,
        isOfExtension: event.isOfExtension, changesBeforeKill: changesOfKilledStep)
    }
  }
}

extension UserDataLostRule.Loss {
  fileprivate var detection: Scenario.Finding.Detection {
    switch cause {
    case .start, .lock: .atStart
    case .kill, .afterKill: .inRun
    }
  }

  fileprivate func message(_ path: ContainerPath, _ file: FileTree.FileInformation?) -> String {
    let fileState =
      switch file?.size {
      case nil: "is missing"
      case 0?: "is empty"
      case let size?: "has \(size.formattedSize), without this data"
      }
    if mayBeFormatChange {
      return "'\(path)' is the user's own, and the app "
        + (file == nil ? "removed it" : "wrote over it")
        + " at its start and wrote other data; the kit cannot tell whether the user's data is in it"
    }
    if case .lock = cause {
      return
        "while the device was locked, the app took '\(path)' for missing and created it again: no file "
        + "contains the data that the user saved in it, and the file \(fileState)"
    }
    let eventPhrase =
      switch cause {
      case .kill(let point): point.clause
      case .afterKill(let point, isRepetition: true): "\(point.clause), and then repeated the step"
      case .afterKill(let point, isRepetition: false): "\(point.clause), and then started again"
      case .start, .lock: "the app started"
      }
    return
      "after \(eventPhrase), no file contains the data that the user saved in '\(path)': "
      + "the file \(fileState)"
      + (appCheckPasses ? ", but the app's check passes" : "")
  }

  fileprivate func advice(fileExists: Bool) -> String {
    if appCheckPasses {
      return
        "make sure that the app's check examines the contents of this file; if it does, nothing was lost"
    }
    if mayBeFormatChange {
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
      return fileExists
        ? "\(advice), and check whether a file exists before the app writes its first one"
        : advice
          + "; if the app is meant to delete it, as in a bin or an outbox, give that folder another class in 'files', "
          + "such as \"support\", and exclude it from backups, or name this finding in 'expect'"
    }
  }
}

extension ObservedEvent {
  /// True if the kit caused the event: by running the app's own check, or by searching the
  /// container.
  fileprivate var isCausedByKit: Bool {
    event?.traits.isDisjoint(with: [.byApp, .hasEffect]) == true
  }
}
