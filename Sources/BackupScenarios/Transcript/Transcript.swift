public import BackupCollections
public import BackupContainer
public import BackupDevice
package import BackupDiagnostics
public import BackupFileTree

/// The record of one run of a scenario: its events in order, each with the container after it.
///
/// Rules, golden files and reports read it. It does not depend on them.
public struct Transcript: Sendable {
  /// The scenario of the run; for a test's session, one that has only the session's settings.
  @Boxed public private(set) var scenario: Scenario
  /// The system and the kind of backup of the run.
  public let variant: Scenario.Variant
  /// The container before the first step.
  public internal(set) var firstTree: FileTree
  /// The events, in the order in which the kit noticed them.
  public internal(set) var entries: [Entry] = []
  /// The failure of a step that ended the run early; nil for a run to the end.
  public internal(set) var failure: Failure?
  /// The uses of arguments by bound actions, by the position of the argument in the file.
  package private(set) var argumentUses: [SourcePosition: ArgumentUse] = [:]

  /// Adds the classes that all scenarios and tests of the app have.
  mutating func add(shared files: FilePromises) throws(RunError) {
    scenario = try scenario.adding(shared: files)
  }

  /// A failure of a step that ended the run early.
  public struct Failure: Error, Sendable, CustomStringConvertible {
    /// The step that failed.
    public let step: Scenario.StepReference
    /// The reason for the failure, in a sentence.
    public let message: String
    package let outcome: StepFailure.Outcome
    /// The position of the cause in the scenario file: the step, or a value in it.
    package private(set) var position: SourcePosition
    /// The functions on the stack at the `throw` of the app's code, the innermost first, each as its
    /// return address relative to the start of the program; empty if they are not known.
    package private(set) var callers: [UInt64] = []

    /// The failure with its step: `step 5, save Documents/a.txt: no such file: 'Documents'`.
    public var description: String { "\(step.withSummary): \(message)" }

    init(step: Scenario.StepReference, message: String, outcome: StepFailure.Outcome) {
      (self.step, self.message, self.outcome) = (step, message, outcome)
      self.position = step.position
    }

    init(_ failure: StepFailure, at step: Scenario.StepReference) {
      self.init(step: step, message: failure.description, outcome: failure.outcome)
      self.position = failure.position ?? step.position
      self.callers = failure.callers
    }

    /// Creates the failure of a step from the entry that a rule reports.
    package init(failedUseIn entry: Entry) {
      self.init(
        step: entry.step, message: entry.event.failedUse ?? "", outcome: .reported(.simulated))
    }
  }

  /// A step that may have had effects that the kit does not see, with the reason.
  package struct Doubt: Sendable {
    package let step: Scenario.StepReference
    package let message: String
  }

  /// The steps during which the app's code, or other code, may have written outside the container.
  package internal(set) var doubts: [Doubt] = []

  /// The steps of the app's own code in which the kit may not see marks by Foundation: on Linux, those by modules
  /// without the shim.
  package internal(set) var stepsWithoutShim: Set<Scenario.StepReference.Number> = []
  package internal(set) var modulesWithShim: Set<String> = []

  /// The folder in which the app's process kept temporary files, if it is not the container's `tmp`. The kit does
  /// not see these files.
  package internal(set) var sharedTemporaryFolder: String?

  /// An item that changed when the app continued after the last step; nil if none changed, or if the kit did not
  /// look.
  package internal(set) var lateChange: ContainerPath?

  /// The calls by which the app's code changed items, in order; empty if its process is not tapped.
  package internal(set) var calls: [Call] = []

  package struct Call: Sendable {
    package let step: Scenario.StepReference
    package let call: ChangeCall
  }

  /// True if the app has a home, in which Foundation keeps files.
  var hasFilesOfFoundation = false

  /// True if the app's own code ran, whose files may differ in each run.
  package var runsCode: Bool { hasFilesOfFoundation || !scenario.stepsOfCode.isEmpty }

  /// The options of the run's golden file, without the sizes of Foundation's files, which depend on its version
  /// and on the test that runs.
  package var golden: GoldenOptions {
    hasFilesOfFoundation
      ? scenario.golden.leavingOutSizes(of: scenario.app.filesOfFoundation) : scenario.golden
  }

  /// The steps whose action may not fail and left no trace. Such an action may have returned before its work was
  /// done, or it only read, which the kit does not see.
  package var idleActions: [Scenario.StepReference] {
    let performed = Set(entries.map(\.step.number))
    let traced = Set(entries.filter { $0.event.traits.contains(.trace) }.map(\.step.number))
    return scenario.steps.filter { $0.actionName != nil && !$0.mustFail && !$0.mayThrow }
      .map(\.reference).filter { performed.contains($0.number) && !traced.contains($0.number) }
  }

  /// Adds the uses of an action's arguments to those of the action's earlier calls.
  mutating func addArgumentUses(_ uses: [ArgumentUse]) {
    for use in uses {
      argumentUses[use.position] = argumentUses[use.position]?.merging(use) ?? use
    }
  }

  /// The container after the last step.
  public var lastTree: FileTree { entries.last?.tree ?? firstTree }

  /// Returns the container before a step, or before the next one that was performed; nil if there is none. The
  /// files that these steps left are added, each in its last version, even if a later step removed it.
  func tree(beforeStep number: Int) -> FileTree? {
    let first = entries.firstIndex { entry in
      if case .step(let other) = entry.step.number { other >= number } else { false }
    }
    guard let first else { return nil }
    var tree = first > 0 ? entries[first - 1].tree : firstTree
    tree.add(filesLeftBy: entries[first...])
    return tree
  }

  package var systemEntries: [Entry] { entries.filter(\.event.isBySystem) }
}

extension FileTree {
  /// Adds the last version of each file that some entries left, even if a later one removed the file.
  mutating func add(filesLeftBy entries: some Sequence<Transcript.Entry>) {
    for entry in entries {
      guard case .changes(let changes) = entry.event else { continue }
      for change in changes where change.places {
        entry.tree[change.path]?.forEachItem(at: change.path) { path, item in
          guard item.size != nil else { return }
          if let parent = path.parent { ensureDirectory(parent) }
          insert(item, at: path)
        }
      }
    }
  }
}

extension Transcript {
  /// An event with its step and the state after it. Copies share their storage.
  public struct Entry: Sendable {
    private struct Facts: Sendable {
      let step: Scenario.StepReference
      let event: Transcript.Event
      let tree: FileTree
      let profile: SystemProfile
      let keychain: KeychainItems
    }

    /// The circumstances of an event.
    package struct Circumstances: OptionSet, Sendable {
      package let rawValue: Int

      package init(rawValue: Int) { self.rawValue = rawValue }

      /// The event is part of a launch, by a step of `launch` or by the app's code.
      package static let start = Circumstances(rawValue: 1 << 0)
      /// The event is part of a step in which the app is then killed.
      package static let killedStep = Circumstances(rawValue: 1 << 1)
      /// A write of the step fails because the storage is full.
      package static let fullStorage = Circumstances(rawValue: 1 << 2)
      /// The app's own code caused the event.
      package static let code = Circumstances(rawValue: 1 << 3)
      /// An extension of the app caused the event, in its own process.
      package static let inExtension = Circumstances(rawValue: 1 << 4)
    }

    @Boxed private var facts: Facts
    package let circumstances: Circumstances

    package init(
      step: Scenario.StepReference, event: Transcript.Event, tree: FileTree,
      profile: SystemProfile, keychain: KeychainItems = [:], in circumstances: Circumstances = []
    ) {
      self.facts = Facts(
        step: step, event: event, tree: tree, profile: profile, keychain: keychain)
      self.circumstances = step.isOfLaunch ? circumstances.union(.start) : circumstances
    }

    package var isOfStart: Bool { circumstances.contains(.start) }
    package var isOfKilledStep: Bool { circumstances.contains(.killedStep) }
    package var isOfCode: Bool { circumstances.contains(.code) }
    package var isOfExtension: Bool { circumstances.contains(.inExtension) }

    /// The step that caused the event.
    public var step: Scenario.StepReference { facts.step }
    /// The act of the app or of iOS.
    public var event: Transcript.Event { facts.event }
    /// The container's files after the event.
    public var tree: FileTree { facts.tree }
    /// The behavior of the device's system at the time of the event.
    public var profile: SystemProfile { facts.profile }
    package var keychain: KeychainItems { facts.keychain }
  }

  /// An event that a run's transcript records.
  @nonexhaustive
  public enum Event: Sendable {
    case changes([FileTree.Change])
    /// The app set a mark on an item that does not exist.
    case markOnMissing(ContainerPath)
    /// The app used a mark that the system does not have, and did not handle the error.
    case markUnavailable(ContainerPath, ExclusionMark)
    /// A step read an existing file without a check. The kit does not see the reads of bound
    /// actions.
    case read(ContainerPath)
    /// The app read a missing file without a check. `wrappedIn` is the app's own error in words, if
    /// it wraps the error of the read.
    case readMissing(ContainerPath, wrappedIn: String?)
    /// A step read a file, without a check, that the locked device keeps from the app.
    case readLocked(ContainerPath)
    /// The app read a keychain item before the first unlock, without a check.
    case lockedKeychainItem(String)
    /// The app took a file for missing that it could not read because the device is locked.
    case lockedTakenForMissing(ContainerPath)
    /// The app opened or wrote to a missing file, or wrote into a missing directory, without a
    /// check. `wrappedIn` is as in ``readMissing(_:wrappedIn:)``.
    case writeToMissing(ContainerPath, wrappedIn: String?)
    /// A step used an item, without a check, that iOS has taken away, or that is in tmp. The kit
    /// does not see the checks of bound actions.
    case use(Use, of: ContainerPath, isMissing: Bool)
    /// The app set, read or removed a keychain item, or read a missing one without a check.
    case keychainItem(String, isMissing: Bool)
    /// The app read a file that it cannot decrypt, because the keychain item that encrypted it is
    /// missing or was set again.
    case cannotDecrypt(ContainerPath, without: String)
    /// The app read a value for one device that a restore brought from another device.
    case valueOfOtherDevice(String)
    /// The app could not create an item that it had already created in a step in which it was
    /// killed.
    case foundOwnRemnant(ContainerPath)
    /// The app used a path in its former container. `wrappedIn` is as in
    /// ``readMissing(_:wrappedIn:)``.
    case staleURL(ContainerPath, wrappedIn: String?)
    /// The app could not create or write an item at a place where devices refuse it. `wrappedIn` is
    /// as in ``readMissing(_:wrappedIn:)``.
    case refused(ContainerPath, wrappedIn: String?)
    /// A link leads into the app's former container. The app used the link, or ran and did not
    /// replace it. `wrappedIn` is as in ``readMissing(_:wrappedIn:)``.
    case staleLink(ContainerPath, isUsed: Bool, wrappedIn: String?)
    /// A file contains the current or a former path of the container. `key` is the path's key in a
    /// property list or JSON, and `setBy` the step that set it in user defaults.
    case storedPath(ContainerPath, key: String?, setBy: Scenario.StepReference?)
    /// A file in backups names a file that iOS took or did not restore, and that is still missing.
    /// `key` and `setBy` are as in ``storedPath(_:key:setBy:)``.
    case namedMissing(
      ContainerPath, key: String?, setBy: Scenario.StepReference?, missing: ContainerPath)
    /// The app's own check failed at a launch, with its error, the system event before the launch,
    /// and the item that the error names.
    case checkFailed(String, after: String, ContainerPath?)
    /// The app's own check passed at a launch.
    case checkPassed
    /// A process of the app ended, with its output in escaped lines.
    case output(String)
    case launch
    /// The app was killed within a step.
    case killed(Kill)
    /// A system event, with the items that iOS took or did not restore.
    case system(SystemEvent, lost: [FileTree.LostItem] = [])

    /// The app's use of an item that must exist, except a read.
    public enum Use: Hashable, Sendable {
      case append
      case copy
      /// The app marks the item.
      case exclude
      /// The app clears the item's mark.
      case include
      case move
      case remove
    }

    /// A kill of the app within a step.
    public struct Kill: Sendable {
      /// The change before which the app was killed.
      package let point: Scenario.KillPoint
      /// The same activity without the kill; nil if it is unknown.
      package let activity: InterruptedActivity?
    }

    /// True for a system event, unless the system only put a file into the container.
    public var isBySystem: Bool { system.map { $0.placedFile == nil } ?? false }

    /// The properties of a kind of event that rules, runs and reports need.
    package struct Traits: OptionSet, Sendable {
      package let rawValue: Int

      package init(rawValue: Int) { self.rawValue = rawValue }

      /// The app acted, even if it only started.
      package static let byApp = Traits(rawValue: 1 << 0)
      /// The event shows that the step did something.
      package static let trace = Traits(rawValue: 1 << 1)
      /// The app set a mark on a missing item, or a mark that the system does not have.
      package static let markInVain = Traits(rawValue: 1 << 2)
      /// An app that catches the error has handled the event.
      package static let handledByCatching = Traits(rawValue: 1 << 3)
    }

    package var traits: Traits {
      switch self {
      case .changes(let changes): changes.isEmpty ? .byApp : [.byApp, .trace]
      case .markOnMissing: [.byApp, .trace, .markInVain]
      case .markUnavailable: [.byApp, .trace, .markInVain, .handledByCatching]
      case .read, .lockedTakenForMissing, .staleURL, .use(_, of: _, isMissing: false),
        .valueOfOtherDevice:
        [.byApp, .trace]
      case .readMissing, .readLocked, .lockedKeychainItem, .writeToMissing, .foundOwnRemnant,
        .refused, .keychainItem,
        .cannotDecrypt,
        .use(_, of: _, isMissing: true), .staleLink(_, isUsed: true, _):
        [.byApp, .trace, .handledByCatching]
      case .staleLink(_, isUsed: false, _): .handledByCatching
      case .storedPath, .namedMissing, .checkFailed, .checkPassed: []
      case .output, .launch: .byApp
      case .killed, .system: .trace
      }
    }

    package var isChange: Bool {
      if case .changes(let changes) = self { !changes.isEmpty } else { false }
    }

    /// The reason why a step of the app failed, if the app did not check first; nil for any other event, and for
    /// a read, because the app may continue without the file.
    package var failedUse: String? {
      switch self {
      case .markOnMissing(let path), .writeToMissing(let path, _),
        .use(_, of: let path, isMissing: true):
        "'\(path)' does not exist"
      case .foundOwnRemnant(let path): "'\(path)' exists already, from the interrupted attempt"
      default: nil
      }
    }

    /// The system event; nil for any other event.
    package var system: SystemEvent? {
      if case .system(let event, lost: _) = self { event } else { nil }
    }

    /// The items that iOS took or did not restore; nil for an event that takes none.
    package var losses: Losses? {
      guard case .system(let event, lost: let items) = self else { return nil }
      return event.fate.map { Losses(items: items, fate: $0) }
    }

    /// True for a purge that took nothing, so that the app notices only its end.
    package var tookNothing: Bool {
      losses.map { $0.fate == .purged && $0.items.isEmpty } ?? false
    }

    /// The backup that was taken; nil for any other event.
    public var backup: FakeContainer.Backup? {
      if case .system(.backup(let backup), lost: _) = self { backup } else { nil }
    }
  }

  /// The label of the backup that is taken of found containers.
  package static let foundLabel = "now"

  /// Creates the transcript of found containers, whose history is unknown: their marks, the items
  /// directly in Library, and one backup.
  package init(finding tree: FileTree, _ configuration: SessionConfiguration, named name: String) {
    let profile = configuration.profile
    let scenario = configuration.scenario(named: name, file: name)
    self.init(
      scenario: scenario, variant: scenario.variants[0], firstTree: tree)
    let set = BackupSimulator(profile: profile, backups: configuration.backups).backUp(tree)
    let backup = FakeContainer.Backup(label: Self.foundLabel, tree: tree, contents: set)
    entries = [Event.changes(tree.impliedChanges), .system(.backup(backup))].map {
      Entry(step: .found, event: $0, tree: tree, profile: profile)
    }
  }
}

extension Scenario.StepReference {
  /// True if each launch performs the step.
  package var isOfLaunch: Bool {
    if case .launch = number { true } else { false }
  }

  /// The reference that stands for a step in found containers.
  package static let found = Scenario.StepReference(
    number: .found, position: .start, summary: "found")
}

extension FakeContainer {
  /// A backup of a container, with a reason for every item that is in it or left out.
  ///
  /// ```swift
  /// let backup = try container.backUp()
  /// #expect(backup.files == ["Documents/list.json"])
  /// #expect(backup.bytes < 5_000_000)
  /// ```
  ///
  /// `#expect` prints each item with the reason why the backup contains it or not.
  public struct Backup: Sendable {
    /// The name by which findings and scenario files refer to this backup.
    public let label: String
    /// The container's files when the backup was taken, including those that it leaves out.
    public let tree: FileTree
    /// The decision on every item of the container.
    public let contents: BackupSet
    /// The session of the test that took the backup; nil for a backup of a scenario's run.
    package var session: SerialNumber?
  }
}

extension FakeContainer.Backup {
  /// The sum of the files' sizes in bytes.
  public var bytes: Int64 { contents.bytes }

  /// The paths of the files and links in the backup, relative to the container and sorted.
  public var files: [String] {
    contents.included.filter(\.isLeaf).map(\.path.string).sorted()
  }
}

extension FileTree {
  /// The changes that an app has made if its containers are in this state.
  fileprivate var impliedChanges: [Change] {
    var changes = containerNames.flatMap { name in
      let library = ContainerPath(ContainerPath.StandardLocation.library.path, inContainer: name)
      return (self[library]?.children.entries ?? []).map {
        Change.created(library.appending($0.name))
      }
    }
    visitMarked { path, item in changes.append(.marked(path, item.marks)) }
    return changes
  }
}
